// INVARIANT: imports nothing, types included: this code must still answer when everything else fails to load.

/** The output of a hook when the gate itself cannot answer. */
export interface LastResortAnswer {
  readonly stdout: string
  readonly stderr: string
  readonly exitCode: number
}

/** Whether each event, by the agent's own name, is refused or only reported. */
export type LastResorts = Readonly<Record<string, 'refuse' | 'report'>>

interface OwnWays {
  /** Returns the output for an event that cannot be refused. */
  readonly report?: (reason: string) => object
  /** The exit code of a refusal: 0 for an agent that ignores the output of a hook that exits otherwise. */
  readonly refusalCode?: 0 | 2
}

/**
 * Makes an agent's last resort: a function that answers an event without the gate.
 *
 * Events missing from the table are refused, since a newer version of the agent may ask about them before it acts. The
 * function takes the event's name as received, `undefined` for none, and whether the agent is still working only
 * because a hook refused its stop before.
 *
 * @param refusal returns the object that refuses in the agent's protocol
 */
export function lastResortBy(
  table: LastResorts,
  refusal: (eventName: string, reason: string) => object,
  { report = (systemMessage) => ({ systemMessage }), refusalCode = 2 }: OwnWays = {},
): (eventName: string | undefined, message: string, stopHookActive?: boolean) => LastResortAnswer {
  return (eventName = '', message, stopHookActive = false) => {
    const line = oneLine(message)
    const how = Object.hasOwn(table, eventName) ? table[eventName] : 'refuse'
    if (how === 'report' || (stopHookActive && endsTurn.has(eventName))) {
      return { stdout: `${JSON.stringify(report(line))}\n`, stderr: `${line}\n`, exitCode: 1 }
    }
    return { stdout: `${JSON.stringify(refusal(eventName, line))}\n`, stderr: `${line}\n`, exitCode: refusalCode }
  }
}

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

/** Sanitises a message: an error may quote a hook's bytes, which must not control a terminal or break the line. */
function oneLine(message: string): string {
  const line = message.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()
  return line === '' ? 'hookgate cannot answer' : line
}
