import { everywhere, type JudgedChange } from './edited-files.ts'

/** Names of lists of those who are let past a check, and of those who may. */
const lettingPast =
  /except|exempt|unless|unprotected|unauthenticated|public|anonymous|skip|bypass|ignor|allow|permit|white_?list|trusted|origins?|roles?|scopes?|hosts?/i
/** Files in which any list is one of these. */
const deciding = /auth|permission|acl|guard|secur|polic|csrf|cors|firewall|access|middleware/i
/** Names of lists whose entries check or keep something. */
const keeping =
  /permission|guard|middleware|polic(?:y|ies)|authenticat|authoriz|valid(?:at|ity)|interceptor|throttl|scopes?$|checks?$|rules?$|requir|^needs$|dependencies|saniti[sz]|moderat|approv|reviewers?|owners?|restrict|protect|secur|den(?:y|ied)|block(?:ed|list)|forbid|sensitive|redact|mask|audit|decorators|before_?(?:action|send|each)?$/i

/** A list, or one entry, under a name: `except = ['a']`, `'middleware' => ['auth']`, `path: ["/a"]`, `validators = listOf(a)`. */
const list =
  /([A-Za-z_@$][\w$-]{1,60})["']?\s*(?::\s*[\w<>,.?[\] ]{1,40}(?==))?\s*(?:=>?|:)\s*(?:\w{1,20}(?:\.\w{1,20})?(?:<[\w<>]{0,40}>)?(?=\())?\s*[[({]([^\][(){}]{0,400}(?:\([^()]{0,100}\)[^\][(){}]{0,200}){0,12})[\])}]/
/** A whole text that stands for everything: `*`, `/**`, `^.*$`. */
const everything = /(?<![\w)])r?["'`](?:\^?\/?\*{1,2}\/?\*?|\^?\/?\.\*\$?|%)["'`]|^\s*-\s*["']?\/?\*{1,2}["']?\s*$/m

interface List {
  readonly name: string
  readonly entries: string
}
const listsIn = (text: string): readonly List[] =>
  [...text.matchAll(everywhere(list))].map(([, name = '', entries = '']) => ({ name, entries: entries.trim() }))

/** Returns how a change empties a list of checks, or has a list of exemptions let everything past. */
export function looserList({ path, removed, added }: JudgedChange): string | undefined {
  if (removed === '' || added === '') return undefined
  if (everything.test(added) && !everything.test(removed)) {
    if (deciding.test(path) && /["'`]|^\s*-\s/m.test(removed)) return 'would let everything past'
    const wide = listsIn(added).find(({ name, entries }) => lettingPast.test(name) && everything.test(entries))
    if (wide !== undefined && removed.includes(wide.name)) return `would have \`${wide.name}\` let everything past`
    if (/\bunless\b[^;\n]{0,80}$/m.test(removed.split(/["'`]/, 1)[0] ?? '')) return 'would let everything past'
  }
  const full = new Set(listsIn(removed).flatMap(({ name, entries }) => (entries === '' ? [] : [name])))
  const emptied = listsIn(added).find(({ name, entries }) => entries === '' && full.has(name) && keeping.test(name))
  return emptied === undefined ? undefined : `would empty \`${emptied.name}\``
}
