import { applyEdit, type Edit, type Mutant, type Mutator } from './values.ts'

/** Changes regular expressions so that they match a little more or a little less. */
export const patternMutants: Mutator = ({ node }, source) => {
  if (node.type !== 'Literal' || node.regex === undefined) return []
  const { pattern, flags } = node.regex
  const was = source.textOf(node)
  const bodyEnd = node.start + 1 + pattern.length
  const hint = 'an example that only one of the two matches'
  const parts = patternChanges(pattern).flatMap((edit): readonly Mutant[] => {
    const changed = applyEdit(pattern, edit)
    if (!compiles(changed, flags)) return []
    const now = literal(changed, flags)
    // An empty pattern is written `(?:)`, because `//` would be a comment.
    const whole = { start: node.start + 1, end: bodyEnd, replacement: '(?:)' }
    const part = { ...edit, start: edit.start + node.start + 1, end: edit.end + node.start + 1 }
    return [{ ...(changed === '' ? whole : part), kind: 'pattern', was, now, hint }]
  })
  const withoutFlags = flagChanges(pattern, flags).map((left): Mutant => {
    const now = literal(pattern, left)
    return { kind: 'pattern', start: bodyEnd + 1, end: node.end, replacement: left, was, now, hint }
  })
  return [...parts, ...withoutFlags.filter(({ replacement }) => compiles(pattern, replacement))]
}

const literal = (pattern: string, flags: string) => `/${pattern || '(?:)'}/${flags}`

function compiles(pattern: string, flags: string): boolean {
  try {
    return new RegExp(pattern, flags) instanceof RegExp
  } catch {
    return false
  }
}

interface PatternGroup {
  /** The start offset of each alternative. */
  readonly alternatives: number[]
}

/** Class escapes and their complements. */
const opposites: Readonly<Record<string, string>> = {
  '\\d': '\\D',
  '\\D': '\\d',
  '\\w': '\\W',
  '\\W': '\\w',
  '\\s': '\\S',
  '\\S': '\\s',
}

const lookarounds: Readonly<Record<string, string>> = { '(?=': '(?!', '(?!': '(?=', '(?<=': '(?<!', '(?<!': '(?<=' }

/** Returns small changes of a pattern's anchors, quantifiers, classes, lookarounds and alternatives. */
export function patternChanges(pattern: string): readonly Edit[] {
  const edits: Edit[] = []
  const groups: PatternGroup[] = [{ alternatives: [0] }]
  const put = (start: number, end: number, replacement: string) => edits.push({ start, end, replacement })

  function close(at: number) {
    const { alternatives } = groups.pop() ?? { alternatives: [] }
    if (alternatives.length < 2) return
    for (const [index, start] of alternatives.entries()) {
      const next = alternatives[index + 1]
      if (index === 0) put(start, next ?? at, '')
      else put(start - 1, next === undefined ? at : next - 1, '')
    }
  }

  for (let at = 0; at < pattern.length;) {
    const token = tokenAt(pattern, at)
    const end = at + token.length
    const [first] = token
    if (token === '^' || token === '$' || token === '\\b' || token === '\\B') put(at, end, '')
    else if (Object.hasOwn(opposites, token)) put(at, end, opposites[token] ?? '')
    else if (/^\\p\{/i.test(token)) put(at + 1, at + 2, token[1] === 'p' ? 'P' : 'p')
    else if (first === '[') put(at + 1, token[1] === '^' ? at + 2 : at + 1, token[1] === '^' ? '' : '^')
    else if (first === '(') {
      if (Object.hasOwn(lookarounds, token)) put(at, end, lookarounds[token] ?? '')
      groups.push({ alternatives: [end] })
    } else if (token === ')') close(at)
    else if (token === '|') groups.at(-1)?.alternatives.push(end)
    else for (const quantifier of quantifiersFor(token)) put(at, end, quantifier)
    at = end
  }
  close(pattern.length)
  return edits
}

const escape = /^\\(?:u\{[^}]*\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|c[A-Za-z]|k<[^>]*>|[pP]\{[^}]*\}|[^])/
const opening = /^\((?:\?(?:<[=!]|[=!]|<[^>]*>|[a-z]*(?:-[a-z]*)?:))?/
const quantifier = /^(?:[*+?]|\{\d+(?:,\d*)?\})\??/

function tokenAt(pattern: string, at: number): string {
  const rest = pattern.slice(at)
  if (rest.startsWith('[')) return classAt(rest)
  return escape.exec(rest)?.[0] ?? opening.exec(rest)?.[0] ?? quantifier.exec(rest)?.[0] ?? rest.slice(0, 1)
}

function classAt(rest: string): string {
  let depth = 0
  for (let at = 0; at < rest.length; at++) {
    const character = rest[at]
    if (character === '\\') at++
    // Classes nest only with the flag `v`. Without it, a `[` in a class leaves `depth` above 0: see the fallback below.
    else if (character === '[') depth++
    else if (character === ']' && --depth <= 0) return rest.slice(0, at + 1)
  }
  const end = rest.search(/(?<!\\)\]/)
  return rest.slice(0, end < 0 ? rest.length : end + 1)
}

/** Returns similar quantifiers to replace a token with; none if it is no quantifier. */
function quantifiersFor(token: string): readonly string[] {
  const [, kind = '', lazy = ''] = /^([*+?]|\{.*\})(\??)$/.exec(token) ?? []
  switch (kind) {
    case '':
      return []
    case '+':
      return [`*${lazy}`]
    case '*':
      return [`+${lazy}`]
    case '?':
      return ['']
    default:
      return boundsFor(kind).map((bounds) => `{${bounds}}${lazy}`)
  }
}

function boundsFor(kind: string): readonly string[] {
  const [, from = '0', comma = '', to = ''] = /^\{(\d+)(,?)(\d*)\}$/.exec(kind) ?? []
  const [least, most] = [Number(from), to === '' ? Infinity : Number(to)]
  const least1 = [least - 1, least + 1].filter((bound) => bound >= 0 && bound <= most)
  if (comma === '') return [least - 1, least + 1].filter((bound) => bound >= 0).map(String)
  const lower = least1.map((bound) => `${bound},${to}`)
  if (to === '') return lower
  return [...lower, ...[most - 1, most + 1].filter((bound) => bound >= least).map((bound) => `${least},${bound}`)]
}

/** Returns the flags with one left out, for each flag that can make a difference to the pattern. */
export function flagChanges(pattern: string, flags: string): readonly string[] {
  const matters: Readonly<Record<string, RegExp>> = {
    i: /[a-z]/i,
    m: /[$^]/,
    s: /\./,
    g: /(?:)/,
    y: /(?:)/,
    // oxlint-disable-next-line no-control-regex -- a pattern of ASCII alone matches the same with and without `u`
    u: /[^\u0000-\u007f]|\\[pPuWDS]|\[\^|\./,
  }
  return flags
    .split('')
    .filter((flag) => matters[flag]?.test(pattern) === true)
    .map((flag) => flags.replace(flag, ''))
}
