import type { z } from 'zod'
import { choiceOf, quoted } from '../model/text.ts'
import type { JsonPath, PlaceOf, Problem } from '../model/errors.ts'
import { didYouMean } from './suggest.ts'

type SchemaIssue = z.core.$ZodIssue

/** A value with the positions of its parts. */
interface Placed {
  readonly value: unknown
  readonly place: PlaceOf
}

/** Hints for messages about one kind of file. */
export interface SchemaHints {
  /** Valid keys, each with the remedy if it is in the wrong place. Used to correct misspelt keys. */
  readonly keys?: ReadonlyMap<string, string>
  /** Remedy for a key that resembles no valid key. */
  readonly otherwise?: string
  /** Words that the schema knows only in order to reject them. No message offers them. */
  readonly refusedWords?: ReadonlySet<string>
  /** Remedies by the name of a part that is missing, of the wrong type, or out of range. */
  readonly missing?: ReadonlyMap<string, string>
  readonly shapes?: ReadonlyMap<string, string>
  readonly units?: ReadonlyMap<string, string>
}

/**
 * Converts the schema issues of a part of a file into problems that its author can act on.
 *
 * @param at path of the part in the file
 */
export function schemaProblems(
  issues: readonly SchemaIssue[],
  parsed: Placed,
  at: JsonPath = [],
  hints: SchemaHints = {},
): Problem[] {
  return issues.flatMap((issue) => {
    const path = [...at, ...issue.path]
    if (issue.code === 'unrecognized_keys') {
      const { keys = new Map<string, string>(), otherwise } = hints
      return issue.keys.map((key): Problem => {
        const place = parsed.place([...path, key], 'key')
        // A known key in the wrong place is not a misspelt one.
        const remedy = (keys.get(key) || didYouMean(key, keys.keys())) ?? otherwise
        return { severity: 'error', place, message: `unknown key ${quoted(key)}`, remedy }
      })
    }
    const nearest = issue.code === 'invalid_union' ? nearestOption(issue, valueAt(parsed.value, path)) : undefined
    if (nearest !== undefined) return schemaProblems(nearest, parsed, path, hints)
    const { message, remedy } = explained(issue, path, valueAt(parsed.value, path), hints)
    return { severity: 'error', place: parsed.place(path, 'value'), message, remedy }
  })
}

type Explained = Pick<Problem, 'message' | 'remedy'>

function explained(
  issue: Exclude<SchemaIssue, z.core.$ZodIssueUnrecognizedKeys>,
  path: JsonPath,
  value: unknown,
  { missing, shapes, units, refusedWords }: SchemaHints,
): Explained {
  const name = path.length === 0 ? 'the file' : `\`${partName(path)}\``
  if (value === undefined) return { message: `${name} is missing`, remedy: missing?.get(partName(path)) }
  switch (issue.code) {
    case 'invalid_type':
      return {
        message: `${name} must be ${kindNamed(issue.expected)}, not ${issue.expected === 'int' && typeof value === 'number' ? value : kindOf(value)}`,
        remedy: shapes?.get(partName(path)),
      }
    case 'invalid_value':
      return unknownValue(name, value, issue.values.map(String))
    case 'invalid_union':
      return unionProblem(name, value, issue, refusedWords)
    case 'too_small':
      if (issue.origin === 'string' || issue.origin === 'array')
        return { message: `${name} is empty`, remedy: undefined }
      return {
        message: `${name} must be ${issue.inclusive === true ? 'at least' : 'above'} ${issue.minimum}`,
        remedy: units?.get(partName(path)),
      }
    case 'too_big':
      return { message: `${name} must be at most ${issue.maximum}`, remedy: units?.get(partName(path)) }
    case 'custom': {
      const remedy: unknown = issue.params?.['remedy']
      const whole = typeof remedy === 'string'
      return { message: whole ? issue.message : `${name} ${issue.message}`, remedy: whole ? remedy : undefined }
    }
    case 'invalid_format':
      return issue.message.startsWith('Invalid')
        ? { message: `${name} is not valid: ${wordOrKind(value)}`, remedy: undefined }
        : { message: `${name} ${issue.message}`, remedy: undefined }
    case 'not_multiple_of':
    case 'invalid_key':
    case 'invalid_element':
      return { message: `${name} is not valid: ${issue.message}`, remedy: undefined }
  }
}

type Union = Extract<SchemaIssue, { code: 'invalid_union' }>

/** Returns the issues of the union's option that the value most likely meant; `undefined` if any could be meant. */
function nearestOption(issue: Union, value: unknown): readonly SchemaIssue[] | undefined {
  const options = issue.errors.filter((issues) =>
    issues.some(({ path, code }) => path.length > 0 || code === 'unrecognized_keys'),
  )
  if (typeof value !== 'object' || options.length === 0) return undefined
  const count = (issues: readonly SchemaIssue[]) =>
    issues.reduce((sum, one) => sum + (one.code === 'unrecognized_keys' ? one.keys.length : 1), 0)
  return options.toSorted((a, b) => count(a) - count(b))[0]
}

/** Explains a union's issue with the words that any of its options accepts. */
function unionProblem(
  name: string,
  value: unknown,
  issue: Union,
  refusedWords: ReadonlySet<string> = new Set(),
): Explained {
  const words = 'options' in issue && Array.isArray(issue.options) ? issue.options : wordsOf(issue)
  if (!issue.message.startsWith('Invalid')) return { message: `${name} ${issue.message}`, remedy: undefined }
  const kinds = issue.errors.flatMap(([first]) =>
    first?.code === 'invalid_type' && first.path.length === 0 ? [kindNamed(first.expected)] : [],
  )
  if (words.length + kinds.length === 0) return { message: `${name} is not valid`, remedy: undefined }
  const known = words.map(String).filter((word) => !refusedWords.has(word))
  if (known.length > 0 && (typeof value === 'string' || kinds.length === 0)) return unknownValue(name, value, known)
  const expected = [...(known.length > 0 ? [choiceOf(known)] : []), ...new Set(kinds)].join(' or ')
  return { message: `${name} must be ${expected}, not ${kindOf(value)}`, remedy: undefined }
}

function wordsOf({ errors }: Union): readonly unknown[] {
  return errors.flat().flatMap((issue) => {
    if (issue.code === 'invalid_value') return issue.values
    return issue.code === 'invalid_union' ? wordsOf(issue) : []
  })
}

function unknownValue(name: string, value: unknown, known: readonly string[]): Explained {
  const message = `${name} must be ${choiceOf(known)}, not ${wordOrKind(value)}`
  return { message, remedy: typeof value === 'string' ? didYouMean(value, known) : undefined }
}

/** Names a part: `timeout`, `args[0]`, `PreToolUse[1]`, or `the file` for the whole. */
function partName(path: JsonPath): string {
  const last = path.at(-1)
  if (last === undefined) return 'the file'
  return typeof last === 'number' ? `${partName(path.slice(0, -1))}[${last}]` : String(last)
}

function valueAt(value: unknown, path: JsonPath): unknown {
  return path.reduce((within: unknown, step) => {
    if (typeof within !== 'object' || within === null || !Object.hasOwn(within, step)) return undefined
    return Reflect.get(within, step)
  }, value)
}

/** Returns the kind of a JSON value as messages name it: `a string`, `an object`, `null`. */
export function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  // JSON has no infinity, but `JSON.parse` reads `1e999` as one.
  if (typeof value === 'number' && !Number.isFinite(value)) return 'a non-finite number'
  return kindNamed(typeof value)
}

/** Adds the article to the name of a kind from a schema. */
export function kindNamed(kind: string): string {
  if (kind === 'record') return 'an object'
  if (kind === 'int') return 'a whole number'
  return `${/^[aeiou]/.test(kind) ? 'an' : 'a'} ${kind}`
}

/** Describes a wrong value in place of a keyword: quotes a string, since it shows the mistake, else names its kind. */
export function wordOrKind(value: unknown): string {
  return typeof value === 'string' ? quoted(value) : kindOf(value)
}
