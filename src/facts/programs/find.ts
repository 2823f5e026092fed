import { posix } from 'node:path'
import { readPrepared } from '../../model/options.ts'
import { type ShellCommand, type ShellWord, unknownPart } from '../../model/shell.ts'
import type { EffectRecorder } from './effects.ts'
import { namesAsked } from './found-names.ts'
import { type Line, optionsOf, type Row, type Rows } from './row.ts'
import { fewRuns } from './runs.ts'
import type { Starts } from './starts.ts'
import { changed, filled, known } from './words.ts'

const fd: Row = {
  options:
    'e extension E exclude t type d max-depth maxdepth min-depth exact-depth S size c color j threads changed-within changed-before newer older o owner x exec X exec-batch search-path=names base-directory=names ignore-file=read max-results path-separator format',
  first: 'none',
  operands: 'names',
  recursive: true,
  otherwise: ['.', 'names'],
  starts: startFoundByFd,
}
const fdOptions = optionsOf(fd)

/** Programs that search for files, and act on those found. */
export const finders: Rows = {
  'find gfind bfs': { words: foundWords, effects: found, starts: startFound },
  'fd fdfind': fd,
}

/** Prevents getopt reading of `find`'s arguments, which are paths followed by an expression. */
function foundWords({ args }: { readonly args: readonly ShellWord[] }): readonly ShellWord[] {
  return [{ value: '--' }, ...args]
}

interface Found {
  readonly starts: readonly ShellWord[]
  readonly deletes: boolean
  readonly names: readonly string[]
}

const starters = new Set(['-exec', '-execdir', '-ok', '-okdir'])
const fileTests: Readonly<Record<string, 'names' | 'write' | 'read'>> = {
  '-newer': 'names',
  '-anewer': 'names',
  '-cnewer': 'names',
  '-samefile': 'names',
  '-files0-from': 'read',
  '-fprint': 'write',
  '-fprint0': 'write',
  '-fls': 'write',
  '-fprintf': 'write',
}
const valuedTests = new Set(
  '-name -iname -path -ipath -wholename -iwholename -regex -iregex -lname -ilname -type -xtype -size -mtime -atime -ctime -mmin -amin -cmin -user -group -uid -gid -perm -links -inum -maxdepth -mindepth -fstype -printf -used -regextype -context'.split(
    ' ',
  ),
)

function found({ operands }: Line, recorder: EffectRecorder): void {
  const { starts, deletes, names } = expression(operands, recorder)
  for (const start of starts.length > 0 ? starts : [{ value: '.' }]) {
    recorder.touch(start, 'names', { recursive: true })
    if (!deletes) continue
    if (names.length === 0 || start.unresolved === true) recorder.touch(start, 'delete', { recursive: true })
    else for (const name of names) recorder.touch(below(start, name), 'delete', { recursive: true })
  }
}

/** Makes the pattern for files of a name at any depth below a folder. */
function below(start: ShellWord, name: string): ShellWord {
  const folder = start.pattern ?? start.value.replace(/[*?[\]\\]/g, '\\$&')
  const pattern = `${folder.replace(/\/+$/, '')}/**/${name}`
  return { value: start.value, pattern }
}

function expression(words: readonly ShellWord[], recorder: EffectRecorder): Found {
  let at = 0
  while (/^-(?:[HLP]|O\d*|D)$/.test(words[at]?.value ?? '')) at += words[at]?.value === '-D' ? 2 : 1
  const starts: ShellWord[] = []
  for (; at < words.length; at++) {
    const word = words[at]
    if (word === undefined || /^(?:-.|[!(),]$)/.test(word.value)) break
    starts.push(word)
  }
  const nameTests = namesAsked()
  const deleted: (readonly string[])[] = []
  for (; at < words.length; at++) {
    const test = words[at]?.value ?? ''
    const role = fileTests[test]
    if (nameTests.join(test)) continue
    if (starters.has(test)) {
      while (
        at < words.length &&
        words[at]?.value !== ';' &&
        !(words[at]?.value === '+' && words[at - 1]?.value === '{}')
      )
        at++
    } else if (role !== undefined) recorder.touch(words[++at], role)
    else if (valuedTests.has(test)) {
      const value = words[++at]
      const isName = (test === '-name' || test === '-iname') && value?.unresolved !== true
      nameTests.test(isName ? value?.value : undefined)
      continue
    } else if (test === '-delete') deleted.push(nameTests.here())
    nameTests.test()
  }
  // If one of several deletions is not limited to names, neither are all of them together.
  const names = deleted.every((some) => some.length > 0) ? deleted.flat() : []
  return { starts, deletes: deleted.length > 0, names }
}

/** Tests whose value may look like an action. */
const isValued =
  /^-(?:i?(?:name|path|wholename|regex|lname)|x?type|perm|user|group|[ug]id|size|[amc](?:time|min)|newer\w*|[ac]newer|samefile|inum|links|(?:max|min)depth|fstype|context|used|printf|fls|fprint0?|regextype|files0-from)$/

/** Starts the commands of `find`'s actions, which run once for each file found or once for all. */
function startFound(_: Line, starts: Starts, { args, cwd }: ShellCommand): void {
  const first = args.findIndex(({ value }) => /^[-(!),]/.test(value) && !/^-(?:[HLPEXdsx]+|O\d?|D|f)$/.test(value))
  const inFront = first === -1 ? args : args.slice(0, first)
  const tops = inFront.filter(({ value }, at) => !value.startsWith('-') && inFront[at - 1]?.value !== '-D')
  const itself = args.some(({ value }, at) => value === '-maxdepth' && args[at + 1]?.value === '0')
  for (let at = Math.max(first, 0); at < args.length; at++) {
    const test = args[at]?.value ?? ''
    if (isValued.test(test)) at++
    if (!starters.has(test)) continue
    const end = args.findIndex(
      ({ value }, place) => place > at && (value === ';' || (value === '+' && args[place - 1]?.value === '{}')),
    )
    const words = args.slice(at + 1, end === -1 ? undefined : end)
    const beside = test.endsWith('dir')
    for (const top of fewRuns(tops.length === 0 ? [known('.')] : tops, starts)) {
      const start = beside && cwd !== undefined ? changed(top, posix.resolve(cwd, top.value)) : top
      starts.words(
        words.map((word) => filledWith(word, start, itself)),
        beside ? { cwd: undefined } : {},
      )
    }
    if (end !== -1) at = end
  }
}

/** Replaces `{}` in a word with an unknown path below a folder. */
function filledWith(word: ShellWord, start: ShellWord, itself: boolean): ShellWord {
  if (!word.value.includes('{}')) return word
  const name = itself ? start.value : `${start.value.replace(/\/+$/, '')}/${unknownPart}`
  const value = filled(word.value, '{}', name)
  return value.includes(unknownPart) ? { value, unresolved: true } : { value }
}

/** Starts the command of `fd PATTERN FOLDER -x COMMAND…`. */
function startFoundByFd(_: Line, starts: Starts, { args, cwd }: ShellCommand): void {
  const at = args.findIndex(({ value }) => /^-[HIsiaLplFg0uq1]*[xX]|^--exec(?:-batch)?(?:=|$)/.test(value))
  if (at === -1) return
  const joinedTo = /^-[HIsiaLplFg0uq1]*[xX](.+)|^--exec(?:-batch)?=(.*)/s.exec(args[at]?.value ?? '')
  const end = args.findIndex(({ value }, place) => place > at && value === ';')
  const behind = args.slice(at + 1, end === -1 ? undefined : end)
  const first = joinedTo?.[1] ?? joinedTo?.[2]
  const words = first === undefined ? behind : [known(first), ...behind]
  const read = readPrepared(args.slice(0, at), fdOptions)
  const top = read.operands[1] ?? read.value('search-path', 'base-directory') ?? known(cwd ?? '.')
  const isPlaced = words.some(({ value }) => /\{(?:|\/|\/\/|\.|\/\.)\}/.test(value))
  const all = isPlaced ? words : [...words, known('{}')]
  starts.words(
    all.map((word) => filledWith(changed(word, word.value.replaceAll(/\{(?:\/|\.|\/\.)\}/g, '{}')), top, false)),
  )
}
