import { type JudgedChange, linesOf, type LostGuard } from './edited-file.ts'

/** Returns how a change has code or settings that stay ask, check or compare less. */
export function loosened(change: JudgedChange): LostGuard | undefined {
  if (change.isTest || change.isOwn) return undefined
  return unaskedDefault(change) ?? looserList(change) ?? uncheckedFetch(change)
}

const either = /\b(?:true|false)\b/gi
/** Options by which a program does not ask, and those by which it does, or only shows what it would do. */
const unasked =
  /(?<![a-z])(?:(?:assume[-_]?)?yes|force|auto[-_]?approve|no[-_]?(?:confirm|verify|prompt|backup)\w*|skip[-_]?\w*|non[-_]?interactive|unsafe|insecure)(?![a-z])/i
const asked =
  /(?<![a-z])(?:dry[-_]?run|simulate|confirm\w*|interactive|prompt|ask|verify|backup|safe[-_]?mode|read[-_]?only)(?![a-z])/i
/** Lines that give an option of a program, or a variable of its environment, its default. */
const defaults = /default|["'`-]{1,3}[a-z][\w-]*["'`/]|:-(?:true|false)/i

/** A line without its sentences: what is told about an option is not its name. */
const withoutSentences = (line: string) =>
  line.replaceAll(/"[^"\n]*"|'[^'\n]*'|`[^`\n]*`/g, (text) => (text.includes(' ') ? '' : text))

/** Returns the line by which a program would do without a question what it asked about before. */
function unaskedDefault({ removed, added }: JudgedChange): LostGuard | undefined {
  const before = new Map(linesOf(removed).map((line) => [line.replaceAll(either, '?'), line]))
  const found = linesOf(added).find((line) => {
    const was = before.get(line.replaceAll(either, '?'))
    if (was === undefined || was === line || !defaults.test(line)) return false
    const named = withoutSentences(line)
    const old = was.match(either)
    const isOn = /true/i.test(line.match(either)?.find((word, at) => word !== old?.[at]) ?? '')
    return isOn ? unasked.test(named) && !asked.test(named) : asked.test(named)
  })
  return found === undefined
    ? undefined
    : { kind: 'weaken', object: 'default', name: found.trim(), would: 'no longer ask first' }
}

/** Names of lists of those who are let past a check, and of those who may. */
const lettingPast =
  /except|exempt|unless|unprotected|unauthenticated|public|anonymous|skip|bypass|ignor|allow|permit|white_?list|trusted|origins?|roles?|scopes?|hosts?/i
/** Files in which any list is one of these. */
const decidingFiles = /auth|permission|acl|guard|secur|polic|csrf|cors|firewall|access|middleware/i
/** Names of lists whose entries check or keep something. */
const keeping =
  /permission|guard|middleware|polic(?:y|ies)|authenticat|authoriz|valid(?:at|ity)|interceptor|throttl|scopes?$|checks?$|rules?$|requir|^needs$|dependencies|saniti[sz]|moderat|approv|reviewers?|owners?|restrict|protect|secur|den(?:y|ied)|block(?:ed|list)|forbid|sensitive|redact|mask|audit|decorators|before_?(?:action|send|each)?$/i

/** A list, or one entry, under a name: `except = ['a']`, `'middleware' => ['auth']`, `path: ["/a"]`, `validators = listOf(a)`. */
const list =
  /([A-Za-z_@$][\w$-]{1,60})["']?\s*(?::\s*[\w<>,.?[\] ]{1,40}(?==))?\s*(?:=>?|:)\s*(?:\w{1,20}(?:\.\w{1,20})?(?:<[\w<>]{0,40}>)?(?=\())?\s*[[({]([^\][(){}]{0,400}(?:\([^()]{0,100}\)[^\][(){}]{0,200}){0,12})[\])}]/g
/** A whole text that stands for everything: `*`, `/**`, `^.*$`. */
const everything =
  /(?<![\w)])r?["'`](?:\^?\/?\*{1,2}\/?\*?|\^?\/?\.\*\$?|%)["'`]|^[ \t]*-[ \t]*["']?\/?\*{1,2}["']?[ \t]*$/m

interface List {
  readonly name: string
  readonly entries: string
}
const listsIn = (text: string): readonly List[] =>
  [...text.matchAll(list)].map(([, name = '', entries = '']) => ({ name, entries: entries.trim() }))

/** Returns how a change empties a list of checks, or has a list of exemptions let everything past. */
function looserList({ path, removed, added }: JudgedChange): LostGuard | undefined {
  if (removed === '' || added === '') return undefined
  if (everything.test(added) && !everything.test(removed)) {
    const past: LostGuard = { kind: 'weaken', object: 'list', would: 'let everything past' }
    if (decidingFiles.test(path) && /["'`]|^[ \t]*-\s/m.test(removed)) return past
    const wide = listsIn(added).find(({ name, entries }) => lettingPast.test(name) && everything.test(entries))
    if (wide !== undefined && removed.includes(wide.name)) return { ...past, name: wide.name }
    if (/\bunless\b[^;\n]{0,80}$/m.test(removed.split(/["'`]/, 1)[0] ?? '')) return past
  }
  const full = new Set(listsIn(removed).flatMap(({ name, entries }) => (entries === '' ? [] : [name])))
  const emptied = listsIn(added).find(({ name, entries }) => entries === '' && full.has(name) && keeping.test(name))
  return emptied && { kind: 'weaken', object: 'list', name: emptied.name, would: 'have an empty list' }
}

/** A digest that says what is fetched: in hex, or as `sha256-…=`. */
const digest =
  /\b(?:sha-?(?:1|256|384|512)|md5|checksum|integrity|hash|digest|url_hash)\w*["']?\s*(?:[:=]|=>|\s)\s*(?:\w+=)?["']?(?:sha\d{3}-)?[\w+/]{32,128}={0,2}/i
/** Words of code that fetches something, and addresses. */
const fetching = /https?:\/\/|\b(?:urls?|fetch\w*|http_archive|src|source|download\w*|archive)\b/i

/** Addresses that are names rather than places, and those of one's own machine and net. */
const ownAddress =
  /^(?:localhost|127\.|0\.0\.0\.0|\[::1|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|host\.docker\.internal|[^./]+(?:[:/]|$)|[\w.-]+\.(?:local|internal|localhost|svc|test|lan)(?:[:/]|$)|(?:www\.)?w3\.org|(?:www\.)?xmlns|schemas?\.|[\w.-]+\/schemas?\/|purl\.org|json-schema\.org)/i
const address = /\bhttps:\/\/([\w.-]{3,200})/g

/** Returns how a change has something fetched that nobody compares, or by a way on which anybody can change it. */
function uncheckedFetch({ removed, added }: JudgedChange): LostGuard | undefined {
  if (removed === '') return undefined
  const isAlone = !linesOf(removed).some((line) => fetching.test(line) && !digest.test(line))
  if (digest.test(removed) && !digest.test(added) && (isAlone || linesOf(added).some((line) => fetching.test(line))))
    return { kind: 'weaken', object: 'check', would: 'fetch something without comparing its checksum' }
  const host = [...removed.matchAll(address)]
    .map(([, name = '']) => name)
    .find((name) => !ownAddress.test(name) && added.includes(`http://${name}`) && !removed.includes(`http://${name}`))
  return host === undefined ? undefined : { kind: 'weaken', object: 'guard', would: `reach ${host} without encryption` }
}
