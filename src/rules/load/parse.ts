import { type Location, type MemberNode, parse, type ValueNode } from '@humanwhocodes/momoa'
import { limits } from '../../model/limits.ts'
import { printable, quoted } from '../../model/text.ts'
import type { PlaceOf, Problem } from '../../model/problem.ts'

/** A JSON text as a value that knows where each part of it stands. */
export interface ParsedJson {
  /** `undefined` where the text is no JSON at all. */
  readonly value: unknown
  readonly problems: readonly Problem[]
  /** Where a value stands, or the key before it; the nearest thing around it where there is no such value. */
  readonly place: PlaceOf
}

/**
 * Reads a file's bytes as strict JSON: UTF-8 (a byte order mark is let pass), no comments but in files of agents that let
 * them pass, no trailing commas.
 *
 * A key that stands twice is an error: by JSON's own rules the second silently replaces the first, which may be a guard.
 */
export function parseJson(bytes: Uint8Array, file: string, comments: 'refused' | 'blanked' = 'refused'): ParsedJson {
  const broken = (message: string, at: { line: number; column: number } | undefined, remedy?: string): ParsedJson => {
    const place = { file, ...at }
    return { value: undefined, problems: [{ severity: 'error', place, message, remedy }], place: () => place }
  }
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return broken('it is not UTF-8', undefined, 'save it as UTF-8')
  }
  if (comments === 'blanked') text = withoutComments(text)
  if (text.trim() === '') return broken('it is empty', { line: 1, column: 1 }, 'write `{"hooks": {}}`, or remove it')
  const tooDeep = tooDeepAt(text)
  if (tooDeep !== undefined) {
    return broken(`brackets are nested more than ${limits.rulesFileDepthMax} levels deep`, position(text, tooDeep))
  }
  try {
    const value: unknown = JSON.parse(text)
    const { body } = parse(text, { mode: 'json' })
    return { value, problems: duplicates(body, file), place: placesOf(body, file) }
  } catch (error) {
    const { message, offset } = syntaxError(error, text)
    return broken(`it is not JSON: ${printable(message)}`, position(text, offset), remedyFor(text, offset))
  }
}

/** Where brackets nest too deep: the parser recurses, and a stack overflow is not something to be told apart from. */
function tooDeepAt(text: string): number | undefined {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === '"') at = stringEnd(text, at)
    else if (character === '{' || character === '[') depth++
    else if (character === '}' || character === ']') depth--
    if (depth > limits.rulesFileDepthMax) return at
  }
  return undefined
}

/** The same text with blanks for comments, so that everything else stands where it stood. */
function withoutComments(text: string): string {
  let kept = ''
  for (let at = 0; at < text.length; at++) {
    const end = text[at] === '"' ? stringEnd(text, at) : at
    const comment = /^(?:\/\/[^\n]*|\/\*[^]*?\*\/)/.exec(text[at] === '/' ? text.slice(at) : '')?.[0] ?? ''
    kept += comment === '' ? text.slice(at, end + 1) : comment.replaceAll(/[^\n]/g, ' ')
    at = comment === '' ? end : at + comment.length - 1
  }
  return kept
}

function stringEnd(text: string, start: number): number {
  let at = start + 1
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at
}

function position(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset).split('\n')
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
}

/** `JSON.parse` says it best, but not always where; momoa always says where. */
function syntaxError(error: unknown, text: string): { message: string; offset: number } {
  if (!(error instanceof SyntaxError)) throw error
  const [, said, offset] = /^(.*) in JSON at position (\d+)/s.exec(error.message) ?? []
  const end = text.trimEnd().length
  if (error.message.startsWith('Unexpected end') || Number(offset) >= end) {
    return { message: 'it ends too early', offset: end }
  }
  if (said !== undefined) return { message: lowerFirst(said), offset: Number(offset) }
  try {
    parse(text, { mode: 'json' })
  } catch (placed) {
    if (placed instanceof Error && 'offset' in placed && typeof placed.offset === 'number') {
      return misplaced(text, placed.offset)
    }
  }
  return { message: lowerFirst(error.message), offset: 0 }
}

/** What stands at a place, and what is expected there by what stands before it. */
function misplaced(text: string, offset: number): { message: string; offset: number } {
  // A word is told whole, and not from the first of its letters that is none of `true`'s.
  const begun = /[\w$]*$/.exec(text.slice(Math.max(0, offset - wordMax), offset))?.[0] ?? ''
  const start = offset - (/^(?:true|false|null|\d*)$/.test(begun) ? 0 : begun.length)
  const [found = ''] = /^(?:[\w$]+|[^])/u.exec(text.slice(start, start + wordMax)) ?? []
  return {
    message: `expected ${expectedAfter(text.slice(0, start).trimEnd())}, not ${quoted(found)}`,
    offset: start,
  }
}
const wordMax = 100

/** Within brackets `JSON.parse` itself says what may follow a value. */
function expectedAfter(before: string): string {
  const last = before.at(-1)
  if (last === '[') return 'a value or `]`'
  return last === undefined || last === ':' || last === ',' ? 'a value' : 'the end of the file'
}

const lowerFirst = (text: string) => `${text.charAt(0).toLowerCase()}${text.slice(1)}`

/** The four things that people write into JSON and that are not JSON. */
function remedyFor(text: string, offset: number): string | undefined {
  const next = text[offset]
  if (next === '/') return 'JSON has no comments: remove it'
  if (next === "'") return 'JSON strings need double quotes'
  const before = text.slice(0, offset).trimEnd()
  if (/^[A-Za-z_$]/.test(next ?? '') && /(?:^|[[{:,])$/.test(before)) return 'text needs double quotes'
  const endsWithComma = before.endsWith(',')
  return (next === '}' || next === ']') && endsWithComma ? 'remove the comma before it' : undefined
}

function duplicates(node: ValueNode, file: string): Problem[] {
  if (node.type === 'Array') return node.elements.flatMap(({ value }) => duplicates(value, file))
  if (node.type !== 'Object') return []
  const seen = new Map<string, number>()
  return node.members.flatMap(({ name, value }): Problem[] => {
    const key = keyOf(name)
    const { line, column } = name.loc.start
    const place = { file, line, column }
    const first = seen.get(key)
    seen.set(key, first ?? line)
    const below = duplicates(value, file)
    if (key === '__proto__') {
      return [{ severity: 'error', place, message: 'a key cannot be `__proto__`', remedy: 'remove it' }, ...below]
    }
    if (first === undefined) return below
    const message = `the key ${quoted(key)} appears twice, first on line ${first}; the second would replace the first`
    return [{ severity: 'error', place, message, remedy: 'merge them' }, ...below]
  })
}

function placesOf(body: ValueNode, file: string): ParsedJson['place'] {
  // A file of nothing but mistakes asks for the place of each; looking through all members each time would be quadratic.
  const members = new Map<ValueNode, Map<PropertyKey, Member>>()
  return (path, part) => {
    let node = body
    let { start } = body.loc
    for (const [depth, step] of path.entries()) {
      const known = members.get(node) ?? membersOf(node)
      members.set(node, known)
      const member = known.get(step)
      if (member === undefined) break
      start = part === 'key' && depth === path.length - 1 ? member.key : member.value.loc.start
      node = member.value
    }
    return { file, line: start.line, column: start.column }
  }
}

interface Member {
  readonly key: Location
  readonly value: ValueNode
}

function membersOf(node: ValueNode): Map<PropertyKey, Member> {
  if (node.type === 'Array') {
    return new Map(node.elements.map(({ loc, value }, index) => [index, { key: loc.start, value }]))
  }
  if (node.type !== 'Object') return new Map()
  return new Map(node.members.map(({ name, value }) => [keyOf(name), { key: name.loc.start, value }]))
}

const keyOf = (name: MemberNode['name']) => (name.type === 'String' ? name.value : name.name)
