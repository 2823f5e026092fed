import type { z } from 'zod'
import { isJsonObject } from '../../model/json.ts'
import { limits } from '../../model/limits.ts'
import { printable } from '../../model/text.ts'

/** What is wrong with one field: its name, what was wanted and what came. Needs issues made with `reportInput`. */
export function complaint(issue: z.core.$ZodIssue): string {
  const text = `\`${issue.path.map(String).join('.')}\` must be ${wanted(issue)}, but is ${described(issue.input)}`
  // A path can hold a parameter's name, which a model wrote.
  return printable(text).replace(/\s+/g, ' ')
}

function wanted(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type') return wantedTypes[issue.expected] ?? issue.expected
  if (issue.code === 'invalid_value') return `one of ${issue.values.map((value) => `\`${String(value)}\``).join(', ')}`
  // The one hand-written check is for an object, and the one size asked for is of a name.
  return issue.code === 'custom' ? 'an object' : 'a string that is not empty'
}

const wantedTypes: Readonly<Record<string, string>> = {
  string: 'a string',
  boolean: 'a boolean',
  number: 'a number',
  array: 'an array',
  object: 'an object',
  record: 'an object',
}

function described(value: unknown): string {
  if (value === undefined) return 'missing'
  if (value === null) return '`null`'
  if (Array.isArray(value)) return 'an array'
  if (isJsonObject(value)) return 'an object'
  if (typeof value === 'string') return `the string \`${JSON.stringify(value.slice(0, limits.quotedCharactersMax))}\``
  return `the ${typeof value} \`${JSON.stringify(value)}\``
}
