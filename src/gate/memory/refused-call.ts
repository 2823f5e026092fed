import { randomInt } from 'node:crypto'
import { restricts } from '../../model/effect.ts'
import type { HookEvent } from '../../model/event.ts'
import { limits } from '../../model/limits.ts'
import type { KeptRefusal, RefusingRule } from '../../model/refusal.ts'
import { printable, visible } from '../../model/text.ts'
import type { Verdict } from '../../model/verdict.ts'
import { maskSecrets } from '../../mask/mask.ts'

/** Returns whether a verdict refuses a call that has not happened yet, or asks about it, so that a person can allow it. */
export const isOfRefusedCall = ({ name, tool }: HookEvent, { decision }: Verdict) =>
  tool !== undefined && (name === 'PreToolUse' || name === 'PermissionRequest') && restricts(decision)

/**
 * Makes a refusal to be kept.
 *
 * @param call the digest that a grant for this call will have
 * @param subject the command, path or URL, masked; by default no mask reaches over a word
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
    subject: cutText(visible(subject)),
    project: workspaceRoots[0] ?? session.cwd,
    decision,
    rules: rules.map(shownRule),
    call,
  }
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
