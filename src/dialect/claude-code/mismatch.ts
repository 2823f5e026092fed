import type { z } from 'zod'
import { limits } from '../../model/limits.ts'
import { printable } from '../../model/text.ts'

type Issue = z.core.$ZodIssue

/** What is wrong with a value, as one line: `tool_input: expected an object, got a string`. */
export function mismatch(error: z.ZodError, root: unknown): string {
  const issue = error.issues[0]
  if (issue === undefined) return 'not what was expected'
  const value = valueAt(root, issue.path)
  return `${placeOf(issue.path)}: expected ${wanted(issue)}, got ${isOneOfMany(issue) ? word(value) : kind(value)}`
}

/** The same for a word that has to be `want`. */
export function wrongWord(place: string, want: string, value: unknown): string {
  return `${place}: expected \`${want}\`, got ${word(value)}`
}

function placeOf(path: readonly PropertyKey[]): string {
  return path
    .map((key, index) => (typeof key === 'number' ? `[${key}]` : `${index > 0 ? '.' : ''}${String(key)}`))
    .join('')
}

const isOneOfMany = ({ code }: Issue) => code === 'invalid_value' || code === 'invalid_union'

const types: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  boolean: 'a boolean',
  array: 'a list',
  object: 'an object',
}

function wanted(issue: Issue): string {
  if (issue.code === 'invalid_type') return types[issue.expected] ?? issue.expected
  if (issue.code === 'invalid_value') return `one of ${issue.values.map(String).join(', ')}`
  // The event's own name is the only field that picks a schema.
  if (issue.code === 'invalid_union') return 'the name of an event of Claude Code'
  return issue.message
}

function kind(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  return Array.isArray(value) ? 'a list' : (types[typeof value] ?? typeof value)
}

/** A wrong word is repeated, since it says what was mistaken; a whole file would not. */
function word(value: unknown): string {
  if (typeof value !== 'string' || value.length > limits.quotedCharactersMax) return kind(value)
  return `\`${printable(value).replaceAll('\n', ' ')}\``
}

function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  let value = root
  for (const key of path) {
    if (typeof value !== 'object' || value === null) return undefined
    value = Reflect.get(value, key)
  }
  return value
}
