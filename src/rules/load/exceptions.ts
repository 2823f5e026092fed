import { isAbsolute } from 'node:path'
import { z } from 'zod'
import { type Exception, exceptionName, isOver } from '../../model/exception.ts'
import { limits } from '../../model/limits.ts'
import { type JsonPath, type Refusal, refused, type Problem } from '../../model/errors.ts'
import { quoted } from '../../model/text.ts'
import { subjectOf, namesRule, shortRuleId } from '../match/word-pattern.ts'
import { problem, readRest, refuse, type RulesFileState } from './reading.ts'
import { someText } from './wire.ts'
import type { Rule } from '../../model/rule.ts'
import { authority } from '../../model/effect.ts'
import { didYouMean } from '../../words/suggest.ts'
import { isReallyWithin } from '../../files/real-path.ts'
import type { LoadedRules } from './draft.ts'

const exceptionText = someText.max(limits.exceptionCharactersMax)
/** Takes back what a rule says of a command or path. */
export const ExceptionEntry = z.strictObject({
  rule: exceptionText.describe('The rule, such as `git-safety/force-push` or `secrets/*`.'),
  command: exceptionText
    .optional()
    .describe('The words of a command: `*` is one word or a part of one, a final `**` all further words.'),
  path: exceptionText.optional().describe('A file or folder, from the root of the project: `fixtures/**`.'),
  project: exceptionText.optional().describe('The only project in which it is in force. Default: all.'),
  reason: z.string().optional().describe('Why it is needed. Reported wherever the exception counts.'),
  until: z.string().optional().describe('The last day on which it is in force: `2027-01-31`.'),
})

/** Reads the `exceptions` of a rules file. One that is wrong is reported, and the file does not load. */
export function exceptionsIn(reading: RulesFileState, values: readonly unknown[]): readonly Exception[] {
  const at: JsonPath = ['exceptions']
  const { source } = reading
  if (values.length === 0) return []
  if (source.scope === 'project') {
    const message = "a project's file cannot except rules"
    const remedy = 'put them into ~/.config/hookgate/hooks.json, with the `project` they are for'
    problem(reading, 'error', at, 'key', message, remedy)
    return []
  }
  if (values.length > exceptionsMax) {
    const message = `it has more than ${exceptionsMax} exceptions`
    problem(reading, 'error', at, 'key', message, 'combine them with `*`, or leave the rule out')
    return []
  }
  return values.flatMap((value, index) => exceptionOf(reading, value, [...at, index], index) ?? [])
}
/** Exceptions of one file. A person who needs more should leave the rule out. */
const exceptionsMax = 500

function exceptionOf(reading: RulesFileState, value: unknown, at: JsonPath, index: number): Exception | undefined {
  const { rest, isWhole } = readRest(reading, ExceptionEntry, value, at, knownExceptionKeys)
  if (rest === undefined) return undefined
  const { rule, reason } = rest
  const subject = subjectOf(rest, reading.home)
  const project = rest.project === undefined ? undefined : exceptionFolder(rest.project, reading.home)
  const endsAtMs = rest.until === undefined ? undefined : endOfDay(rest.until)
  if ('message' in subject) {
    refuse(reading, subject, subject.key === undefined ? at : [...at, subject.key])
  }
  if (typeof project === 'object') refuse(reading, project, [...at, 'project'])
  if (typeof endsAtMs === 'object') refuse(reading, endsAtMs, [...at, 'until'])
  if (!isWhole || 'message' in subject || typeof project === 'object' || typeof endsAtMs === 'object') return undefined
  const { source, parsed } = reading
  return {
    name: exceptionName(source.id, index),
    scope: source.scope,
    ...(source.bundled === true && { bundled: true }),
    rule,
    subject,
    project,
    session: undefined,
    endsAtMs,
    reason,
    place: parsed.place([...at, 'rule'], 'value'),
  }
}

const knownExceptionKeys: ReadonlyMap<string, string> = new Map(
  Object.keys(ExceptionEntry.shape).map((key) => [key, '']),
)

function exceptionFolder(text: string, home: string): string | Refusal {
  const folder = text === '~' || text.startsWith('~/') ? home + text.slice(1) : text
  const isPlain = isAbsolute(folder) && !folder.split('/').includes('..') && !folder.includes('*')
  return isPlain
    ? folder
    : refused(`${quoted(text)} is not the whole path of a folder`, 'write it from `/` or `~/`, without `*`')
}

/** Returns the end of a day in local time. */
export function endOfDay(day: string): number | Refusal {
  const [, year, month, date] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day) ?? []
  const next = new Date(Number(year), Number(month) - 1, Number(date) + 1)
  const last = new Date(Number(year), Number(month) - 1, Number(date))
  const isDay = last.getMonth() === Number(month) - 1 && last.getDate() === Number(date)
  return isDay ? next.getTime() : refused(`${quoted(day)} is no day`, 'write the last day as `2027-01-31`')
}

/** Warns of exceptions that have no effect: expired ones, and those of rules that do not exist or have more authority. */
export function exceptionProblems(
  loaded: readonly LoadedRules[],
  workspaceRoots: readonly string[],
  nowMs: number,
): readonly Problem[] {
  const rules = loaded.flatMap((one) => one.rules)
  return loaded.flatMap(({ exceptions }) =>
    exceptions.flatMap(
      (one) => expired(one, nowMs) ?? (isAbout(one, workspaceRoots) ? ineffective(one, rules) : []) ?? [],
    ),
  )
}

function expired(one: Exception, nowMs: number): Problem | undefined {
  const { place } = one
  if (place === undefined || !isOver(one, nowMs)) return undefined
  const remedy = 'remove it, or give it a later `until`'
  return { severity: 'warning', place, message: 'this exception has expired', remedy }
}

/** The rules of another project are not among those that are read. */
const isAbout = ({ project }: Exception, roots: readonly string[]) =>
  project === undefined || roots.some((root) => isReallyWithin(root, project) || isReallyWithin(project, root))

function ineffective({ rule, scope, place }: Exception, rules: readonly Rule[]): Problem | undefined {
  if (place === undefined) return undefined
  const named = rules.filter((one) => namesRule(rule, one))
  if (named.length === 0) {
    const remedy = didYouMean(rule, rules.map(shortRuleId)) ?? '`hookgate explain --all ls` lists the rules in force'
    return { severity: 'warning', place, message: `no rule in force is named ${quoted(rule)}`, remedy }
  }
  if (named.some((one) => authority[scope] >= authority[one.source.scope])) return undefined
  const above = [...new Set(named.map(({ source }) => source.scope))]
  const message = `a ${scope}'s file cannot except ${quoted(rule)}, which is a rule of the ${above.join(' and ')} file`
  return { severity: 'warning', place, message, remedy: `except it in ${named[0]?.source.file ?? ''}` }
}
