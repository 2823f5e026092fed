import type { z } from 'zod'
import type { Place } from '../../model/errors.ts'
import { isJsonObject } from '../../model/json.ts'
import type { Source } from '../../model/rule.ts'
import type { Problem, Refusal } from '../../model/problem.ts'
import type { RulesBudget } from './rules-budget.ts'
import type { ParsedJson } from '../../files/parse-json.ts'
import type { Path } from '../../model/problem.ts'
import { schemaProblems } from '../../model/schema-problems.ts'
import { rulesFileHints } from './wire.ts'
import type { Format } from '../format.ts'

/** The state of reading a rules file: what has been understood so far, and everything that is wrong with it. */
export interface Reading {
  readonly source: Source
  readonly format: Format
  readonly home: string
  readonly budget: RulesBudget
  readonly parsed: ParsedJson
  readonly problems: Problem[]
  readonly places: Map<string, Place>
}

/** Parses a part of the file by its schema; returns `undefined`, and reports the problems, if it is invalid. */
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

/** The valid members of a part; `isWhole` if none had to be left out. */
export interface Rest<T> {
  readonly rest: T | undefined
  readonly isWhole: boolean
}

/**
 * Parses a part of the file without its invalid keys, which are reported, so that they hide no problems elsewhere in
 * it.
 */
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
