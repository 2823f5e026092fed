// INVARIANT: imports nothing, types included: this code must still answer when everything else fails to load.

/** The output of a hook when the gate itself cannot answer. */
export interface LastResortAnswer {
  readonly stdout: string
  readonly stderr: string
  readonly exitCode: number
}

export type EventFieldsReceived = Readonly<Record<string, unknown>>

/** One agent's protocol for the last resort. */
export interface LastResort {
  /** The field of an event that holds its name. */
  readonly nameKey: string
  /**
   * How long an answer may take, in ms, for an agent that ends its hooks after a fixed time and then proceeds.
   *
   * `undefined` for an agent whose hooks have a configured timeout.
   */
  readonly answerMs: number | undefined
  /** Answers an event without the gate. `event` has the fields received, none if they are not valid JSON. */
  readonly respond: (event: EventFieldsReceived, message: string) => LastResortAnswer
}

interface LastResortRules {
  /** The field of an event that holds its name; default: `hook_event_name`. */
  readonly nameKey?: string
  /** Returns an event's name if it is not simply in that field. */
  readonly nameOf?: (event: EventFieldsReceived) => unknown
  /**
   * The events that cannot be refused, by the agent's own names.
   *
   * All others are refused, unknown ones too: a newer version of the agent may ask about them before it acts.
   */
  readonly reported: readonly string[]
  /** Returns the object that refuses in the agent's protocol. */
  readonly refusal: (eventName: string, reason: string) => object
  /** Returns the output for an event that cannot be refused. */
  readonly report?: (reason: string) => object
  /** The exit code of a refusal: 0 for an agent that ignores the output of a hook that exits otherwise. */
  readonly refusalCode?: 0 | 2
  readonly answerMs?: number
}

/** Makes an agent's last resort. */
export function lastResortBy(rules: LastResortRules): LastResort {
  const { nameKey = 'hook_event_name', nameOf = (event) => event[nameKey], reported, refusal, refusalCode = 2 } = rules
  const { report = (systemMessage) => ({ systemMessage }), answerMs } = rules
  return {
    nameKey,
    answerMs,
    respond(event, message) {
      const line = oneLine(message)
      const named = nameOf(event)
      const name = typeof named === 'string' ? named : ''
      const isReported = reported.includes(name) || (endsTurn.has(name) && wasRefusedBefore(event))
      const [object, exitCode] = isReported ? [report(line), 1] : [refusal(name, line), refusalCode]
      return { stdout: `${JSON.stringify(object)}\n`, stderr: `${line}\n`, exitCode }
    },
  }
}

/** The last resort for hookgate's plugin, which OpenCode and agents derived from it load. */
export const pluginLastResort: LastResort = lastResortBy({
  nameKey: 'event',
  reported: [
    'tool.execute.after',
    'session.created',
    'session.deleted',
    'session.idle',
    'experimental.session.compacting',
  ],
  refusal: (_name, reason) => ({ status: 'deny', reason }),
})

/** Returns a refusal in Claude Code's protocol, which several agents have adopted. */
export function claudeRefusal(hookEventName: string, reason: string): object {
  switch (hookEventName) {
    case 'PreToolUse':
      return { hookSpecificOutput: { hookEventName, permissionDecision: 'deny', permissionDecisionReason: reason } }
    case 'PermissionRequest':
      return { hookSpecificOutput: { hookEventName, decision: { behavior: 'deny', message: reason } } }
    default:
      return { decision: 'block', reason }
  }
}

/** Events that must not be refused twice, or the agent would never end its turn. */
const endsTurn: ReadonlySet<string> = new Set([
  'Stop',
  'SubagentStop',
  'AfterAgent',
  'agentStop',
  'subagentStop',
  'stop',
])

/** Returns whether the agent is still working only because a hook refused its stop before. */
const wasRefusedBefore = (event: EventFieldsReceived) =>
  event['stop_hook_active'] === true || event['stopHookActive'] === true || Number(event['loop_count']) > 0

/** Sanitises a message: an error may quote a hook's bytes, which must not control a terminal or break the line. */
function oneLine(message: string): string {
  const line = message.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()
  return line === '' ? 'hookgate cannot answer' : line
}
