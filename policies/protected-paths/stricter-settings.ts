import type { TextChange } from 'hookgate/policy'

/** An agent's settings of a project, in which lists say what it may not do, or has to ask about. */
const file = /(?:^|\/)\.claude\/settings(?:\.local)?\.json$/
/** Settings of other files that permit less with one value, and that value. */
const stricter =
  /^\s*(?:"security\.workspace\.trust\.(?:enabled|emptyWindow)"\s*:\s*true|"chat\.tools\.(?:global\.)?autoApprove"\s*:\s*false|"task\.allowAutomaticTasks"\s*:\s*"off")\s*,?\s*$/
const editor = /(?:^|\/)\.vscode\/settings\.json$/i

/** Matches a list of rules that deny or ask, with its entries as the second group. */
const lists = () => /("(?:deny|ask)"\s*:\s*\[)((?:\s*"(?:[^"\\]|\\.)*"\s*,?)*)(\s*\])?/g

/** Returns the rules that a text denies or asks about, and what else is in it but brackets. */
function rulesIn(text: string): { readonly rules: readonly string[]; readonly rest: string } {
  const rules: string[] = []
  const rest = text.replaceAll(lists(), (_, key: string, entries: string) => {
    rules.push(...[...entries.matchAll(/"(?:[^"\\]|\\.)*"/g)].map(([entry]) => `${key.slice(1, 4)} ${entry}`))
    return ''
  })
  return { rules, rest: rest.replaceAll(/"permissions"\s*:|[\s{}\],]/g, '') }
}

/** True for a change of settings after which an agent may do less than before, and nothing else is other. */
export function isStricter(way: string, { removed, added }: TextChange): boolean {
  if (added === '') return false
  if (editor.test(way)) return added.split('\n').every((line) => line.trim() === '' || stricter.test(line))
  if (!file.test(way)) return false
  const [before, after] = [rulesIn(removed), rulesIn(added)]
  return (
    before.rest === after.rest &&
    after.rules.length > before.rules.length &&
    before.rules.every((rule) => after.rules.includes(rule))
  )
}
