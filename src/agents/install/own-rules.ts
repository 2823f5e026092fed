import { isJsonObject, type Json, type JsonObject, objectsIn } from '../../model/json.ts'
import type { InstallSite } from './install.ts'

/** Access to the files in which an agent keeps its rules. A malformed file is an error, a missing one holds nothing. */
export interface OwnRulesSite extends Omit<InstallSite, 'settings'> {
  json(file: string): Json | undefined
  toml(file: string): Json | undefined
  text(file: string): string | undefined
  /** Lists the files of a folder. */
  files(folder: string): readonly string[]
}

/** A rule that an agent's own settings hold, in hookgate's form, or the reason why it has none there. */
export type OwnRule =
  | {
      readonly kind: 'permission'
      readonly from: string
      readonly effect: 'deny' | 'ask' | 'allow'
      /** A permission rule, such as `Bash(git push *)`. */
      readonly text: string
    }
  | {
      readonly kind: 'hook'
      readonly from: string
      /** The event by the agent's own name. */
      readonly event: string
      readonly matcher: string | undefined
      /** The handler, in the format of hookgate's rules file. */
      readonly handler: JsonObject
    }
  | { readonly kind: 'untranslated'; readonly from: string; readonly what: string; readonly why: string }

export const untranslated = (from: string, what: string, why: string): OwnRule => ({
  kind: 'untranslated',
  from,
  what,
  why,
})

/** Returns the texts of a list, each made a rule; whatever is not a text is reported. */
export function rulesOfTexts(
  from: string,
  what: string,
  list: Json | undefined,
  ruleOf: (text: string) => OwnRule,
): readonly OwnRule[] {
  if (list === undefined) return []
  if (!Array.isArray(list)) return [untranslated(from, what, 'it is not a list')]
  return list.map((text) =>
    typeof text === 'string'
      ? ruleOf(text)
      : untranslated(from, `${what}: ${JSON.stringify(text)}`, 'it is not a text'),
  )
}

/** Writes words as a rule for the shell commands that begin with them; `undefined` if a word cannot be written so. */
export function commandRule(words: readonly string[]): string | undefined {
  if (words.length === 0 || words.some((word) => word === '' || /[\s()\\]/.test(word))) return undefined
  return `shell(${words.map((word) => word.replaceAll('*', '\\*')).join(' ')} *)`
}

/**
 * Reads hooks in groups below their events.
 *
 * @param handlerOf translates a handler into the format of hookgate's rules file
 * @param matcherOf translates a matcher
 */
export function hooksInGroups(
  from: string,
  hooks: Json | undefined,
  handlerOf: (handler: JsonObject) => JsonObject,
  matcherOf = (matcher: string) => matcher,
): readonly OwnRule[] {
  if (hooks === undefined) return []
  if (!isJsonObject(hooks)) return [untranslated(from, '`hooks`', 'it is not an object')]
  return Object.entries(hooks).flatMap(([event, groups]) =>
    objectsIn(groups).flatMap(({ matcher, hooks: handlers }) =>
      objectsIn(handlers).map((handler): OwnRule => {
        const named = typeof matcher === 'string' ? matcherOf(matcher) : undefined
        return { kind: 'hook', from, event, matcher: named, handler: handlerOf(handler) }
      }),
    ),
  )
}
