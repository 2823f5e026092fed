import { liveByVerbs } from '../deeds/deeds.ts'
import type { Family } from '../program.ts'
import { posix } from 'node:path'
import { unwrapLimits } from '../../../model/limits.ts'
import { escapeGlob, withoutEnd } from '../../../model/text.ts'
import { readPrepared } from '../../../words/options.ts'
import { type ShellCommand, type ShellSearch, type ShellWord, unknownPart } from '../../../model/shell.ts'
import type { EffectRecorder, Role } from '../effects.ts'
import { type CommandView, type Line, optionsOf, type Row } from '../row.ts'
import { fewRuns, type Starts } from '../starts.ts'
import { changed, filled, known, names, wordOf } from '../words.ts'
import type { Judge } from '../looks/look.ts'

const fd: Row = {
  options:
    'e extension E exclude t type d max-depth maxdepth min-depth exact-depth S size c color j threads changed-within changed-before newer older o owner x exec X exec-batch search-path=names base-directory=names ignore-file=read max-results path-separator format',
  first: 'none',
  operands: 'names',
  recursive: true,
  search: soughtByFd,
  otherwise: ['.', 'names'],
  starts: startFoundByFd,
}
const fdOptions = optionsOf(fd)

const finder: Row = { words: foundWords, effects: found, search: sought, starts: startFound }

/** Tests whose value may begin with a dash: `-mtime -5`. */
const takesDashedValue = /^-(?:size|[acm]time|[acm]min|perm|links|inum|uid|gid|used|mindepth|maxdepth|Bmin|Btime)$/

/** Primaries of find that test or print. Other primaries write, delete or start programs. */
const tests: ReadonlySet<string> = new Set(
  `a amin anewer atime cmin cnewer context ctime empty executable false fstype gid group ilname iname inum ipath
  iregex iwholename links lname mmin mtime name newer nogroup nouser path perm readable regex samefile size true type
  uid used user wholename writable xtype print print0 printf prune quit ls not o or and d depth daystart follow help
  version ignore_readdir_race noignore_readdir_race maxdepth mindepth mount noleaf regextype warn nowarn xdev x X s H L
  P D E f Bmin Btime Bnewer acl flags depth nocase xattr xattrname sparse exit O0 O1 O2 O3`.split(/\s+/),
)

/** Judges find by its primaries. Commands that `-exec` starts are in the facts, and are judged by themselves. */
const onlyFinds: Judge = ({ args, starts: started = 0 }) => {
  let wanted = 0
  for (let at = 0; at < args.length; at++) {
    const word = args[at]
    if (word === undefined || word.several === true || (word.unresolved === true && /^(?:-|\uFDD0)/.test(word.value)))
      return false
    const { value } = word
    if (value === '-exec' || value === '-execdir') {
      // Each `-exec` must have its command among the facts.
      wanted++
      while (at < args.length && args[at]?.value !== ';' && !(args[at]?.value === '+' && args[at - 1]?.value === '{}'))
        at++
      continue
    }
    if (
      value.length > 1 &&
      value.startsWith('-') &&
      !tests.has(value.replace(/^--?/, '')) &&
      !/^-newer[aBcm][aBcmt]$/.test(value) &&
      !(takesDashedValue.test(args[at - 1]?.value ?? '') && /^-\d|^-[ugoarwxst,=+-]+$/.test(value))
    )
      return false
  }
  return started >= wanted
}

/** Judges an `fd` whose `-x` or `-X` starts a command: the command is judged by itself, and other options do not matter. */
const startsOne: Judge = ({ args, starts = 0 }) =>
  starts > 0 &&
  args.every((word) => word.several !== true) &&
  args.filter(({ value }) => /^(?:-[a-zA-Z]*[xX]|--exec(?:-batch)?)$/.test(value)).length === 1

/** Programs that search for files, and act on those found. */
export const finders: Family = {
  rows: { saysWhatStarts: true },
  programs: {
    find: {
      text: 'find',
      repeats: true,
      ...finder,
      looks: onlyFinds,
      does: liveByVerbs('publish', 'upload'),
      namesSecrets: true,
      saysWhatChanges: true,
    },
    bfs: { ...finder, text: 'find' },
    'fd fdfind': {
      repeats: true,
      ...fd,
      looks: ['!-x|-X|--exec|--exec-batch', startsOne],
      saysWhatChanges: true,
      prints: true,
      namesSecrets: true,
    },
  },
}

/** Prevents getopt reading of `find`'s arguments, which are paths followed by an expression. */
function foundWords({ args }: { readonly args: readonly ShellWord[] }): readonly ShellWord[] {
  return [{ value: '--' }, ...args]
}

/** The starting points of a `find`, and what it deletes below them. */
interface FindExpression {
  readonly starts: readonly ShellWord[]
  readonly deletes: boolean
  /** Names one of which every deleted file has. Empty if any name is possible. */
  readonly fileNames: readonly string[]
}

const starters = new Set(['-exec', '-execdir', '-ok', '-okdir'])
/** The tests and actions that take a value, with its role. */
const valuedTests: ReadonlyMap<string, Role> = new Map([
  ...names('-newer -anewer -cnewer -samefile').map((test) => [test, 'names'] as const),
  ...names('-fprint -fprint0 -fls -fprintf').map((test) => [test, 'write'] as const),
  ['-files0-from', 'read'],
  ...names(
    '-name -iname -path -ipath -wholename -iwholename -regex -iregex -lname -ilname -type -xtype -size -mtime -atime -ctime -mmin -amin -cmin -user -group -uid -gid -perm -links -inum -maxdepth -mindepth -fstype -printf -used -regextype -context',
  ).map((test) => [test, 'none'] as const),
])

/** Returns the role of the value behind a test or action; `undefined` if it takes none. */
const valueRole = (test: string): Role | undefined => (/^-newer\w\w$/.test(test) ? 'none' : valuedTests.get(test))

function found({ operands }: Line, recorder: EffectRecorder): void {
  const { starts, deletes, fileNames } = expression(operands, recorder)
  for (const start of starts.length > 0 ? starts : [{ value: '.' }]) {
    recorder.touch(start, 'names', { recursive: true })
    if (!deletes) continue
    if (fileNames.length === 0 || start.unresolved === true) recorder.touch(start, 'delete', { recursive: true })
    else for (const name of fileNames) recorder.touch(below(start, name), 'delete', { recursive: true })
  }
}

/** Makes the pattern for files of a name at any depth below a folder. */
function below(start: ShellWord, name: string): ShellWord {
  const folder = start.pattern ?? escapeGlob(start.value)
  const pattern = `${withoutEnd(folder, '/')}/**/${name}`
  return { value: start.value, pattern }
}

function expression(words: readonly ShellWord[], recorder: EffectRecorder): FindExpression {
  let at = 0
  while (/^-(?:[HLP]|O\d*|D)$/.test(words[at]?.value ?? '')) at += words[at]?.value === '-D' ? 2 : 1
  const starts: ShellWord[] = []
  for (; at < words.length; at++) {
    const word = words[at]
    if (word === undefined || /^(?:-.|[!(),]$)/.test(word.value)) break
    starts.push(word)
  }
  const first = at
  const deleted: (readonly string[])[] = []
  for (; at < words.length; at++) {
    const test = words[at]?.value ?? ''
    const role = valueRole(test)
    if (starters.has(test)) at = actionEnd(words, at)
    else if (role !== undefined) recorder.touch(words[++at], role)
    else if (test === '-delete') deleted.push(namesBefore(words, first, at, deleted.length))
  }
  // If one of several deletions is not limited to names, neither are all of them together.
  const fileNames = deleted.every((some) => some.length > 0) ? deleted.flat() : []
  return { starts, deletes: deleted.length > 0, fileNames }
}

/**
 * Returns the names that limit an action: `find` goes through its expression from left to right, so only tests in front of it do.
 *
 * @param first index of the expression's first word
 * @param actions how many actions are in front: behind many, any name is possible, since each look goes through all words
 * @returns names one of which every file has that reaches the action; empty if any name is possible
 */
function namesBefore(words: readonly ShellWord[], first: number, action: number, actions: number): readonly string[] {
  if (actions > unwrapLimits.runsMax) return []
  const nameTests = trackNameTests()
  for (let at = first; at < action; at++) {
    const test = words[at]?.value ?? ''
    if (nameTests.join(test)) continue
    if (starters.has(test)) at = actionEnd(words, at)
    const value = valueRole(test) === undefined ? undefined : words[++at]
    const isName = (test === '-name' || test === '-iname') && value?.unresolved !== true
    nameTests.test(isName ? value?.value : undefined)
  }
  return nameTests.here()
}

/** Returns the index of the `;` or `{} +` that ends an action's command, or the end of the words. */
function actionEnd(words: readonly ShellWord[], action: number): number {
  for (let at = action + 1; at < words.length; at++) {
    const word = words[at]?.value
    if (word === ';' || (word === '+' && words[at - 1]?.value === '{}')) return at
  }
  return words.length
}

/** Starts the commands of `find`'s actions, which run once for each file found or once for all. */
function startFound(_: Line, starts: Starts, { args, cwd }: ShellCommand): void {
  const first = args.findIndex(({ value }) => /^[-(!),]/.test(value) && !/^-(?:[HLPEXdsx]+|O\d?|D|f)$/.test(value))
  const inFront = first === -1 ? args : args.slice(0, first)
  const tops = inFront.filter(({ value }, at) => !value.startsWith('-') && inFront[at - 1]?.value !== '-D')
  const itself = args.some(({ value }, at) => value === '-maxdepth' && args[at + 1]?.value === '0')
  let actions = 0
  for (let at = Math.max(first, 0); at < args.length; at++) {
    const test = args[at]?.value ?? ''
    if (valueRole(test) !== undefined) at++
    if (!starters.has(test)) continue
    actions++
    const end = actionEnd(args, at)
    const words = args.slice(at + 1, end)
    const beside = test.endsWith('dir')
    const ending = itself ? undefined : endingOf(namesBefore(args, first, at, actions))
    for (const top of fewRuns(tops.length === 0 ? [known('.')] : tops, starts)) {
      const start = beside && cwd !== undefined ? changed(top, posix.resolve(cwd, top.value)) : top
      starts.words(
        words.map((word) => filledWith(word, start, ending, starts)),
        beside ? { cwd: undefined } : {},
      )
    }
    at = end
  }
}

/** Returns the extension that all files have whose names match: `.png` of `*.png`; empty if they may differ. */
function endingOf(patterns: readonly string[]): string {
  const endings = new Set(patterns.map((name) => /^\*(\.\w+)$/.exec(name)?.[1]?.toLowerCase() ?? ''))
  return endings.size === 1 ? ([...endings][0] ?? '') : ''
}

/**
 * Replaces `{}` in a word with an unknown path below a folder.
 *
 * @param ending of the path; `undefined` if it is the folder itself
 */
function filledWith(word: ShellWord, start: ShellWord, ending: string | undefined, starts: Starts): ShellWord {
  if (!word.value.includes('{}')) return word
  const name = ending === undefined ? start.value : `${withoutEnd(start.value, '/')}/${unknownPart}${ending}`
  return wordOf(filled(word.value, '{}', name), start, starts.named(unknownPart))
}

/** Starts the command of `fd PATTERN FOLDER… -x COMMAND…`, for each folder. */
function startFoundByFd(_: Line, starts: Starts, { args, cwd }: ShellCommand): void {
  const at = args.findIndex(({ value }) => /^-[HIsiaLplFg0uq1]*[xX]|^--exec(?:-batch)?(?:=|$)/.test(value))
  if (at === -1) return
  const joinedTo = /^-[HIsiaLplFg0uq1]*[xX](.+)|^--exec(?:-batch)?=(.*)/s.exec(args[at]?.value ?? '')
  const end = args.findIndex(({ value }, place) => place > at && value === ';')
  const behind = args.slice(at + 1, end === -1 ? undefined : end)
  const first = joinedTo?.[1] ?? joinedTo?.[2]
  const words = first === undefined ? behind : [known(first), ...behind]
  // Behind the `;` the words belong to the search again.
  const read = readPrepared([...args.slice(0, at), ...(end === -1 ? [] : args.slice(end + 1))], fdOptions)
  const base = read.value('search-path', 'base-directory') ?? known(cwd ?? '.')
  const tops = read.operands.length > 1 ? read.operands.slice(1) : [base]
  const isPlaced = words.some(({ value }) => /\{(?:|\/|\/\/|\.|\/\.)\}/.test(value))
  const all = isPlaced ? words : [...words, known('{}')]
  const ending = endingOf(read.values('e', 'extension').map(({ value }) => `*.${value}`))
  for (const top of tops) {
    starts.words(
      all.map((word) =>
        filledWith(changed(word, word.value.replaceAll(/\{(?:\/|\.|\/\.)\}/g, '{}')), top, ending, starts),
      ),
    )
  }
}

/** A tracker of the name tests that hold at a position in `find`'s expression, and so limit the action there. */
interface NameTests {
  /** Processes an operator or a bracket; returns whether the word is one. */
  readonly join: (word: string) => boolean
  /** Processes a test, with `name` for a test of the file's name. */
  readonly test: (name?: string) => void
  /** Returns names one of which every file has that reaches an action here. Empty if any name is possible. */
  readonly here: () => readonly string[]
}

interface TestGroup {
  /** The names required by each alternative before this one. */
  readonly done: (readonly string[])[]
  current: string[]
  /** The next test is negated. */
  not: boolean
}

const group = (): TestGroup => ({ done: [], current: [], not: false })

function trackNameTests(): NameTests {
  const groups = [group()]
  const innermost = () => groups.at(-1) ?? group()

  function close(): void {
    const ended = groups.length > 1 ? groups.pop() : undefined
    if (ended === undefined) return
    const alternatives = [...ended.done, ended.current]
    const outer = innermost()
    if (!outer.not && alternatives.every((some) => some.length > 0)) outer.current.push(...alternatives.flat())
    outer.not = false
  }

  return {
    join: (word) => {
      const inner = innermost()
      if (word === '(') groups.push(group())
      else if (word === ')') close()
      else if (word === '!' || word === '-not') inner.not = !inner.not
      else if (word === '-o' || word === '-or' || word === ',') {
        inner.done.push(inner.current)
        inner.current = []
      } else return false
      return true
    },
    test: (name) => {
      const inner = innermost()
      if (name !== undefined && !inner.not) inner.current.push(name)
      inner.not = false
    },
    here: () => groups.flatMap(({ current }) => current),
  }
}

const not = /^(?:!|-not)$/
const actions = /^-(?:exec|execdir|ok|okdir|delete|f?print[0f]?|f?ls)$/
const namedBy = /^-i?(?:name|path|regex|wholename)$/
const narrowing =
  /^-(?:i?path|i?wholename|i?regex|i?lname|inum|samefile|links|size|newer\w*|[acm]newer|user|group|[ug]id|perm|[acm]time|[acm]min|empty)$/
/** Values with which such a test leaves no file out. */
const valuesOfAll = /^(?:[+-]0+[ckMGbw]?|\.?\/?[.*?/]+)$/

/** Returns what `fd` finds: names with one of some extensions, or like a pattern, which mostly is no whole name. */
function soughtByFd({ operands, values, has }: Line): ShellSearch {
  const [pattern] = operands
  const endings = values('e', 'extension').map(({ value }) => `*.${value}`)
  const given = [...endings, ...(pattern === undefined ? [] : [pattern.value])]
  const isWhole = endings.length > 0 || has('g', 'glob')
  return { finds: 'all', names: given, ...(given.length > 0 && !isWhole && { andOthers: true }) }
}

/** Returns what a search finds, by its tests: the words before its first action limit what that acts on. */
function sought(_: Line, { args }: CommandView): ShellSearch {
  const all = args.map(({ value }) => value)
  const action = all.findIndex((word) => actions.test(word))
  const words = action === -1 ? all : all.slice(0, action)
  const given = namesIn(all).map(({ name }) => name)
  const narrowed = narrowedBy(words)
  const isOld = words.some((word, at) => /^\+\d+$/.test(word) && /^-[mac](?:min|time)$/.test(words[at - 1] ?? ''))
  return {
    finds: 'all',
    names: given,
    ...(given.length > 0 && findsAnyName(words) && { andOthers: true }),
    ...(words.some((word) => namedBy.test(word)) && { looksAtNames: true }),
    ...(narrowed !== undefined && { narrowed }),
    ...(findsOnlyEmpty(words) && { onlyEmpty: true }),
    ...(isOld && words[words.indexOf('-type') + 1] === 'f' && { onlyOld: true }),
  }
}

/** Returns the names that a search looks for, with their places. A name that it excludes is not found by it. */
const namesIn = (words: readonly string[]) =>
  words.flatMap((name, at) =>
    namedBy.test(words[at - 1] ?? '') && !not.test(words[at - 2] ?? '') ? [{ name, at }] : [],
  )

/** True if the tests of a search limit it to no names. */
function findsAnyName(words: readonly string[]): boolean {
  // After the last `-o` there may be no test of a name, or a negated group: `-name dist -prune -o -delete` finds everything else.
  const either = words.findLastIndex((word) => word === '-o' || word === '-or' || word === ',')
  const hasNegatedGroup = words.some((word, at) => word === '(' && not.test(words[at - 1] ?? ''))
  return hasNegatedGroup || !namesIn(words).some(({ at }) => at > either)
}

/** Returns the first test that leaves most files out; `undefined` if all of them may be found. */
function narrowedBy(words: readonly string[]): string | undefined {
  if (words.some((word) => /^(?:-o|-or|,|\()$/.test(word))) return undefined
  const at = words.findIndex(
    (word, index) =>
      narrowing.test(word) && !not.test(words[index - 1] ?? '') && !valuesOfAll.test(words[index + 1] ?? ''),
  )
  if (at === -1) return undefined
  return words[at] === '-empty' ? '-empty' : `${words[at] ?? ''} ${words[at + 1] ?? ''}`
}

/** True if everything that is found is an empty folder, or a link. An empty file may be needed: `__init__.py`. */
function findsOnlyEmpty(words: readonly string[]): boolean {
  if (words.some((word) => /^(?:-o|-or|,|\(|-L|-follow)$/.test(word))) return false
  const has = (test: string, value?: string) =>
    words.some(
      (word, at) => word === test && (value === undefined || words[at + 1] === value) && !not.test(words[at - 1] ?? ''),
    )
  return has('-type', 'l') || has('-xtype', 'l') || (has('-empty') && has('-type', 'd'))
}
