import type { Impact } from '../../../model/impact.ts'
import type { ShellCommand, ShellFacts } from '../../../model/shell.ts'
import type { TextChange } from '../../../model/tool-facts.ts'
import { isStreamEditor } from '../../shell-texts.ts'
import { findLostCheck, findLostTest, lostGuard, silence } from './lost-guards.ts'
import {
  answersAlways,
  findIgnoredResult,
  findLoggedSecret,
  findMasterKey,
  findReversedCondition,
  lostRefusal,
} from './refusals.ts'
import { brief, isProseOrTest, type JudgedChange, type LostGuard, pathIn, toJudgedChange } from './edited-file.ts'
import { loosened } from './lists.ts'
import { opened } from './settings.ts'
import { findLossByTables, findSilencedCheck } from './trades.ts'
import { leavesPersonOut } from '../../../words/names.ts'

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
    /([\w-]{1,99})["']?\s{0,9}(?:@\s{0,9}(?:git\+)?https?:|=\s{0,9}\{[^}\n]{0,300}\bgit\s*=)|(git\+https?:\S+)/g,
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
  command.args.some(({ value }) => /^-\w*i/.test(value)) &&
  command.args.some(({ value }) => silence.test(value))
const silencing: LostGuard = { kind: 'weaken', object: 'check', would: 'be silenced wherever this edits' }

/** Length of a command in an impact, in UTF-16 units: enough to recognise it by its first words. */
const commandCharactersMax = 400

function impactOf({ kind, object, name, would }: LostGuard, path: string, at?: number, command?: ShellCommand): Impact {
  const words = command?.args.filter(({ value }) => !value.startsWith('-')).map(({ value }) => value) ?? []
  return {
    kind,
    thing: 'guard',
    area: 'protection',
    object,
    names: name === undefined ? [] : [name],
    where: 'unknown',
    extent: 'one',
    undo: 'work',
    ...(would !== undefined && { consequence: `which would ${would}` }),
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
