import type { KeyValueStore } from '../../files/key-value-store.ts'
import type { Refusals } from '../../files/state/refusals.ts'
import type { Evaluation } from '../../model/evaluation.ts'
import type { EventName, HookEvent } from '../../model/event.ts'
import { isCommandRule, type Plan, type Rule } from '../../model/rule.ts'
import type { Verdict } from '../../model/verdict.ts'
import { randomInt } from 'node:crypto'
import { restricts } from '../../model/effect.ts'
import { limits } from '../../model/limits.ts'
import type { KeptRefusal, RefusingRule } from '../../model/refusal.ts'
import { printable, visible } from '../../model/text.ts'
import { maskSecrets } from '../../mask/mask.ts'
import { maskedInput } from '../../mask/masked-input.ts'
import { aboutCall } from '../../words/call-words.ts'

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

/** Remembers which hooks decide, as opposed to those that only watch. */
export interface DecidedHooks {
  /**
   * Returns the evaluations, with another failure for a hook that has decided before and now printed too much: agents
   * read all of it, so a decision may stand in the part that hookgate did not read.
   */
  settle(plan: Plan, evaluations: readonly Evaluation[]): readonly Evaluation[]
}

/**
 * @param decided holds the hooks that this gate has seen decide
 * @param refusals name the hooks that refused in other processes, or before their rules file changed
 */
export function decidedHooks(decided: KeyValueStore, refusals: Pick<Refusals, 'all'> | undefined): DecidedHooks {
  function hasDecided(rule: Rule): boolean {
    if (decided.get(hookKey(rule)) !== undefined) return true
    const kept = refusals?.all().flatMap(({ rules }) => rules) ?? []
    return kept.some(({ id, file }) => id === rule.id && file === rule.source.file)
  }

  function settleOne(plan: Plan, evaluation: Evaluation): Evaluation {
    const isDecision = evaluation.kind === 'applicable' && evaluation.effect !== undefined
    if (!isDecision && !isTooLarge(evaluation)) return evaluation
    const rule = plan.rules.find(({ id }) => id === evaluation.ruleId)
    if (rule === undefined || !isCommandRule(rule)) return evaluation
    if (isDecision) decided.set(hookKey(rule), 'decided')
    return isTooLarge(evaluation) && hasDecided(rule) ? lost(evaluation) : evaluation
  }

  return { settle: (plan, evaluations) => evaluations.map((evaluation) => settleOne(plan, evaluation)) }
}

const hookKey = ({ id, source }: Rule) => `${source.file}\0${id}`

type Failed = Extract<Evaluation, { kind: 'indeterminate' }>

const isTooLarge = (evaluation: Evaluation): evaluation is Failed =>
  evaluation.kind === 'indeterminate' && evaluation.failure.code === 'outputTooLarge'

function lost(evaluation: Failed): Evaluation {
  const message = `${evaluation.failure.message}; it has decided before, so a decision may be lost: have it print less`
  return { ...evaluation, failure: { code: 'decisionLost', message } }
}

/** Returns whether a verdict refuses a call that has not happened yet, or asks about it, so that a person can allow it. */
export const isOfRefusedCall = ({ name, tool }: HookEvent, { decision }: Verdict) =>
  tool !== undefined && (name === 'PreToolUse' || name === 'PermissionRequest') && restricts(decision)

/**
 * Makes a refusal to be kept.
 *
 * @param call the digest that a grant for this call will have
 * @param subject the command, path or URL, masked, without which the call is named by an argument; by default no mask reaches over a word
 */
export function refusalOf(
  event: HookEvent,
  decision: KeptRefusal['decision'],
  rules: readonly RefusingRule[],
  call: string,
  subject = maskSecrets(subjectOf(event), 'word'),
): KeptRefusal {
  const { tool, session, workspaceRoots } = event
  return {
    version: 1,
    id: newId(),
    atMs: Date.now(),
    agent: event.agent,
    session: session.id,
    event: event.name,
    toolName: shownText(tool?.name ?? ''),
    subject: cutText(visible(shownSubject(event, subject))),
    project: workspaceRoots[0] ?? session.cwd,
    decision,
    rules: rules.map(shownRule),
    call,
  }
}

/** Returns what a person is shown of a call: the subject, or the argument that says most. */
function shownSubject({ tool }: HookEvent, subject: string): string {
  if (tool === undefined || tool.command !== undefined) return subject
  const { input } = maskedInput(tool.input, limits.refusalTextCharactersMax)
  return aboutCall({ tool: tool.kind, toolName: tool.name, subject, input })
}

/** Returns the command, path or URL of a call. */
export const subjectOf = ({ tool }: HookEvent): string => tool?.command ?? tool?.path ?? tool?.url ?? ''

const shownRule = (rule: RefusingRule): RefusingRule => ({
  ...rule,
  reason: shownText(rule.reason),
  ...(rule.obstacle !== undefined && { obstacle: shownText(rule.obstacle) }),
})

/** Masks secrets before cutting: half a secret would not be recognised as one. */
const shownText = (text: string): string => cutText(printable(maskSecrets(text)))

/** Cuts a text, and says how much of it is left out: nobody should allow what they do not see, unaware of that. */
export function cutText(text: string): string {
  const more = text.length - limits.refusalTextCharactersMax
  return more <= 0 ? text : `${text.slice(0, -more).toWellFormed()}… (${more} more characters)`
}

/** Characters of an id, which a person types. There are 800 million such ids, of which 200 are in use. */
const refusalIdCharacters = 6

/** Without `i`, `l`, `o`, `0` and `1`, which look alike. */
const letters = 'abcdefghjkmnpqrstuvwxyz23456789'

const newId = () => Array.from({ length: refusalIdCharacters }, () => letters[randomInt(letters.length)]).join('')
