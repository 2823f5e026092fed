import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { isShipped, packFile } from '../../files/policy-files.ts'
import { knownHome } from '../../files/home-folder.ts'
import { openRefusals } from '../../files/state/refusals.ts'
import { allowedReport } from '../../changes/exceptions.ts'
import { inOrder, packReport, presetReport, readPacks } from '../../changes/packs/report.ts'
import type { RulesLocation } from '../../install/rules-here.ts'
import { withPolicies } from '../../install/with-policies.ts'
import { realPath } from '../../files/real-path.ts'
import type { Decision, Severity } from '../../model/effect.ts'
import { exceptionName } from '../../model/exception.ts'
import { HookgateError, placeText } from '../../model/errors.ts'
import type { BuiltinHandler, Handler, Rule } from '../../model/rule.ts'
import { aboutLimit } from '../../gate/builtin/session-limit.ts'
import type { LiftFigures } from '../../record/figures.ts'
import { isTightened } from '../../rules/machine-settings.ts'
import { mayNameRule } from '../../rules/match/word-pattern.ts'
import { placesFor, userRulesFile } from '../../rules/places.ts'
import { serverText } from '../../rules/asked-text.ts'
import { readRules } from '../../rules/read-rules.ts'
import { listTrust } from '../../rules/workspace-trust.ts'
import { programShown } from '../../service/server/http/status-routes.ts'
import { answering, Folder, OfProject, type PageContext } from '../route.ts'
import type { ExampleGiven, ExampleWant, PolicyDefinition } from '../../model/policy.ts'

/** A pack's README: five times as long as the longest that is shipped. */
const pageReadmeCharactersMax = 100_000

const shownDays = 30

/** The rules in force in a project, the packs, the exceptions, and the trusted projects. */
export const ruleRoutes = ({ env, record, places, managedFolder, installingIn }: PageContext) => ({
  /** The rules, what each did in the last 30 days, and what keeps any from loading. */
  rules: answering(OfProject, async ({ project }) => {
    const read = await rulesIn({ env, cwd: project, managedFolder, stateFolder: places.folder })
    const stats = record.look().reader?.figures({ startsMs: [Date.now() - shownDays * 86_400_000] })
    const { ruleSet, errors } = read
    return {
      days: shownDays,
      rules: ruleSet.rules.map((rule) => ({ ...ruleShown(rule), did: stats?.rules.get(rule.id) ?? null })),
      errors: errors.map(({ place, message, remedy }) => ({ place: placeText(place), message, remedy: remedy ?? '' })),
      /** True where an administrator's file keeps the person from turning self-protection off. */
      isManaged: isTightened('selfProtection', read.loaded),
      notes: [...ruleSet.switchedOff, ...ruleSet.alarms],
      /** Packs that the person's own file names itself: those of a preset stay on without it. */
      ownPacks: packsNamedIn(userRulesFile(placesFor({ env, home: knownHome(env['HOME']) }))),
      projects: [...(stats?.projects.keys() ?? [])].filter((one) => one !== ''),
    }
  }),

  /** Calls that the rules have stopped in these days, each once, and that would pass without them. */
  stoppedCalls: answering(z.strictObject({ rules: z.array(z.string()) }), ({ rules }) => {
    const ending = new Set(rules)
    const { reader } = record.look()
    let refused = 0
    let asked = 0
    const filter = { sinceMs: Date.now() - shownDays * 86_400_000, outcomes: ['deny', 'ask', 'defer'] } as const
    for (const { record: row } of reader?.rows(filter) ?? []) {
      if (row.determining.length === 0 || !row.determining.every((id) => ending.has(id))) continue
      if ((row.told ?? row.decision) === 'deny') refused += 1
      else asked += 1
    }
    return { days: shownDays, refused, asked }
  }),

  /** The presets and packs that there are. */
  packs: answering(OfProject, async ({ project }) => {
    const { presets, packs, inForce } = await readPacks(undefined, { env, cwd: project, managedFolder }, false)
    return {
      presets: presets.map((name) => presetReport(name, inForce)),
      packs: packs.map((pack) => packReport(pack, inForce)),
    }
  }),

  /** The exceptions of the person's own file, and how often each lifted an answer; and what is allowed for a while. */
  exceptions: answering(OfProject, ({ project }) => {
    const { exceptions, grants } = allowedReport(openRefusals(places.refusals), installingIn(project))
    const stats = record.look().reader?.figures({ startsMs: [Date.now() - shownDays * 86_400_000] })
    return {
      days: shownDays,
      grants,
      exceptions: exceptions.map((one, index) =>
        Object.assign(one, { lifted: timesLifted(one, index, stats?.lifted ?? []) }),
      ),
    }
  }),

  /** The pinned files of a project, if it is trusted. */
  trusted: answering(OfProject, ({ project }) => {
    // Projects are trusted by their real path, and worked on by any.
    const real = realPath(project)
    return {
      pins: listTrust({ env, cwd: project, home: knownHome(env['HOME']) }).find(({ root }) => root === real) ?? null,
    }
  }),

  /** The examples of a pack's rules, which take longer than all the rest of the packs. @param pack a name or folder */
  packExamples: answering(OfProject.extend({ pack: z.string() }), async ({ pack, project }) => {
    const { packs } = await readPacks(pack, { env, cwd: project }, true)
    const rules = packs.flatMap((one) => inOrder(one.rules))
    return { rules: rules.map(({ id, examples }) => ({ id, examples: examples.map(exampleShown) })) }
  }),

  /** The README of a pack. */
  packReadme: answering(z.strictObject({ folder: Folder }), ({ folder }) => {
    // Serves the READMEs of packs only: the page reads no other files.
    const file = join(folder, 'README.md')
    if (!existsSync(join(folder, packFile))) throw new HookgateError('usage', 'this is no pack', { place: { file } })
    if (!existsSync(file)) return { text: '' }
    return { text: readFileSync(file, 'utf8').slice(0, pageReadmeCharactersMax) }
  }),
})

/**
 * Returns how often an exception lifted an answer. The record names an exception by its position in the file, which
 * another one may have had before: its reason and its rule distinguish the two.
 */
function timesLifted(
  { rule, reason }: { readonly rule: string; readonly reason?: string | undefined },
  index: number,
  lifted: readonly LiftFigures[],
): number {
  const name = exceptionName('user:hooks.json', index)
  const recorded = reason === undefined ? name : `${name}: ${reason}`
  const own = lifted.filter(({ exception, ruleId }) => exception === recorded && mayNameRule(rule, ruleId))
  return own.reduce((sum, { times }) => sum + times, 0)
}

/** Returns the packs that a rules file names; none if it cannot be read, which its own errors say. */
function packsNamedIn(file: string): readonly string[] {
  try {
    return NamedPacks.parse(JSON.parse(readFileSync(file, 'utf8'))).packs.map(({ pack }) => pack)
  } catch {
    return []
  }
}

const NamedPacks = z.object({ packs: z.array(z.object({ pack: z.string() })).default([]) })

function rulesIn(location: RulesLocation & { readonly stateFolder: string }) {
  const places = placesFor({ ...location, home: knownHome(location.env['HOME']) })
  return withPolicies((policies) => readRules(places, [location.cwd], policies))
}

function ruleShown({ id, source, handler, mode, onFailure, untrustedReason, match }: Rule) {
  const { scope, file } = source
  return {
    id,
    source: { id: source.id, scope, file, ...(source.bundled === true && { bundled: true as const }) },
    mode,
    onFailure,
    /** The reason why the rule is not trusted, and the remedy. */
    untrustedReason: untrustedReason ?? null,
    events: match.events,
    ...handlerShown(handler),
  }
}

type ParamValues = Readonly<Record<string, unknown>>

function handlerShown(handler: Handler): {
  readonly kind: 'hook' | 'policy' | 'permissions' | 'limit' | 'built in'
  /** The program or the check. */
  readonly what: string
  /** Set for a rule of a pack. */
  readonly pack?: { readonly folder: string; readonly isShipped: boolean }
  /** The policy's own name. */
  readonly policy?: string
  readonly severity?: Severity | undefined
  readonly params?: ParamValues
} {
  switch (handler.kind) {
    case 'command':
      return { kind: 'hook', what: [programShown(handler.program)].flat().join(' ') }
    case 'builtin':
      return { kind: builtInKinds[handler.builtin.kind], what: builtInText(handler.builtin) }
    case 'remote':
      return { kind: 'hook', what: serverText(handler) }
    case 'policy': {
      const { file, policy, severity, params } = handler
      const folder = dirname(file)
      const pack = existsSync(join(folder, packFile)) && { folder, isShipped: isShipped(file) }
      return { kind: 'policy', what: file, policy, severity, params, ...(pack && { pack }) }
    }
  }
}

/** What a person calls a rule that hookgate evaluates itself: a list of permissions is somebody's own. */
const builtInKinds = {
  permissions: 'permissions',
  unsupported: 'hook',
  'stale-bundle': 'built in',
  limit: 'limit',
  tokens: 'limit',
  'self-protection': 'built in',
} as const

function builtInText(builtin: BuiltinHandler['builtin']): string {
  switch (builtin.kind) {
    case 'permissions':
      return 'a list of permissions'
    case 'unsupported':
      return 'a hook that its agent runs itself'
    case 'stale-bundle':
      return 'signed rules that are stale or missing'
    case 'limit':
    case 'tokens':
      return `${aboutLimit(builtin)}: at most ${builtin.most.toLocaleString('en')}, then ${thenWords[builtin.then]}`
    case 'self-protection':
      return 'no call may change, reconfigure or end hookgate'
  }
}

const thenWords = { ask: 'a person is asked', deny: 'the call is refused', stop: 'the turn ends' } as const

/** An example of a rule as a person reads it: what an agent is about to do, and what is decided. */
export interface ShownExample {
  readonly name: string
  /** The command, or else the tool and its input. */
  readonly given: string
  /** The params that it is decided with, if they are not the defaults. */
  readonly params: string
  /** `undefined` if the rule decides nothing, but tells the agent something or changes its call. */
  readonly decision: Decision | undefined
}

/** Says what an example gives and wants. */
function exampleShown({ name, given, want }: PolicyDefinition['examples'][number]): ShownExample {
  const params = Object.entries(given.params ?? {}).map(([param, value]) => `${param}: ${valueText(value)}`)
  return { name, given: givenText(given), params: params.join(', '), decision: decisionOf(want) }
}

function givenText({ input = {}, tool, prompt, message, event }: ExampleGiven): string {
  const { command } = input
  if (typeof command === 'string') return command
  const said = prompt ?? message
  if (said !== undefined) return said
  const parts = Object.entries(input).map(([key, value]) => (key === 'path' ? '' : `${key}: `) + valueText(value))
  const text = [...(tool === undefined ? [] : [tool]), parts.join(', ')].join(' ').trim()
  return text === '' ? (event ?? '') : text
}

const valueText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

function decisionOf(want: ExampleWant): Decision | undefined {
  const effect = typeof want === 'string' ? want : want.effect
  switch (effect) {
    case 'deny':
    case 'ask':
    case 'allow':
    case 'abstain':
      return effect
    case 'context':
    case 'notice':
    case 'replaceOutput':
    case 'rewrite':
    case 'stop':
    case undefined:
      return undefined
  }
}
