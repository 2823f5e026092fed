import type { KeyValueStore } from '../../files/key-value-store.ts'
import type { EventName, HookEvent } from '../../model/event.ts'
import type { Verdict } from '../../model/verdict.ts'

/** Counts for each session how often in a row the end of a turn was refused. */
export interface StopRefusals {
  /**
   * Returns the verdict on the end of a turn. After too many refusals in a row it lets the agent stop, with a notice: Codex,
   * Gemini CLI and droid would run on for ever. A person's next prompt begins a new count.
   */
  readonly settle: (event: HookEvent, verdict: Verdict) => Verdict
}

/** @param counts shared by successive and concurrent gates */
export function stopRefusals(counts: KeyValueStore): StopRefusals {
  const countOf = (key: string) => {
    const count = Number(counts.get(key))
    return Number.isSafeInteger(count) && count > 0 ? count : 0
  }
  return {
    settle(event, verdict) {
      if (event.name === 'UserPromptSubmit') {
        // Qwen Code sends an empty one after every batch of tools.
        if (event.prompt !== '') for (const name of endsTurn) counts.set(stopKey({ ...event, name }), undefined)
        return verdict
      }
      if (!endsTurn.has(event.name)) return verdict
      const key = stopKey(event)
      const before = countOf(key)
      if (verdict.decision !== 'deny') {
        if (before > 0) counts.set(key, undefined)
        return verdict
      }
      if (before < stopRefusalsMax) {
        const isKept = counts.set(key, String(before + 1))
        // A count that cannot be kept would never reach the limit; then the flag in the event decides.
        return isKept || before > 0 || !isRefusedBefore(event) ? verdict : letGo(verdict, 'again and again')
      }
      counts.set(key, undefined)
      return letGo(verdict, `${stopRefusalsMax} times in a row`)
    },
  }
}
/** Consecutive refusals of the end of a turn: as many as agents allow that count them themselves. */
export const stopRefusalsMax = 8

const endsTurn: ReadonlySet<EventName> = new Set<EventName>(['Stop', 'SubagentStop'])

/** A sub-agent's end does not always name its session. */
const stopKey = ({ agent, session, name }: HookEvent) =>
  JSON.stringify([agent, session.id, session.agentId ?? '', name])

/** Reads the event's own field: Claude Code's `stop_hook_active`, which others have adopted, Grok's, or Cursor's count. */
const isRefusedBefore = ({ raw }: HookEvent) =>
  raw['stop_hook_active'] === true || raw['stopHookActive'] === true || Number(raw['loop_count']) > 0

function letGo(verdict: Verdict, often: string): Verdict {
  const why = `the end of the turn was refused ${often}, and will not be refused again: ${verdict.reason}`
  return Object.freeze({
    ...verdict,
    decision: 'abstain',
    cancel: false,
    reason: '',
    determining: [],
    notices: [...verdict.notices, why],
  })
}
