// INVARIANT: nothing is imported here, types included: this is what still answers when everything else fails to load.

/** What is printed when the gate itself cannot answer. */
export interface Said {
  readonly stdout: string
  readonly stderr: string
  readonly exitCode: number
}

/** What an agent is told at each event by its own name for it. */
export type LastResorts = Readonly<Record<string, 'refuse' | 'report'>>

interface OwnWays {
  /** What is printed where nothing can be refused. */
  readonly report?: (reason: string) => object
  /** With what code a refusal leaves: 0 where the agent reads nothing of a hook that leaves with another. */
  readonly refusalCode?: 0 | 2
}

/**
 * An agent's last resort: what is not in its table is refused, since it may be an event that a newer version asks about
 * before it acts. The function it makes takes the event's name as it came, `undefined` for none, and whether the agent is
 * still at work only because a hook refused its stop before.
 *
 * @param refusal the object that refuses in the agent's words
 */
export function lastResortBy(
  table: LastResorts,
  refusal: (eventName: string, reason: string) => object,
  { report = (systemMessage) => ({ systemMessage }), refusalCode = 2 }: OwnWays = {},
): (eventName: string | undefined, message: string, stopHookActive?: boolean) => Said {
  return (eventName = '', message, stopHookActive = false) => {
    const line = oneLine(message)
    const how = Object.hasOwn(table, eventName) ? table[eventName] : 'refuse'
    if (how === 'report' || (stopHookActive && endsTurn.has(eventName))) {
      return { stdout: `${JSON.stringify(report(line))}\n`, stderr: `${line}\n`, exitCode: 1 }
    }
    return { stdout: `${JSON.stringify(refusal(eventName, line))}\n`, stderr: `${line}\n`, exitCode: refusalCode }
  }
}

/** A refusal in the words of Claude Code, which several agents have from it. */
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

/** Refused again, the agent would run on for ever. */
const endsTurn: ReadonlySet<string> = new Set([
  'Stop',
  'SubagentStop',
  'AfterAgent',
  'agentStop',
  'subagentStop',
  'stop',
])

/** Whatever went wrong may carry a hook's bytes: none of them may act on a terminal or end the line. */
function oneLine(message: string): string {
  const line = message.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()
  return line === '' ? 'hookgate cannot answer' : line
}
