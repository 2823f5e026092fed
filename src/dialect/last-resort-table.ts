// INVARIANT: nothing is imported here, types included: this is what still answers when everything else fails to load.

/** What is printed when the gate itself cannot answer. */
export interface Said {
  readonly stdout: string
  readonly stderr: string
  readonly exitCode: number
}

/** What an agent is told at each event by its own name for it. */
export type LastResorts = Readonly<Record<string, 'refuse' | 'report'>>

/**
 * An agent's last resort: what is not in its table is refused.
 *
 * @param refusal the object that refuses in the agent's words. Default: none, where stdout has to stay empty
 */
export function lastResortBy(
  table: LastResorts,
  refusal: (eventName: string, reason: string) => object,
  report: (reason: string) => object = (systemMessage) => ({ systemMessage }),
): (eventName: string | undefined, message: string, stopHookActive?: boolean) => Said {
  return (eventName = '', message, stopHookActive = false) => {
    const line = oneLine(message)
    const how = Object.hasOwn(table, eventName) ? table[eventName] : 'refuse'
    if (how === 'report' || (stopHookActive && endsTurn.has(eventName))) {
      return { stdout: `${JSON.stringify(report(line))}\n`, stderr: `${line}\n`, exitCode: 1 }
    }
    return { stdout: `${JSON.stringify(refusal(eventName, line))}\n`, stderr: `${line}\n`, exitCode: 2 }
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
