import { z } from 'zod'
import { titleOf } from '../registry.ts'
import type { AgentName } from '../../model/event.ts'
import { HookgateError, type JsonPath } from '../../model/errors.ts'
import { kindNamed, kindOf, wordOrKind } from '../../words/schema-problems.ts'
import { limits } from '../../model/limits.ts'
import { choiceOf, quoted } from '../../model/text.ts'
import { isJsonObject, type Json, type JsonObject } from '../../model/json.ts'

type Issue = z.core.$ZodIssue

/**
 * Describes what is wrong with a value in one line: "`tool_input` must be an object, not a string".
 *
 * Needs issues made with `reportInput`. `at` is the path of the value.
 */
export function mismatch(issues: readonly Issue[], at: JsonPath = []): string {
  const wrong = issues.flatMap((issue) => wrongFields(issue, [...at, ...issue.path]))
  const named = wrong.slice(0, limits.wrongFieldsNamedMax)
  const more = wrong.length - named.length
  return `${named.join('; ')}${more === 0 ? '' : `; and ${more} more`}`
}

/** Describes a value that must be the word `wanted`. */
export function wrongWord(path: JsonPath, wanted: string, value: unknown): string {
  return mustBe(path, choiceOf([wanted]), value, wordOrKind)
}

/** Describes a value that must be the name of one of an agent's events. */
export function wrongEventName(agent: AgentName, key: string, value: unknown): string {
  const title = titleOf(agent)
  return mustBe([key], `the name of ${/^[AEIOU]/.test(title) ? 'an' : 'a'} ${title} event`, value, wordOrKind)
}

/** Describes a value that must be of the `wanted` kind. */
export function wrongKind(path: JsonPath, wanted: string, value: unknown): string {
  return mustBe(path, wanted, value, kindOf)
}

function wrongFields(issue: Issue, path: JsonPath): string | readonly string[] {
  switch (issue.code) {
    case 'invalid_type':
      return mustBe(path, kindNamed(issue.expected), issue.input, kindOf)
    case 'invalid_value':
      return mustBe(path, choiceOf(issue.values.map(String)), issue.input, wordOrKind)
    case 'too_small':
      // The only size that the schemas require is that of a name.
      return `${placeOf(path)} must not be empty`
    case 'unrecognized_keys':
      return issue.keys.map((key) => `${placeOf([...path, key])} is not a known field`)
    case 'custom':
    case 'invalid_union':
    case 'too_big':
    case 'invalid_format':
    case 'not_multiple_of':
    case 'invalid_key':
    case 'invalid_element':
      // The messages of the dialects' own schemas name what they expect.
      return mustBe(path, issue.message, issue.input, kindOf)
  }
}

function mustBe(path: JsonPath, wanted: string, value: unknown, shown: (value: unknown) => string): string {
  return `${placeOf(path)} must be ${wanted}, ${value === undefined ? 'but is missing' : `not ${shown(value)}`}`
}

/** Formats a path: `tool_calls[0].tool_input`. Quoted, since a path can hold a parameter's name that a model wrote. */
function placeOf(path: JsonPath): string {
  if (path.length === 0) return 'the whole'
  const steps = path.map((key, index) =>
    typeof key === 'number' ? `[${key}]` : `${index > 0 ? '.' : ''}${String(key)}`,
  )
  return quoted(steps.join(''))
}

/** Makes the error for an event that the agent would not send. It is refused: an empty call would pass every rule. */
export function malformed(agent: AgentName, what: string): HookgateError {
  return new HookgateError('eventMalformed', what, {
    remedy: `send the event as ${titleOf(agent)} writes it to the stdin of a hook`,
  })
}

// Values read with these were parsed from JSON, so the members of an object need no validation as JSON: an event
// carries whole files, is decoded for every tool call, and may nest deeper than the stack, on which `z.json()`
// recurses. The messages name the expected kind.
export const anObject = z.custom<JsonObject>(isJsonObject, 'an object')
export const anything = z.custom<Json>((value) => value !== undefined, 'a value')
