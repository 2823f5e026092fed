import { mcpParts } from '../../model/tool-kinds.ts'
import { posix, win32 } from 'node:path'
import type { ToolKind } from '../../model/event.ts'
import type { DecisionRecord } from '../record.ts'

/** The classes of OCSF in which a call is reported. */
const classes = {
  process: { class_uid: 1007, class_name: 'Process Activity', category_uid: 1, category_name: 'System Activity' },
  file: { class_uid: 1001, class_name: 'File System Activity', category_uid: 1, category_name: 'System Activity' },
  http: { class_uid: 4002, class_name: 'HTTP Activity', category_uid: 4, category_name: 'Network Activity' },
  api: { class_uid: 6003, class_name: 'API Activity', category_uid: 6, category_name: 'Application Activity' },
} as const

/** The class of an event for what its call would do, and the objects by which that class describes it. */
export interface Activity {
  readonly of: (typeof classes)[keyof typeof classes]
  readonly activity_id: number
  readonly activity_name: string
  readonly objects: Readonly<Record<string, unknown>>
}

/** Returns the activity of a call by its kind of tool. What is no call is one of the agent's own interface. */
export function activityOf(record: DecisionRecord): Activity {
  const { tool } = record
  switch (tool) {
    case 'shell':
      return { of: classes.process, ...launch, objects: { process: processOf(record) } }
    case 'read':
    case 'write':
    case 'edit':
    case 'search':
    case 'list':
      return { of: classes.file, ...fileActivities[tool], objects: { file: fileOf(record, tool) } }
    case 'fetch':
    case 'websearch':
    case 'browser':
      return { of: classes.http, ...httpActivities[tool], objects: { http_request: { url: urlOf(record) } } }
    case 'agent':
    case 'mcp':
    case 'other':
    case undefined:
      return { of: classes.api, activity_id: 99, activity_name: 'Call', objects: { api: apiOf(record) } }
  }
}

const launch = { activity_id: 1, activity_name: 'Launch' }
type FileTool = Extract<ToolKind, 'read' | 'write' | 'edit' | 'search' | 'list'>
const fileActivities: Readonly<Record<FileTool, Pick<Activity, 'activity_id' | 'activity_name'>>> = {
  write: { activity_id: 1, activity_name: 'Create' },
  read: { activity_id: 2, activity_name: 'Read' },
  edit: { activity_id: 3, activity_name: 'Update' },
  search: { activity_id: 99, activity_name: 'Search' },
  list: { activity_id: 99, activity_name: 'List' },
}
const httpActivities: Readonly<
  Record<Extract<ToolKind, 'fetch' | 'websearch' | 'browser'>, Pick<Activity, 'activity_id' | 'activity_name'>>
> = {
  fetch: { activity_id: 3, activity_name: 'Get' },
  websearch: { activity_id: 99, activity_name: 'Search' },
  browser: { activity_id: 99, activity_name: 'Browse' },
}

const processOf = ({ id, call, subject }: DecisionRecord) => ({
  // The process has not started, so only the call's id can name it.
  uid: call ?? id,
  ...(subject !== undefined && { cmd_line: subject }),
})

function fileOf({ subject, toolName }: DecisionRecord, tool: FileTool) {
  const name = subject === undefined ? '' : (subject.includes('\\') ? win32 : posix).basename(subject)
  const type = { read: regularFile, write: regularFile, edit: regularFile, search: unknownFile, list: folder }[tool]
  return { name: name === '' ? (subject ?? toolName ?? 'unknown') : name, ...type, ...(subject && { path: subject }) }
}
const unknownFile = { type_id: 0, type: 'Unknown' }
const regularFile = { type_id: 1, type: 'Regular File' }
const folder = { type_id: 2, type: 'Folder' }

function urlOf({ subject = '' }: DecisionRecord) {
  const { hostname = '', protocol = '', pathname = '', port = '' } = URL.parse(subject) ?? {}
  return {
    url_string: subject === '' ? 'unknown' : subject,
    ...(hostname !== '' && { hostname, scheme: protocol.replace(/:$/, ''), path: pathname }),
    ...(port !== '' && { port: Number(port) }),
  }
}

function apiOf({ toolName, event, tool, call, subject }: DecisionRecord) {
  const [server, operation] = mcpParts(toolName ?? '') ?? []
  return {
    operation: operation ?? toolName ?? event ?? 'unknown',
    ...(server !== undefined && { service: { name: server } }),
    ...(tool === undefined && toolName === undefined && { service: { name: 'agent' } }),
    ...(call !== undefined && { request: { uid: call, ...(subject && { data: { subject } }) } }),
  }
}
