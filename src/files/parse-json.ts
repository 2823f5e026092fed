import { type Node, type ParseError, parseTree } from 'jsonc-parser'
import { lowerFirst, printable, quoted } from '../model/text.ts'
import type { PlaceOf, Problem } from '../model/errors.ts'

/** A parsed JSON text with the position of each of its parts. */
export interface ParsedJson {
  /** `undefined` if the text is not JSON. */
  readonly value: unknown
  /** The syntax tree of the text, whose offsets are behind a byte order mark. */
  readonly root: Node | undefined
  readonly problems: readonly Problem[]
  /** Returns the position of a value, or of the key before it; of its nearest ancestor if there is no such value. */
  readonly place: PlaceOf
}

/** Where a kind of file departs from a rules file. */
interface JsonForm {
  /** How deep brackets may nest. */
  readonly depthMax: number
  /** What to do about an empty file. */
  readonly whereEmpty: string
  /** Comments are accepted. Default: they are not. */
  readonly hasComments?: boolean
  /** The key `__proto__` is accepted: the value is never read by key. Default: it is not. */
  readonly hasAnyKey?: boolean
}

/** How deep a rules file's brackets may nest. Its own format needs seven; the parser below it recurses. */
export const rulesFileDepthMax = 32

/** A rules file of hookgate's own. */
export const rulesFile: JsonForm = {
  depthMax: rulesFileDepthMax,
  whereEmpty: 'write `{"preset": "recommended"}` for a start (`hookgate packs` lists the presets), or remove it',
}

/** The managed one, which `hookgate new managed` writes with every key explained. */
export const managedRulesFile: JsonForm = { ...rulesFile, hasComments: true }

/**
 * Parses a file's bytes as strict JSON: UTF-8 (a byte order mark is accepted), no comments, no trailing commas.
 *
 * A duplicate key is an error: by JSON's own rules the second silently replaces the first, which may be a guard.
 *
 * @param form of a file other than a rules file
 */
export function parseJson(bytes: Uint8Array, file: string, form: JsonForm = rulesFile): ParsedJson {
  const broken = (message: string, at?: Position, remedy?: string): ParsedJson => {
    const place = { file, ...at }
    const problem = { severity: 'error', place, message, remedy } as const
    return { value: undefined, root: undefined, problems: [problem], place: () => place }
  }
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return broken('it is not UTF-8', undefined, 'save it as UTF-8')
  }
  if (text.trim() === '') return broken('it is empty', { line: 1, column: 1 }, form.whereEmpty)
  if (form.hasComments === true) text = withoutComments(text)
  const tooDeep = tooDeepAt(text, form.depthMax)
  if (tooDeep !== undefined) {
    const message = `brackets are nested more than ${form.depthMax} levels deep`
    return broken(message, positionsIn(text)(tooDeep))
  }
  try {
    const value: unknown = JSON.parse(text)
    const root = parseTree(text)
    const at = positionsIn(text)
    if (root === undefined) return broken('it is not JSON')
    return { value, root, problems: wrongKeys(root, file, at, form), place: placesOf(root, file, at) }
  } catch (error) {
    const { message, offset } = syntaxError(error, text)
    return broken(`it is not JSON: ${printable(message)}`, positionsIn(text)(offset), remedyFor(text, offset))
  }
}

/** Blanks comments, so that every offset stays what it is. */
function withoutComments(text: string): string {
  const parts: string[] = []
  let kept = 0
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '"') at = stringEnd(text, at)
    const end = commentEnd(text, at)
    if (end === undefined) continue
    parts.push(text.slice(kept, at), text.slice(at, end).replace(/[^\r\n]/g, ' '))
    kept = end
    at = end - 1
  }
  return `${parts.join('')}${text.slice(kept)}`
}

/**
 * Finds where a comment that starts here ends; `undefined` where none starts.
 *
 * As for the agents that accept comments, one of a line ends at a line feed alone, and one without an end at the file's.
 */
export function commentEnd(text: string, start: number): number | undefined {
  const kind = text.slice(start, start + 2)
  if (kind !== '//' && kind !== '/*') return undefined
  const end = text.indexOf(kind === '//' ? '\n' : '*/', start + 2)
  if (end === -1) return text.length
  if (kind === '/*') return end + 2
  return text[end - 1] === '\r' ? end - 1 : end
}

/** Finds where brackets nest too deep: the parser recurses, and a stack overflow would look like any other error. */
function tooDeepAt(text: string, depthMax: number): number | undefined {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === '"') at = stringEnd(text, at)
    else if (character === '{' || character === '[') depth++
    else if (character === '}' || character === ']') depth--
    if (depth > depthMax) return at
  }
  return undefined
}

function stringEnd(text: string, start: number): number {
  let at = start + 1
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at
}

interface Position {
  readonly line: number
  readonly column: number
}

/** Maps offsets to positions. Line starts are found once, since a file full of mistakes asks for many positions. */
function positionsIn(text: string): (offset: number) => Position {
  const starts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)]
  return (offset) => {
    let [low, high] = [0, starts.length]
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if ((starts[middle] ?? 0) <= offset) low = middle
      else high = middle
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 }
  }
}

/** Combines the message of `JSON.parse`, which is the best one, with an offset, which it does not always give. */
function syntaxError(error: unknown, text: string): { message: string; offset: number } {
  if (!(error instanceof SyntaxError)) throw error
  const [, detail, offset] = /^(.*) in JSON at position (\d+)/s.exec(error.message) ?? []
  const end = text.trimEnd().length
  if (error.message.startsWith('Unexpected end') || Number(offset) >= end) {
    return { message: 'it ends too early', offset: end }
  }
  if (detail !== undefined) return { message: lowerFirst(detail), offset: Number(offset) }
  const errors: ParseError[] = []
  parseTree(text, errors, { disallowComments: true })
  const [first] = errors
  return first === undefined ? { message: lowerFirst(error.message), offset: 0 } : misplaced(text, first.offset)
}

/** Names the token at an offset, and what is expected there after the text before it. */
function misplaced(text: string, offset: number): { message: string; offset: number } {
  // A word is quoted whole, not from the first letter that differs from `true`, `false` or `null`.
  const word = /(?<![\w$])[\w$]*$/.exec(text.slice(Math.max(0, offset - wordMax), offset))?.[0] ?? ''
  const start = offset - (/^(?:true|false|null|\d*)$/.test(word) ? 0 : word.length)
  const [found = ''] = /^(?:[\w$]+|[^])/u.exec(text.slice(start, start + wordMax)) ?? []
  return {
    message: `expected ${expectedAfter(text.slice(0, start).trimEnd())}, not ${quoted(found)}`,
    offset: start,
  }
}
const wordMax = 100

/** Describes what may follow; within brackets the message of `JSON.parse` itself already does. */
function expectedAfter(before: string): string {
  const last = before.at(-1)
  if (last === '[') return 'a value or `]`'
  return last === undefined || last === ':' || last === ',' ? 'a value' : 'the end of the file'
}

/** Returns a remedy for four common things that people write into JSON and that are not JSON. */
function remedyFor(text: string, offset: number): string | undefined {
  const next = text[offset]
  if (next === '/') return 'JSON has no comments: remove it'
  if (next === "'") return 'JSON strings need double quotes'
  const before = text.slice(0, offset).trimEnd()
  if (/^[A-Za-z_$]/.test(next ?? '') && /(?:^|[[{:,])$/.test(before)) return 'text needs double quotes'
  const endsWithComma = before.endsWith(',')
  return (next === '}' || next === ']') && endsWithComma ? 'remove the comma before it' : undefined
}

function wrongKeys(node: Node, file: string, at: (offset: number) => Position, form: JsonForm): Problem[] {
  const children = node.children ?? []
  if (node.type !== 'object') return children.flatMap((child) => wrongKeys(child, file, at, form))
  const seen = new Map<string, number>()
  const problems: Problem[] = []
  for (const { children: [name, value] = [] } of children) {
    if (name === undefined || value === undefined) continue
    const key = String(name.value)
    const { line, column } = at(name.offset)
    const first = seen.get(key)
    seen.set(key, first ?? line)
    const wrong = wrongKey(key, first, form)
    if (wrong !== undefined) problems.push({ severity: 'error', place: { file, line, column }, ...wrong })
    problems.push(...wrongKeys(value, file, at, form))
  }
  return problems
}

/**
 * Describes a key that is not allowed.
 *
 * @param firstLine of the same key earlier in the same object
 */
function wrongKey(
  key: string,
  firstLine: number | undefined,
  { hasAnyKey = false }: JsonForm,
): Pick<Problem, 'message' | 'remedy'> | undefined {
  if (key === '__proto__' && !hasAnyKey) return { message: 'a key cannot be `__proto__`', remedy: 'remove it' }
  if (firstLine === undefined) return undefined
  const again = `the key ${quoted(key)} appears twice, first on line ${firstLine}`
  return { message: `${again}; the second would replace the first`, remedy: 'merge them' }
}

function placesOf(tree: Node, file: string, at: (offset: number) => Position): PlaceOf {
  // Searching all members for each mistake would be quadratic.
  const members = new Map<Node, ReadonlyMap<PropertyKey, Member>>()
  return (path, part) => {
    let node = tree
    let { offset } = tree
    for (const [depth, step] of path.entries()) {
      const known = members.get(node) ?? membersOf(node)
      members.set(node, known)
      const member = known.get(step)
      if (member === undefined) break
      offset = part === 'key' && depth === path.length - 1 ? member.keyOffset : member.value.offset
      node = member.value
    }
    return { file, ...at(offset) }
  }
}

interface Member {
  readonly keyOffset: number
  readonly value: Node
}

function membersOf({ type, children = [] }: Node): ReadonlyMap<PropertyKey, Member> {
  if (type === 'array') return new Map(children.map((value, index) => [index, { keyOffset: value.offset, value }]))
  if (type !== 'object') return new Map()
  return new Map(
    children.flatMap(({ children: [name, value] = [] }): [string, Member][] =>
      name === undefined || value === undefined ? [] : [[String(name.value), { keyOffset: name.offset, value }]],
    ),
  )
}
