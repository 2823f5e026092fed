import { lineOf, wordsBeside } from '../../../words/options.ts'
import type { Impact } from '../../../model/impact.ts'
import type { ShellCommand, ShellFacts } from '../../../model/shell.ts'
import type { TextChange } from '../../../model/tool-facts.ts'
import { isStreamEditor } from '../../text-changes.ts'
import { findLostCheck, findLostTest, lostGuard, silence } from './lost-guards.ts'
import {
  answersAlways,
  findIgnoredResult,
  findLoggedSecret,
  findMasterKey,
  findReversedCondition,
  lostRefusal,
} from './refusals.ts'
import {
  brief,
  isProseOrTest,
  type JudgedChange,
  linesOf,
  type LostGuard,
  pathIn,
  toJudgedChange,
} from './edited-file.ts'
import { opened } from './settings.ts'
import { findLossByTables, findSilencedCheck } from './trades.ts'
import { leavesPersonOut } from '../../../words/names.ts'

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

/** By file, a pattern of dependencies that come from a repository or an address instead of their language's registry. */
const elsewhere: readonly (readonly [file: RegExp, look: RegExp])[] = [
  [/(?:^|\/)Cargo\.toml$/, /^[ \t]*["']?([\w-]{1,99})["']?\s*=\s*\{[^}\n]{0,300}\bgit\s*=/gm],
  [
    /(?:^|\/)package\.json$/,
    /"(?!repository"|url"|homepage"|bugs"|type")(@?[\w./-]+)"\s*:\s*"(?:git\+\w+:|git:|github:|gitlab:|bitbucket:|https?:\/\/[^"]+\.(?:tgz|tar\.gz|git)\b)/g,
  ],
  [/(?:^|\/)go\.mod$/, /^[ \t]*(?:replace[ \t]+)?(\S{1,200})(?:[ \t]+v\S{1,200})?[ \t]*=>[ \t]*(?!\.)\S{1,200}\//gm],
  [
    /(?:^|\/)(?:requirements[\w.-]*\.txt|pyproject\.toml|setup\.(?:py|cfg)|Pipfile)$/,
    /(?<![\w-])([\w-]{1,99})["']?\s{0,9}(?:@\s{0,9}(?:git\+)?https?:|=\s{0,9}\{[^}\n]{0,300}\bgit\s*=)|(git\+https?:\S+)/g,
  ],
  [/(?:^|\/)Gemfile$/, /\bgem\s+["']([\w-]+)["'][^\n]*\b(?:git|github):?\s*(?:=>|["'])/g],
  [/(?:^|\/)composer\.json$/, /"type"\s*:\s*"(vcs)"/g],
]

/** Returns a loss if a change takes a dependency from a repository or an address instead of a registry. */
export function findMovedSource({ path, removed, added, isTest }: JudgedChange): LostGuard | undefined {
  if (isTest) return undefined
  for (const [file, look] of elsewhere) {
    if (!file.test(path)) continue
    const before = new Set([...removed.matchAll(look)].map(([, name]) => name))
    const found = [...added.matchAll(look)].find(([, name]) => !before.has(name))
    if (found !== undefined)
      return {
        kind: 'weaken',
        object: 'source',
        name: found[1] ?? found[2] ?? 'a dependency',
        would: 'take it from elsewhere than its registry',
      }
  }
  return undefined
}

/** Finds the loss by one change. @param come the added texts of all changes: a guard may move to another file */
type LossReader = (change: JudgedChange, come: string) => LostGuard | undefined

const readers: readonly LossReader[] = [
  findLostCheck,
  answersAlways,
  findLostTest,
  findLossByTables,
  opened,
  findMovedSource,
  findReversedCondition,
  loosened,
  findMasterKey,
  findLoggedSecret,
  findIgnoredResult,
  lostRefusal,
  lostGuard,
]

/** Finds checks, guards and settings that edits of files remove or weaken. Yields after each change. */
export function* editPieces(
  changes: readonly TextChange[],
  roots: readonly string[],
  { commands }: ShellFacts,
): Generator<undefined, readonly Impact[]> {
  const all = changes.map((change) => ({ change, path: pathIn(roots, change) }))
  const read = all.flatMap(({ change, path }) => toJudgedChange(change, path) ?? [])
  const come = read.map(({ added }) => added).join('\n')
  const found: Impact[] = []
  const add = (loss: LostGuard | undefined, { path, at }: Pick<TextChange, 'path' | 'at'>) => {
    if (loss !== undefined) found.push(impactOf(loss, path, at, at === undefined ? undefined : commands[at]))
  }
  for (const { change, path } of all) add(hiddenBy(change, path), { ...change, path })
  for (const change of read) {
    add(firstLoss(change, come), change)
    yield
  }
  for (const [at, command] of commands.entries()) {
    if (insertsSilence(command) && !found.some(({ by }) => by === at)) add(silencing, { path: '', at })
  }
  return found
}

function firstLoss(change: JudgedChange, come: string): LostGuard | undefined {
  for (const read of readers) {
    const loss = read(change, come)
    if (loss !== undefined) return loss
  }
  return undefined
}

/** Returns a loss by a change of documentation or comments: agents act without the person, or a check is silenced. */
function hiddenBy({ removed, added }: TextChange, path: string): LostGuard | undefined {
  if (tellsToGoOn(path, removed, added))
    return { kind: 'weaken', object: 'rule', would: 'tell agents to go on without the person' }
  return isProseOrTest(path) ? undefined : findSilencedCheck({ path, removed: brief(removed), added: brief(added) })
}

const insertsSilence = (command: ShellCommand) =>
  isStreamEditor(command) &&
  lineOf(command)?.has('i', 'in-place') === true &&
  command.args.some(({ value }) => silence.test(value))
const silencing: LostGuard = { kind: 'weaken', object: 'check', would: 'silence it wherever it edits' }

/** Length of a command in an impact, in UTF-16 units: enough to recognise it by its first words. */
const commandCharactersMax = 400

function impactOf({ kind, object, name, would }: LostGuard, path: string, at?: number, command?: ShellCommand): Impact {
  const words = wordsBeside(command?.args ?? [])
  return {
    kind,
    thing: 'guard',
    area: 'protection',
    object,
    names: name === undefined ? [] : [name],
    where: 'unknown',
    extent: 'one',
    undo: 'work',
    ...(would !== undefined && { consequence: `as it would ${would}` }),
    instead: 'keep it, or have the person agree',
    through: 'file',
    by: at ?? path,
    words: command === undefined ? 'edit' : `${command.program} …`,
    command: [command?.program ?? path, ...words].join(' ').slice(0, commandCharactersMax),
    targets: path === '' ? {} : { file: [path] },
  }
}

/** Paths of files with instructions for agents. */
const instructing =
  /(?:^|\/)(?:CLAUDE|AGENTS?|GEMINI|QWEN|CRUSH)(?:\.local)?\.md$|(?:^|\/)\.(?:cursor|clinerules|windsurf|kiro|roo)[\w./-]*|copilot-instructions\.md$|\.claude\/(?:commands|agents|skills)\/[^\n]+\.md$/

/** Matches a way past a check that a sentence names. */
const wayPast =
  /--no-verify|--dangerously|skip-permissions|(?:bypass|disabl|ignor|skip|overrid|work(?:ing)? around)\w*\s+(?:\w+\s+){0,4}[\w-]*(?:hooks?|gates?|guards?|warnings?|permissions?)/i
/** Match words that forbid what follows them (`never use --no-verify`), and what precedes them (`--no-verify is banned`). */
const forbidsNext =
  /(?:\bnever|\b(?:do|must|should|may|shall|can) ?not|n['’]t|\bunder no circumstances|\bavoid|\brefrain from|\bstop|(?<!-)\bno(?!-)|\b(?:error|mistake|violation)\W+to)\W+(?:ever\W+|even\W+|(?:have|need)\W+to\W+)?(?:--|(?:accept|tolerate|use|using|run|running|pass|passing|add|adding|commit|committing|push|pushing|bypass|skip|ignore|disable|override|call|set|include|try|attempt|suggest|work\W+around)\w*\b|git\b)/i
const forbidsLast =
  /\b(?:(?:is|are|be|gets?|as|strictly)\W+)(?:\w+\W+)?(?:forbidden|prohibited|banned|disallowed|off[ -]limits|refused|rejected|unacceptable|violation)\b|(?:\bnot|n['’]t)\W+(?:allowed|permitted|acceptable|an option|ok)\b|[:–—]\W*(?:is\W+)?(?:forbidden|prohibited|banned|disallowed|off[ -]limits)\b/i
/** Matches `instead of --no-verify` and the like: the sentence then recommends something else. */
const inPlaceOf = /\b(?:instead of|rather than)\W+(?:(?:using|passing|running)\W+)?--[\w-]+/i
/** Words by which a prohibition means the opposite, or has exceptions. */
const meansOpposite =
  /\b(?:not|never|no longer|(?<!-)no(?!-)|n['’]t)\W+(?:\w+\W+)?(?:stop|forbidden|prohibited|banned|disallowed|off[ -]limits|refused|rejected|unacceptable|error|mistake|violation)\b|\b(?:forget|hesitate|without|unless|until|except|only|instead|but|so|ask\w*|tell|mention|confirm\w*|approv\w*|then|just|if|always)\b|,\W*(?:use|pass|commit|run|push|add)\b/i
/** Matches sentences. A colon ends a sentence, unless the words behind it forbid what the sentence names. */
const sentences = /[^.;:!?\n]+(?::(?=\W{0,20}(?:forbidden|prohibited|banned|disallowed|off))[^.;:!?\n]*)*/g

/** Removes sentences that forbid a way past a check, so that they are not taken for a recommendation of it. */
const withoutProhibitions = (text: string) =>
  text.replaceAll(sentences, (sentence) => {
    const rest = sentence.replace(inPlaceOf, '')
    const forbids = forbidsNext.test(rest) || forbidsLast.test(rest) || (rest !== sentence && !wayPast.test(rest))
    return wayPast.test(sentence) && forbids && !meansOpposite.test(rest) ? '' : sentence
  })

/** True for a change of instructions after which agents act without asking the person. */
export function tellsToGoOn(path: string, removed: string, added: string): boolean {
  if (!instructing.test(path)) return false
  const [before, after] = [removed, added].map((text) => leavesPersonOut(withoutProhibitions(brief(text))))
  return after === true && before !== true
}
