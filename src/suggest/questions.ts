import type { HookEvent } from '../model/event.ts'
import { limits } from '../model/limits.ts'
import type { StoredDecision } from '../record/read.ts'
import type { DecisionRecord } from '../record/record.ts'

/** A call that a person was asked about, and how often. */
export interface Question {
  readonly event: HookEvent
  readonly times: number
  /** `agent`: its own prompt, which a permission can spare. `hookgate`: a rule asked, which an exception can spare. */
  readonly asker: 'agent' | 'hookgate'
  /** Ids under which `hookgate allow` may still know it. */
  readonly refusals: readonly string[]
}

/** The calls of a record, each once. */
export interface RecordedCalls {
  readonly questions: readonly Question[]
  /** Calls that nobody was asked about and no rule refused. */
  readonly others: readonly HookEvent[]
  /** Questions about calls of which the record does not hold the whole command. */
  readonly unusable: number
  /** Questions of agents that the record has only counted. Default: none. */
  readonly countedOnly?: number
}

/** Collects the calls of a record. */
export function callsIn(rows: Iterable<StoredDecision>): RecordedCalls {
  const questions = new Map<string, Question>()
  const others = new Map<string, HookEvent>()
  let unusable = 0
  for (const { record } of rows) {
    const asker = askerOf(record)
    const event = eventOf(record)
    if (event === undefined) {
      if (asker !== undefined) unusable += 1
      continue
    }
    const key = JSON.stringify([asker, event.agent, event.workspaceRoots, event.tool?.name, record.subject])
    if (asker !== undefined) {
      const { times = 0, refusals = [] } = questions.get(key) ?? {}
      const ids = record.refusal === undefined ? refusals : [...refusals, record.refusal]
      questions.set(key, { event, times: times + 1, asker, refusals: ids })
    } else if (record.decision === 'abstain' && others.size < limits.suggestCallsMax) {
      others.set(key, event)
    }
  }
  const asked = new Set([...questions.keys()].map(withoutAsker))
  return {
    questions: [...questions.values()],
    others: [...others].filter(([key]) => !asked.has(withoutAsker(key))).map(([, event]) => event),
    unusable,
  }
}

const withoutAsker = (key: string) => key.slice(key.indexOf(','))

function askerOf({ event, decision, told }: DecisionRecord): Question['asker'] | undefined {
  // An agent that cannot ask refuses: nobody was asked.
  if (decision === 'ask') return told === 'deny' ? undefined : 'hookgate'
  return event === 'PermissionRequest' && decision === 'abstain' ? 'agent' : undefined
}

/** Makes the event of a recorded call again; `undefined` if the record does not hold all of its subject. */
function eventOf(record: DecisionRecord): HookEvent | undefined {
  const { agent, session, project, cwd, event: name, tool: kind, toolName, subject, subjectAltered } = record
  if (agent === undefined || name === undefined || kind === undefined || toolName === undefined) return undefined
  if (subjectAltered || project === undefined || (subject === undefined && kind !== 'mcp')) return undefined
  return {
    name,
    agent,
    session: { id: session ?? '', cwd: cwd ?? project },
    workspaceRoots: [project],
    atMs: Date.parse(record.at),
    tool: { kind, name: toolName, input: {}, ...subjectField(kind, subject) },
    raw: {},
  }
}

function subjectField(kind: DecisionRecord['tool'], subject: string | undefined) {
  if (subject === undefined) return {}
  if (kind === 'shell') return { command: subject }
  return kind === 'fetch' ? { url: subject } : { path: subject, paths: [subject] }
}
