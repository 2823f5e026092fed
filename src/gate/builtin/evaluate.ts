import { maskedBeginning } from '../../mask/mask.ts'
import { indeterminate, notApplicable, type Outcome } from '../../model/evaluation.ts'
import type { HookEvent, ToolUse } from '../../model/event.ts'
import { toolCarries } from '../../model/tool-kinds.ts'
import { limits } from '../../model/limits.ts'
import type { BuiltinRule, PermissionEntry, PermissionList, UnsupportedHook } from '../../model/rule.ts'
import { pathsHere } from '../../model/shell.ts'
import { quoted, quotedSome } from '../../model/text.ts'
import type { ToolFacts } from '../../model/tool-facts.ts'
import {
  conditionSteps,
  domainMeets,
  inputFit,
  inputMeets,
  isOnCommand,
  namesTool,
} from '../../rules/match/condition.ts'
import { type StepBudget, stepBudget } from '../../rules/match/glob.ts'
import { commandFit, type Fit } from '../../rules/match/shell-condition.ts'
import { accessesOf, type PathBases, pathFit, touchedBy } from './permission-paths.ts'
import { allowingEntries } from './permitted.ts'
import { selfProtectionOutcome } from './self-protection.ts'
import type { PastView } from '../../past/past.ts'
import { limitOutcome, tokenOutcome } from './session-limit.ts'

export { stepBudget }

/** The outcome of a built-in rule, and what a person should know of it. */
interface BuiltinOutcome {
  readonly outcome: Outcome
  readonly remarks: readonly string[]
}

/**
 * Evaluates a rule that hookgate judges itself, within a budget that all rules of an event share. An `allow` of an untrusted rule does not
 * count.
 */
export function evaluateBuiltin(
  rule: BuiltinRule,
  event: HookEvent,
  facts: ToolFacts,
  budget: StepBudget = stepBudget(),
  view?: PastView | string,
): BuiltinOutcome {
  const outcome = builtinOutcome(rule, event, facts, budget, view)
  const { untrustedReason } = rule
  if (untrustedReason === undefined || outcome.kind !== 'applicable' || outcome.effect !== 'allow')
    return { outcome, remarks: [] }
  const remark = `its \`allow\` does not count; this rule can only tighten: ${untrustedReason}`
  return { outcome: notApplicable, remarks: [remark] }
}

function builtinOutcome(
  rule: BuiltinRule,
  event: HookEvent,
  facts: ToolFacts,
  budget: StepBudget,
  view: PastView | string | undefined,
): Outcome {
  const { builtin } = rule.handler
  switch (builtin.kind) {
    case 'permissions':
      return permissionOutcome(rule, builtin, event, facts, budget)
    case 'unsupported':
      return unsupportedOutcome(rule, builtin)
    case 'self-protection':
      return selfProtectionOutcome(builtin, event, facts)
    case 'limit':
      return limitOutcome(rule.id, builtin, view)
    case 'tokens':
      return tokenOutcome(builtin, view)
    case 'stale-bundle':
      return { kind: 'applicable', effect: builtin.effect, reason: builtin.reason, obligations: [], advice: [] }
  }
}

/** Counts an unsupported hook as failed where a failure matters; elsewhere a notice says that it is not run. */
function unsupportedOutcome({ onFailure }: BuiltinRule, { what, why }: UnsupportedHook): Outcome {
  const message = `this ${what} is not run: ${why}`
  if (onFailure !== 'continue') return indeterminate({ code: 'unsupported', message })
  return { kind: 'applicable', obligations: [], advice: [{ kind: 'notice', text: message }] }
}

/** A match of an entry with a call, or with one of its commands. */
interface PermissionMatch {
  readonly entry: PermissionEntry
  readonly fit: Fit
  /** Index of the command; `undefined` if the entry matches the call itself. */
  readonly command?: number
  /** Returns the command, path or tool that matches, for the reason. */
  readonly what: () => string
}

/** Evaluates one of the permission lists of a rules file. */
function permissionOutcome(
  { source, untrustedReason }: BuiltinRule,
  list: PermissionList,
  event: HookEvent,
  facts: ToolFacts,
  budget: StepBudget,
): Outcome {
  const { tool } = event
  if (tool === undefined) return notApplicable
  if (untrustedReason !== undefined && stepsOf(list, event) > limits.conditionStepsMax) return tooLong
  const bases: PathBases = {
    // A file of a project is about that project, wherever the agent works.
    roots: source.workspaceRoot === undefined ? event.workspaceRoots : [source.workspaceRoot],
    cwd: source.workspaceRoot ?? event.session.cwd,
  }
  if (list.effect === 'allow') return allowFor(allowingEntries(list.entries, event, facts, bases))
  const matches = list.entries.flatMap((entry) => matchesOf(entry, event, tool, facts, bases, budget))
  return list.effect === 'deny' ? denyFor(matches) : askFor(matches)
}

/** A repository may bring any number of rules, without anyone's consent to wait for them. */
const stepsOf = ({ entries }: PermissionList, event: HookEvent): number =>
  entries.reduce((sum, entry) => sum + conditionSteps(entry, event), 0)
const tooLong: Outcome = Object.freeze({
  kind: 'applicable',
  effect: 'ask',
  reason: 'the permission rules of an untrusted file take too long to be judged on this call',
  obligations: [],
  advice: [],
})

function allowFor(entries: readonly PermissionEntry[] | undefined): Outcome {
  if (entries === undefined) return notApplicable
  const reason = `allowed by ${quotedSome([...new Set(entries.map(({ text }) => text))])}`
  return { kind: 'applicable', effect: 'allow', reason, obligations: [], advice: [] }
}

/** Refuses what matches for certain; asks where a match can only not be ruled out. */
function denyFor(matches: readonly PermissionMatch[]): Outcome {
  const certain = matches.filter(({ fit }) => fit === 'certain')
  if (certain.length > 0) return outcomeOfMatches('deny', certain, (what, rule) => `${what} is refused by ${rule}`)
  return outcomeOfMatches(
    'ask',
    matches,
    (what, rule) => `${rule} may refuse ${what}, of which not everything is known`,
  )
}

function askFor(matches: readonly PermissionMatch[]): Outcome {
  return outcomeOfMatches('ask', matches, (what, rule) => `${what} needs approval by ${rule}`)
}

/** @param reasonOf formats the reason for the first match of an entry */
function outcomeOfMatches(
  effect: 'deny' | 'ask',
  matches: readonly PermissionMatch[],
  reasonOf: (what: string, rule: string) => string,
): Outcome {
  if (matches.length === 0) return notApplicable
  const byEntry = Map.groupBy(matches, ({ entry }) => entry)
  const reasons = [...byEntry].map(([{ text }, [first]]) =>
    reasonOf(first?.what() ?? '', `the permission rule ${quoted(text)}`),
  )
  const commands = [...new Set(matches.flatMap(({ command }) => command ?? []))].toSorted((a, b) => a - b)
  return {
    kind: 'applicable',
    effect,
    reason: reasons.join('\n'),
    ...(commands.length > 0 && { commands }),
    obligations: [],
    advice: [],
  }
}

/** Finds the parts of a call that an entry matches: the call itself, its commands, or the paths that it touches. */
function matchesOf(
  entry: PermissionEntry,
  event: HookEvent,
  tool: ToolUse,
  facts: ToolFacts,
  bases: PathBases,
  budget: StepBudget,
): readonly PermissionMatch[] {
  const names = namesTool(entry, event.agent, tool)
  const { pattern, parameter } = entry
  if (pattern === undefined) return names ? [{ entry, fit: 'certain', what: () => quoted(tool.name) }] : []
  if (parameter !== undefined) {
    const fit = names ? inputFit(pattern, parameter, tool, budget) : undefined
    return fit === undefined ? [] : [{ entry, fit, what: () => quoted(tool.name) }]
  }
  const accesses = accessesOf(entry.kinds)
  if (accesses.length > 0) return matchesOfPaths({ ...entry, pattern }, event, tool, facts, bases, budget)
  if (!names) return []
  const whole = (fit: Fit | undefined, what: () => string) => (fit === undefined ? [] : [{ entry, fit, what }])
  switch (toolCarries[tool.kind].subject) {
    case 'command':
      return isOnCommand(entry, event)
        ? matchesOfCommands({ ...entry, pattern }, tool.command ?? '', facts, budget)
        : whole('possible', () => quoted(tool.name))
    case 'url':
      return whole(domainFit(pattern, tool.url, budget), () => quoted(shorten(tool.url ?? tool.name)))
    case 'path':
    case 'input':
      return whole(inputMeets(pattern, tool, budget) ? 'certain' : undefined, () => quoted(tool.name))
  }
}

type PatternEntry = PermissionEntry & { readonly pattern: string }

function matchesOfCommands(
  entry: PatternEntry,
  text: string,
  { shell: { commands, uncertain } }: ToolFacts,
  budget: StepBudget,
): readonly PermissionMatch[] {
  const found = commands.flatMap((command, index): readonly PermissionMatch[] => {
    const fit = commandFit(entry.pattern, command, text, budget)
    const what = () => quoted(shorten(text.slice(command.place.start, command.place.end)))
    return fit === undefined ? [] : [{ entry, fit, command: index, what }]
  })
  return uncertain.length === 0 ? found : [...found, unclear(entry, text)]
}

const unclear = (entry: PermissionEntry, text: string): PermissionMatch => ({
  entry,
  fit: 'possible',
  what: () => quoted(shorten(text)),
})

function matchesOfPaths(
  entry: PatternEntry,
  event: HookEvent,
  tool: ToolUse,
  facts: ToolFacts,
  bases: PathBases,
  budget: StepBudget,
): readonly PermissionMatch[] {
  const accesses = accessesOf(entry.kinds)
  if (tool.kind !== 'shell') {
    return touchedBy(tool, accesses, facts, event.session.cwd).flatMap((path): readonly PermissionMatch[] => {
      const fit = pathFit(entry.pattern, path, bases, tool.kind, budget)
      return fit === undefined ? [] : [{ entry, fit, what: () => quoted(shorten(path.written)) }]
    })
  }
  const text = tool.command ?? ''
  const { commands, uncertain } = facts.shell
  const found = commands.flatMap((command, index): readonly PermissionMatch[] => {
    const isHere = command.elsewhere !== true
    const what = () => quoted(shorten(text.slice(command.place.start, command.place.end)))
    const fits = pathsHere(command)
      .filter(({ access, metadata }) => accesses.includes(access) && !(access === 'read' && metadata === true))
      .map((path) => pathFit(entry.pattern, path, bases, tool.kind, budget))
    if (isHere && command.uncertain.length > 0) fits.push('possible')
    const fit = fits.find((one) => one === 'certain') ?? fits.find((one) => one !== undefined)
    return fit === undefined ? [] : [{ entry, fit, command: index, what }]
  })
  return uncertain.length === 0 ? found : [...found, unclear(entry, text)]
}

/** Some agents put several addresses, or a prompt with addresses in it, where others put one address. */
function domainFit(pattern: string, url: string | undefined, budget: StepBudget): Fit | undefined {
  if (url === undefined || !pattern.startsWith('domain:')) return 'possible'
  const named = url.match(/https?:\/\/[^\s"'<>]+/gi) ?? [url.trim()]
  if (named.some((one) => URL.canParse(one) && domainMeets(pattern, one, budget))) return 'certain'
  return named.some((one) => domainMeets(pattern, one, budget)) ? 'possible' : undefined
}

/** Shortens a command or path: a reason only identifies it. */
function shorten(text: string): string {
  // Masked before it is cut: half a secret would not be recognised as one, and the record keeps the reason.
  const line = maskedBeginning(text, shownMax).trim().replaceAll(/\s+/g, ' ')
  return line.length <= shownMax ? line : `${line.slice(0, shownMax).toWellFormed()}…`
}
const shownMax = 100
