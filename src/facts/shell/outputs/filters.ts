import { Buffer } from 'node:buffer'
import type { ShellWord } from '../../../model/shell.ts'

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
export const filters: ReadonlyMap<string, Filter> = new Map<string, Filter>([
  ['cat', whole],
  ['tee', same],
  ['base64', base64],
  ['base32', base32],
  ['openssl', openssl],
  ['xxd', xxd],
  ['rev', rev],
  ['tr', tr],
])

export const known = (word: ShellWord): boolean => word.unresolved !== true && word.pattern === undefined
