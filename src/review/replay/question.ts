import type { KnownAgent } from '../../agents/registry.ts'
import type { GatePaths } from '../../files/state/places.ts'
import { HookgateError } from '../../model/errors.ts'
import { toolRow } from '../../agents/tool-names.ts'
import { toolUseOf } from '../../agents/table/tool-use.ts'
import type { HookEvent, ToolKind, ToolUse } from '../../model/event.ts'
import { toolCarries } from '../../model/tool-kinds.ts'
import type { DecisionRecord } from '../../record/record.ts'

/** Which past calls are decided, and by which rules. Relative paths are those of the process. */
export interface ReplayQuestion {
  /** Session files and folders; none: those of all agents. */
  readonly sources: readonly string[]
  readonly from: 'sessions' | 'record' | 'stdin'
  readonly agents: readonly KnownAgent[] | undefined
  readonly sinceMs: number
  readonly untilMs: number
  /** Absolute. */
  readonly project: string | undefined
  /** `undefined`: the rules in force. */
  readonly rules: readonly string[] | undefined
  /** A preset in their place. */
  readonly preset: string | undefined
  readonly against: readonly string[] | undefined
  readonly againstGit: string | undefined
  /** Compare with the rules in force. */
  readonly againstCurrent: boolean
  readonly runHooks: boolean
  /** How many findings are shown. */
  readonly limit: number
}

/** Where a replay looks for what its question does not name. */
export interface ReplaySite {
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly places: GatePaths
  /** Opens stdin, for a question from there. */
  readonly openStdin?: () => AsyncIterable<Uint8Array>
}

/** Checks that the sets of rules go together. @throws HookgateError `usage` */
export function checkRules({ rules, preset, againstGit, againstCurrent }: ReplayQuestion): void {
  if (preset !== undefined && rules !== undefined) throw wrong('--preset and --rules exclude each other')
  if (preset !== undefined && againstGit !== undefined) {
    throw wrong('--preset and --against-git exclude each other: a preset is in no repository')
  }
  if (againstCurrent && preset === undefined && rules === undefined) {
    throw wrong('--against-current needs --rules or --preset: the rules in force are what it compares with')
  }
}

const wrong = (message: string) => new HookgateError('usage', message, { remedy: 'see `hookgate replay --help`' })

/** An event as far as it was recorded, or why it cannot be decided again. */
type RecordedEvent =
  | { readonly event: HookEvent; readonly unrecorded: string | undefined }
  | { readonly event: undefined; readonly unrecorded: string }

/** Rebuilds the event of a record. `unrecorded` says what of it was not recorded. */
export function recordedEvent(record: DecisionRecord): RecordedEvent {
  const { event: name, agent, session = '', agentId, project, cwd = project, tool, toolName, subject, input } = record
  if (name === undefined || agent === undefined || project === undefined || cwd === undefined)
    return { event: undefined, unrecorded: 'the event was not understood' }
  if (tool === undefined || toolName === undefined)
    return { event: undefined, unrecorded: `of ${name} only that it happened is recorded, not its texts` }
  if (subject === undefined && input === undefined)
    return { event: undefined, unrecorded: `the input of \`${toolName}\` is not recorded` }
  if (record.subjectAltered === true || record.inputAltered === true)
    return { event: undefined, unrecorded: 'secrets in the call were masked when it was recorded, or it was cut' }
  const use =
    input === undefined ? toolOf(agent, toolName, tool, subject ?? '') : toolUseOf(agent, toolName, input, undefined)
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
    unrecorded: input === undefined ? unrecordedOf(tool, toolName) : undefined,
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
