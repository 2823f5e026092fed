import type { z } from 'zod'
import type { Place } from '../../model/errors.ts'
import { isJsonObject } from '../../model/json.ts'
import type { Source } from '../../model/rule.ts'
import type { Problem, Refusal } from '../../model/problem.ts'
import type { RulesBudget } from './rules-budget.ts'
import type { ParsedJson } from './parse.ts'
import type { Path } from '../../model/problem.ts'
import { schemaProblems } from '../../model/schema-problems.ts'
import { rulesFileHints } from './wire.ts'
import type { Format } from '../format.ts'

/** A rules file being read: what has been understood of it, and everything that is wrong with it. */
export interface Reading {
  readonly source: Source
  readonly format: Format
  readonly home: string
  readonly budget: RulesBudget
  readonly parsed: ParsedJson
  readonly problems: Problem[]
  readonly places: Map<string, Place>
}

/** A part of the file by its schema; `undefined`, and the problems told, where it is not understood. */
export function read<T>(
  reading: Reading,
  schema: z.ZodType<T>,
  value: unknown,
  path: Path,
  keys?: ReadonlyMap<string, string>,
): T | undefined {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  for (const one of schemaProblems(result.error.issues, reading.parsed, path, rulesFileHints(keys)))
    reading.problems.push(one)
  return undefined
}

/** A part as far as it is understood; `isWhole` where nothing of it had to be left out. */
export interface Rest<T> {
  readonly rest: T | undefined
  readonly isWhole: boolean
}

/** The same, where what is wrong with one key, which is told, is to hide nothing that is wrong elsewhere in the part. */
export function readRest<T>(
  reading: Reading,
  schema: z.ZodType<T>,
  value: unknown,
  path: Path,
  keys?: ReadonlyMap<string, string>,
): Rest<T> {
  const result = schema.safeParse(value)
  if (result.success) return { rest: result.data, isWhole: true }
  for (const one of schemaProblems(result.error.issues, reading.parsed, path, rulesFileHints(keys)))
    reading.problems.push(one)
  if (!isJsonObject(value)) return { rest: undefined, isWhole: false }
  const wrong = new Set(result.error.issues.flatMap(keysOf))
  const left = Object.fromEntries(Object.entries(value).filter(([key]) => !wrong.has(key)))
  return { rest: schema.safeParse(left).data, isWhole: false }
}

function keysOf(issue: z.core.$ZodIssue): readonly PropertyKey[] {
  return issue.path.length === 0 && issue.code === 'unrecognized_keys' ? issue.keys : issue.path.slice(0, 1)
}

export function refuse(reading: Reading, { message, remedy }: Refusal, path: Path): undefined {
  problem(reading, 'error', path, 'value', message, remedy)
}

export function problem(
  { parsed, problems }: Reading,
  severity: Problem['severity'],
  path: Path,
  part: 'key' | 'value',
  message: string,
  remedy: string | undefined,
): void {
  problems.push({ severity, place: parsed.place(path, part), message, remedy })
}
