import { posix } from 'node:path'
import { Buffer } from 'node:buffer'
import { shellLimits } from '../../../model/limits.ts'
import { readOptions } from '../../../words/options.ts'
import { type ShellWord, unknownPart } from '../../../model/shell.ts'
import {
  concatenate,
  empty,
  isKnown,
  literal,
  type ShellText,
  sourcesOfAll,
  textOf,
  type Texts,
  unknown,
} from '../values/text.ts'
import { formatPrintf, unescaped } from './printf.ts'
import { lineShape, passesLines } from './shaped-lines.ts'
import type { TextForm } from '../../programs/program.ts'
import { hasTrait, locatedBy, textFormOf } from '../../programs/table.ts'
import { withoutEnd } from '../../../model/text.ts'

/** Tells whether a command prints nothing. `command -v` is an exception: it prints a program's path. */
export const isSilent = (program: string, args: readonly ShellWord[]): boolean =>
  hasTrait(program, 'quiet') && !(textFormOf(program) === 'place' && /^-p?[vV]/.test(args[0]?.value ?? ''))

/** The inputs that a program's output depends on, besides its arguments. */
interface OutputNeeds {
  readonly stdin: Texts | undefined
  readonly cwd: string | undefined
  /** The working directory as far as it is known; `undefined` if it is known whole, or not at all. */
  readonly folder: ShellWord | undefined
  readonly content: (word: ShellWord) => Texts | undefined
}

/** Returns a program's possible outputs, with unknown parts; `undefined` if it prints nothing. */
export function outputOf(program: string, args: readonly ShellWord[], needs: OutputNeeds): Texts | undefined {
  const form = textFormOf(program)
  if (form === 'format' && args[0]?.value === '-v') return undefined
  if (isSilent(program, args)) return undefined
  const said = form && saidBy[form]?.(args, needs)
  if (said !== undefined) return [said]
  const named = locatedBy(program, args.map(({ value }) => value).join(' '))
  if (named !== undefined && args.every(known)) return [literal(`${unknownPart}/${named}\n`)]
  return shaped(program, args, needs) ?? filtered(form, args, needs)
}

/** What programs print that need no input for it. */
const saidBy: Readonly<
  Partial<Record<TextForm, (args: readonly ShellWord[], needs: OutputNeeds) => ShellText | undefined>>
> = {
  words: echoOutput,
  format: printfOutput,
  folder: (_, needs) => workingFolder(needs),
  'last-name': (args) => pathPart('last-name', args),
  'folder-before': (args) => pathPart('folder-before', args),
  temporary: temporaryPath,
  place: (args) => placeOf('place', args),
  kind: (args) => placeOf('kind', args),
  'real-path': (args, { cwd }) => realPath('real-path', args, cwd),
  link: (args, { cwd }) => realPath('link', args, cwd),
  numbers: sequence,
  git: gitPath,
}

function workingFolder({ cwd, folder }: OutputNeeds): ShellText {
  if (cwd !== undefined) return literal(`${cwd}\n`)
  return folder === undefined ? unknown('PWD') : concatenate(textOf({ word: folder }), literal('\n'))
}

/**
 * Returns the path that git prints of its own folder, which lies below one that is not known; `undefined` for another
 * output. Hooks that lie elsewhere are taken for those in its folder.
 */
function gitPath(args: readonly ShellWord[]): ShellText | undefined {
  const at = args.findIndex(
    ({ value }, index) => !value.startsWith('-') && !/^-[Cc]$/.test(args[index - 1]?.value ?? ''),
  )
  const [asked, name, more] = args.slice(at + 1).filter(({ value }) => !printing.test(value))
  const folder = `${unknownPart}/.git`
  switch (args[at]?.value ?? '') {
    case 'config':
      return /^core\.hookspath$/i.test((asked?.value === 'get' ? name : asked)?.value ?? '')
        ? literal(`${folder}/hooks\n`)
        : undefined
    case 'rev-parse':
      if (asked?.value === '--git-path' && name !== undefined && more === undefined && known(name))
        return literal(`${folder}/${name.value}\n`)
      if (asked?.value === '--show-cdup') return literal(`${unknownPart}/../\n`)
      return isGitFolder.test(asked?.value ?? '') && name === undefined ? literal(`${folder}\n`) : undefined
    default:
      return undefined
  }
}
/** Options that change how git prints a setting or a path. */
const printing = /^--(?:path-format(?:=.*)?|get|local|global|system|worktree|includes|type=path|path)$/
const isGitFolder = /^--(?:git-dir|absolute-git-dir|git-common-dir)$/

/** Returns the output of a program that prints lines of a known shape; `undefined` for others. */
function shaped(program: string, args: readonly ShellWord[], { stdin }: OutputNeeds): Texts | undefined {
  if (passesLines(program)) {
    const isShaped = stdin?.length === 1 && oneShape.test(stdin[0].value)
    return isShaped && args.every(({ value }) => value.startsWith('-') || /^\d+$/.test(value)) ? stdin : undefined
  }
  const shape = lineShape(program, args)
  if (shape === undefined) return undefined
  const { before, after, isWhole, isRare } = shape
  const [input] = stdin ?? []
  if (isWhole === true && stdin?.length === 1 && input !== undefined && !input.value.includes(unknownPart))
    return [literal(input.value.replace(/^(?!$(?![^]))(.*)$/gm, (line) => before + line + after))]
  // The other lines may be of any shape, so that nothing is taken as known of them.
  const one = `${before}${unknownPart}${after}\n${unknownPart}`
  return [literal(isRare === true ? `${unknownPart}\n${one}` : one)]
}
const oneShape = new RegExp(`^(?:[^\\n${unknownPart}]*${unknownPart}[^\\n]*\\n)+${unknownPart}?$`)

const several = (args: readonly ShellWord[]): boolean =>
  args.some((arg) => arg.several === true || arg.pattern !== undefined)

function echoOutput(args: readonly ShellWord[]): ShellText {
  let at = 0
  let newline = true
  let escapes = false
  for (; /^-[neE]+$/.test(args[at]?.value ?? ''); at++) {
    for (const letter of args[at]?.value.slice(1) ?? '') {
      if (letter === 'n') newline = false
      else escapes = letter === 'e'
    }
  }
  const values = args
    .slice(at)
    .map(({ value, several: many, pattern }) => (many === true || pattern !== undefined ? unknownPart : value))
  const line = values.join(' ')
  if (line.length > shellLimits.valueCharactersMax) return unknown()
  if (!escapes) return literal(newline ? `${line}\n` : line)
  const { text, stop } = unescaped(line, true)
  return literal(newline && !stop ? `${text}\n` : text)
}

function printfOutput(args: readonly ShellWord[]): ShellText {
  const [format, ...rest] = args[0]?.value === '--' ? args.slice(1) : args
  if (format === undefined || several([format])) return unknown()
  const text = formatPrintf(
    format.value,
    rest.map((word) => (several([word]) ? unknownPart : word.value)),
  )
  return text === undefined ? unknown() : literal(text)
}

function pathPart(form: 'last-name' | 'folder-before', args: readonly ShellWord[]): ShellText {
  const [path, suffix, more] = args
  if (path === undefined || more !== undefined || several(args) || !args.every(known) || path.value.startsWith('-'))
    return unknown()
  const trimmed = withoutEnd(path.value, '/') || path.value.slice(0, 1)
  const slash = trimmed.lastIndexOf('/')
  if (form === 'folder-before') return literal(`${slash === -1 ? '.' : trimmed.slice(0, slash) || '/'}\n`)
  const name = trimmed === '/' ? '/' : trimmed.slice(slash + 1)
  const end = suffix?.value ?? ''
  return literal(`${end !== '' && name !== end && name.endsWith(end) ? name.slice(0, -end.length) : name}\n`)
}

/** Returns the path that `which` prints: the program's name in an unknown folder. */
function placeOf(form: 'place' | 'kind', args: readonly ShellWord[]): ShellText {
  const [name, more] = args.filter(({ value }) => !value.startsWith('-'))
  const isAsked = form === 'place' || args.some(({ value }) => /^-[pP]$/.test(value))
  if (!isAsked || name === undefined || more !== undefined || several(args) || !known(name)) return unknown()
  return literal(name.value.includes('/') ? `${name.value}\n` : `${unknownPart}/${name.value}\n`)
}

/** Returns the path that `realpath` prints, without resolving links: that is done later, on the real paths. */
function realPath(form: 'real-path' | 'link', args: readonly ShellWord[], cwd: string | undefined): ShellText {
  const [path, more] = args.filter(({ value }) => !/^-[efmnqsz]+$|^--(?:canonicalize\w*|strip|quiet)$/.test(value))
  const isWhole = form === 'real-path' || args.some(({ value }) => /^-[emnqsz]*[fem]|^--can/.test(value))
  if (!isWhole || path === undefined || more !== undefined || several(args) || !known(path)) return unknown()
  if (path.value.startsWith('-') || (cwd === undefined && !path.value.startsWith('/'))) return unknown()
  return literal(`${posix.resolve(cwd ?? '/', path.value)}\n`)
}

const mktempOptions = {
  valued: ['p', 'suffix'],
  flags: ['directory', 'dry-run', 'quiet', 'tmpdir', 'suffix'],
  abbreviations: true,
}

/**
 * Returns the path that `mktemp` prints, with an unknown part in place of the template's `X`s. With `-t` the file is in
 * the temporary folder; on macOS its template needs no `X`s.
 */
function temporaryPath(args: readonly ShellWord[]): ShellText {
  const read = readOptions(args, mktempOptions)
  const [template, more] = read.operands
  if (!args.every(known) || more !== undefined) return unknown()
  const name = template?.value ?? 'tmp.XXXXXXXXXX'
  const isInFolder = template === undefined || read.has('p', 'tmpdir', 't')
  const folder = isInFolder ? `${folderIn(read.value('p', 'tmpdir')?.value)}/` : ''
  const filled = name.replace(/X{3,}(?!.*X{3})/, unknownPart)
  if (name.includes(unknownPart) || (isInFolder && name.includes('/'))) return unknown()
  if (filled !== name) return literal(`${folder}${filled}${read.value('suffix')?.value ?? ''}\n`)
  return read.has('t') ? literal(`${folder}${name}.${unknownPart}\n`) : unknown()
}

const folderIn = (given: string | undefined) => (given === undefined || given === '' ? '/tmp' : withoutEnd(given, '/'))

function sequence(args: readonly ShellWord[]): ShellText {
  const numbers = args.map(({ value }) => (/^-?\d{1,9}$/.test(value) ? Number(value) : Number.NaN))
  if (numbers.length === 0 || numbers.length > 3 || numbers.some(Number.isNaN)) return unknown()
  const first = numbers.length === 1 ? 1 : (numbers[0] ?? 1)
  const last = numbers.at(-1) ?? 1
  const by = numbers.length === 3 ? (numbers[1] ?? 1) : 1
  const count = by === 0 ? Number.NaN : Math.floor((last - first) / by) + 1
  if (!(count <= shellLimits.fieldsMax)) return unknown()
  return literal(Array.from({ length: Math.max(0, count) }, (_, at) => `${first + at * by}\n`).join(''))
}

function filtered(form: TextForm | undefined, args: readonly ShellWord[], { stdin, content }: OutputNeeds): Texts {
  const filter = form && filters[form]
  if (filter === undefined || !args.every(known)) return [unknown()]
  const values = args.map(({ value }) => value)
  if (form === 'input' && args.length > 0 && args.every(({ value }) => !value.startsWith('-')))
    return joinedFiles(args, content)
  if (stdin === undefined) return [unknown()]
  return stdin.length === 1 ? [through(stdin[0])] : [through(stdin[0]), ...stdin.slice(1).map(through)]

  function through(text: ShellText): ShellText {
    if (!isKnown(text) && form !== 'input' && form !== 'copy') return unknown()
    const made = filter?.(text.value, values)
    return made === undefined || made.length > shellLimits.valueCharactersMax ? unknown() : literal(made)
  }
}

function joinedFiles(args: readonly ShellWord[], content: OutputNeeds['content']): Texts {
  const parts = args.map((arg) => {
    const texts = content(arg)
    return texts?.length === 1 ? texts[0] : unknown(undefined, sourcesOfAll(texts ?? []))
  })
  return [parts.reduce(concatenate, empty)]
}

/** Computes a filter's output for a known input; `undefined` if it is unknown. */
type Filter = (input: string, args: readonly string[]) => string | undefined

const isDecoding = (args: readonly string[]) => args.some((arg) => /^(-[a-zA-Z]*[dD]|--decode|--d[eco]*)$/.test(arg))

function base64(input: string, args: readonly string[]): string | undefined {
  if (args.some((arg) => !arg.startsWith('-') && !/^\d+$/.test(arg))) return undefined
  if (!isDecoding(args)) {
    const text = Buffer.from(input).toString('base64')
    return /(^| )(-w ?0|--wrap=0)( |$)/.test(args.join(' ')) ? text : text.replace(/.{1,76}/g, '$&\n')
  }
  return Buffer.from(input, 'base64').toString()
}

function openssl(input: string, args: readonly string[]): string | undefined {
  const decodes = args.includes('-d') && (args[0] === 'base64' || args.includes('-base64') || args.includes('-a'))
  return decodes && !args.includes('-in') ? Buffer.from(input, 'base64').toString() : undefined
}

function base32(input: string, args: readonly string[]): string | undefined {
  if (!isDecoding(args)) return undefined
  let bits = 0
  let held = 0
  const bytes: number[] = []
  for (const character of input.replace(/[=\s]/g, '')) {
    const digit = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(character)
    if (digit === -1) return undefined
    held = (held << 5) | digit
    bits += 5
    if (bits < 8) continue
    bits -= 8
    bytes.push((held >> bits) & 255)
    held &= (1 << bits) - 1
  }
  return Buffer.from(bytes).toString()
}

function xxd(input: string, args: readonly string[]): string | undefined {
  const letters = args.filter((arg) => arg.startsWith('-')).join('')
  if (!letters.includes('r') || !letters.includes('p') || args.some((arg) => !arg.startsWith('-'))) return undefined
  return Buffer.from(input.replace(/[^\da-fA-F]/g, ''), 'hex').toString()
}

const rev: Filter = (input, args) =>
  args.length > 0
    ? undefined
    : input
        .split('\n')
        .map((line) => line.split('').toReversed().join(''))
        .join('\n')

function tr(input: string, args: readonly string[]): string | undefined {
  const [first = '', second = '', third] = args
  if (first === '-d') return third === undefined ? withoutSet(input, characters(second)) : undefined
  if (first.startsWith('-') || third !== undefined || args.length !== 2) return undefined
  const from = characters(first)
  const to = characters(second)
  if (from === undefined || to === undefined || to.length === 0) return undefined
  const map = new Map(from.map((character, at) => [character, to[at] ?? to.at(-1) ?? '']))
  return input.replace(/[^]/g, (character) => map.get(character) ?? character)
}

function withoutSet(input: string, set: readonly string[] | undefined): string | undefined {
  if (set === undefined) return undefined
  const less = new Set(set)
  return input.replace(/[^]/g, (character) => (less.has(character) ? '' : character))
}

const classes: Readonly<Record<string, string>> = {
  '[:lower:]': 'a-z',
  '[:upper:]': 'A-Z',
  '[:digit:]': '0-9',
  '[:alpha:]': 'A-Za-z',
  '[:alnum:]': 'A-Za-z0-9',
  '[:space:]': ' \t\n\r\v\f',
}

function characters(set: string): readonly string[] | undefined {
  const spelled = set
    .replace(/\[:\w+:\]/g, (name) => classes[name] ?? name)
    .replace(/\\([ntr\\])/g, (_, letter: string) => ({ n: '\n', t: '\t', r: '\r' })[letter] ?? letter)
  if (/\[[:=.]|\\[0-7]/.test(spelled)) return undefined
  const out: string[] = []
  for (let at = 0; at < spelled.length; at++) {
    const from = spelled.charAt(at)
    const to = spelled.charAt(at + 2)
    if (spelled[at + 1] !== '-' || to === '' || to < from) {
      out.push(from)
      continue
    }
    for (let code = from.charCodeAt(0); code <= to.charCodeAt(0); code++) out.push(String.fromCharCode(code))
    at += 2
    if (out.length > 1024) return undefined
  }
  return out
}

const same: Filter = (input) => input
const whole: Filter = (input, args) => (args.every((arg) => arg === '-') ? input : undefined)

/** Programs that print a transformation of their stdin. */
const filters: Readonly<Partial<Record<TextForm, Filter>>> = {
  input: whole,
  copy: same,
  base64,
  base32,
  openssl,
  xxd,
  reversed: rev,
  letters: tr,
}

const known = (word: ShellWord): boolean => word.unresolved !== true && word.pattern === undefined
