import { toolRow } from '../../agents/tool-names.ts'
import { toolUseOf } from '../../agents/table/tool-use.ts'
import type { HookEvent, ToolKind, ToolUse } from '../../model/event.ts'
import { toolCarries } from '../../model/tool-kinds.ts'
import type { DecisionRecord } from '../../record/record.ts'

/** An event as far as it was recorded, or why it cannot be decided again. */
type RecordedEvent =
  | { readonly event: HookEvent; readonly unrecorded: string | undefined }
  | { readonly event: undefined; readonly unrecorded: string }

/** Rebuilds the event of a record. `unrecorded` says what of it was not recorded. */
export function recordedEvent(record: DecisionRecord): RecordedEvent {
  const { event: name, agent, session = '', agentId, project, cwd = project, tool, toolName, subject } = record
  if (name === undefined || agent === undefined || project === undefined || cwd === undefined)
    return { event: undefined, unrecorded: 'the event was not understood' }
  if (tool === undefined || toolName === undefined)
    return { event: undefined, unrecorded: `of ${name} only that it happened is recorded, not its texts` }
  if (subject === undefined) return { event: undefined, unrecorded: `the input of \`${toolName}\` is not recorded` }
  if (record.subjectAltered === true)
    return { event: undefined, unrecorded: 'secrets in the call were masked when it was recorded, or it was cut' }
  const use = toolOf(agent, toolName, tool, subject)
  if (use === undefined)
    return { event: undefined, unrecorded: `of the input of \`${toolName}\`, only a part is recorded` }
  return {
    event: {
      name,
      agent,
      session: { id: session, cwd, ...(agentId !== undefined && { agentId }) },
      workspaceRoots: [project],
      atMs: Date.parse(record.at),
      tool: use,
      raw: {},
    },
    unrecorded: unrecordedOf(tool, toolName),
  }
}

function toolOf(agent: string, name: string, kind: ToolKind, subject: string): ToolUse | undefined {
  const field = toolCarries[kind].subject
  // A call with several fields is not determined by its subject.
  if (field === 'input') return undefined
  const fields = toolRow(agent, name, kind)?.fields[agent] ?? {}
  const use = toolUseOf(agent, name, { [fields[field] ?? field]: subject }, undefined)
  if (use[field] === subject) return use
  // A list of files, or a patch: what it names is known all the same.
  return { ...use, kind, [field]: subject, ...(field === 'path' && { paths: [subject] }) }
}

function unrecordedOf(kind: ToolKind, name: string): string | undefined {
  const { also } = toolCarries[kind]
  if (also === undefined) return undefined
  return `what \`${name}\` ${also === 'content' ? 'writes' : 'looks for'} is not recorded`
}
