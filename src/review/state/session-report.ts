import { titleOf, tokensOf } from '../../agents/registry.ts'
import { aboutLimit } from '../../gate/builtin/session-limit.ts'
import { openFacts } from '../../facts/index.ts'
import { openEventFacts, openToolFacts, withHarmless } from '../../facts/tool-call.ts'
import type { HookEvent, ToolUse } from '../../model/event.ts'
import { isJsonObject } from '../../model/json.ts'
import type { KeptStep, StateDeclaration, StateGroup } from '../../model/past.ts'
import { isPolicyRule, looksBack, type Rule } from '../../model/rule.ts'
import { toolCarries } from '../../model/tool-kinds.ts'
import { fits } from '../../past/condition.ts'
import { groupsOf } from '../../past/fold.ts'
import { Past } from '../../past/past.ts'
import { textsOfCall } from '../../past/seen-values.ts'
import { happeningOf, stepOf } from '../../past/step.ts'
import { type KeptSession, lookedAt, scopeOf, type StepScope, type StepStore } from '../../past/store.ts'
import { openPolicyLoader } from '../../policy/compile/policy-loader.ts'
import { openSandbox } from '../../policy/open-sandbox.ts'
import type { PolicyDependencies } from '../../policy/policies.ts'
import { problemText, readRules, type RulesPlaces } from '../../rules/index.ts'
import { shortRuleId } from '../../rules/match/word-pattern.ts'
import { countedTokens } from '../../past/tokens.ts'
import { isEmptyValue, limitOf, type ReadState, readStates, spentIn, tokenLimitOf } from './read-states.ts'

/** Steps that are shown of those that have set a state: the latest. */
const setByMax = 3
/** Calls, tools or hosts of which a state that counts them apart is shown: those with the largest count. */
const groupsShownMax = 5

/** A step that has set a state. */
export interface SettingStep {
  readonly text: string
  readonly outcome: string
  readonly atMs: number
  /** The agent's id of the call, or else its tool and text, as the record names it. */
  readonly call: string
}

/** A state of a session, for one of the calls, tools or hosts that it counts apart, if it does. */
export interface SessionState extends ReadState {
  readonly scope: string
  readonly within?: string
  /** What it is counted for. */
  readonly of?: string | undefined
  readonly isEmpty: boolean
  /** The latest steps that have set it. */
  readonly setBy: readonly SettingStep[]
}

export interface SessionReport {
  readonly session: KeptSession
  readonly states: readonly SessionState[]
  /** The reason why the rules of its workspace are not known. */
  readonly problem?: string
}

/** What reading the states of sessions needs; `end` closes it. */
export interface StateReader {
  readonly report: (session: KeptSession) => Promise<SessionReport>
  /** Returns the rules of a session that count something. */
  readonly rulesOf: (session: KeptSession) => Promise<readonly Rule[] | string>
  /** Reads the states that a call's rules would see. @param ids of the rules that are about it */
  readonly forCall: (event: HookEvent, ids: ReadonlySet<string>) => Promise<readonly ReadState[]>
  readonly end: () => Promise<void>
}

/** Opens what reads the states of kept sessions, by the rules of today. It writes nothing. */
export function openStateReader(
  store: StepStore,
  places: RulesPlaces,
  env: Readonly<Record<string, string | undefined>>,
): StateReader {
  const sandbox = openSandbox('process', openToolFacts(), { threads: 1 })
  const loader = openPolicyLoader(sandbox)
  const facts = openFacts({ env })
  const eventFacts = openEventFacts()
  const past = new Past(lookedAt(store))
  /** Many states are about the steps of one scope. */
  const stepsByScope = new Map<string, readonly KeptStep[]>()
  function stepsOf(scope: StepScope): readonly KeptStep[] {
    const key = `${scope.kind}\n${scope.id}`
    const steps = stepsByScope.get(key) ?? store.after(scope, 0)
    stepsByScope.set(key, steps)
    return steps
  }
  const known = new Map<string, Promise<readonly Rule[] | string>>()
  const dependencies: PolicyDependencies = {
    evaluate: (request, signal) => sandbox.evaluate(request, signal),
    gatherFacts: (requests) => facts.gather(requests, env),
    toolFacts: (event) => eventFacts(event, env),
    withHarmless,
    signal: undefined,
  }

  async function readRulesOf(roots: readonly string[]): Promise<readonly Rule[] | string> {
    const { errors, ruleSet } = await readRules(places, roots, loader)
    const [error] = errors
    return error === undefined ? ruleSet.rules.filter(looksBack) : problemText(error)
  }

  function rulesOf({ latest: { workspace } }: KeptSession) {
    const rules = known.get(workspace) ?? readRulesOf([workspace])
    known.set(workspace, rules)
    return rules
  }

  /** A token limit says what was spent up to the latest call: session files are not read for it. */
  async function tokensFor(
    rule: Rule,
    { agent, session }: Pick<KeptStep, 'agent' | 'session'>,
  ): Promise<readonly SessionState[]> {
    const limit = tokenLimitOf(rule)
    if (limit === undefined) return []
    const { per, most } = limit
    const isSaid = (await tokensOf(agent)) !== undefined
    const value = countedTokens(store, { agent, session }, Date.now())[per]
    const state: SessionState = {
      rule: shortRuleId(rule),
      ruleId: rule.id,
      kind: 'tokens',
      about: aboutLimit(limit),
      most,
      ...(isSaid ? { value } : { unknown: `no session file of ${titleOf(agent)} says what was spent` }),
      scope: per === 'session' ? 'session' : 'user',
      isEmpty: value === 0,
      setBy: [],
    }
    return [state]
  }

  async function stateOf(rule: Rule, name: string, declared: StateDeclaration, latest: KeptStep) {
    const nowMs = Date.now()
    const within = 'within' in declared ? declared.within : 'window' in declared ? declared.window : undefined
    const by = 'by' in declared ? declared.by : undefined
    const steps = countedSteps(stepsOf(scopeOf(latest, declared.scope ?? 'session')), rule.id, name, declared)
    const groups = by === undefined ? new Map([['', steps]]) : stepsByGroup(steps, by)
    const found: SessionState[] = []
    for (const [group, own] of groups.size === 0 ? new Map([['', steps]]) : groups) {
      const last = own.at(-1)
      const about = { ...(by === undefined ? latest : (last ?? latest)), atMs: nowMs }
      const view = past.viewFor(about)
      // oxlint-disable-next-line no-await-in-loop -- one sandbox
      const [read] = await readStates([rule], view, eventOf(latest, nowMs), dependencies, name)
      if (read === undefined) continue
      found.push({
        ...read,
        scope: declared.scope ?? 'session',
        ...(within !== undefined && { within }),
        ...(group !== '' && { of: by === 'call' ? (last?.text ?? '') : group }),
        isEmpty: isEmptyValue(read.kind === 'limit' ? 'limit' : declared, read.value),
        setBy: settingSteps(declared, own, read),
      })
    }
    const full = found.filter(({ isEmpty }) => !isEmpty).toSorted((a, b) => sizeOf(b) - sizeOf(a))
    return full.length > 0
      ? full.slice(0, groupsShownMax)
      : found.slice(0, 1).map((one) => Object.assign(one, { of: undefined }))
  }

  return {
    rulesOf,
    async report(session) {
      const rules = await rulesOf(session)
      if (typeof rules === 'string') return { session, states: [], problem: rules }
      const states: SessionState[] = []
      for (const rule of rules) {
        // oxlint-disable-next-line no-await-in-loop -- one rule after the other
        states.push(...(await tokensFor(rule, session.latest)))
        for (const [name, declared] of declaredBy(rule))
          // oxlint-disable-next-line no-await-in-loop -- one sandbox
          states.push(...(await stateOf(rule, name, declared, session.latest)))
      }
      return { session, states }
    },
    async forCall(event, ids) {
      const rules = await readRulesOf(event.workspaceRoots)
      if (typeof rules === 'string') return []
      const about = stepOf(happeningOf(event, await dependencies.toolFacts(event)), 'allowed')
      const own = rules.filter(({ id }) => ids.has(id))
      const read = await readStates(own, past.viewFor(about, undefined, textsOfCall(event.tool)), event, dependencies)
      const tokens = await Promise.all(own.map((rule) => tokensFor(rule, about)))
      return [...read, ...tokens.flat()]
    },
    end: () => sandbox.close(),
  }
}

/** Returns the states that a rule shows, by name: of a limit, how much of it is used. */
function declaredBy(rule: Rule): readonly (readonly [string, StateDeclaration])[] {
  const limit = limitOf(rule)
  if (limit !== undefined) return [['used', limit.states.used]]
  return isPolicyRule(rule) ? Object.entries(rule.handler.state) : []
}

/** Returns the steps that a state is about, since a person has cleared it. */
function countedSteps(
  steps: readonly KeptStep[],
  rule: string,
  name: string,
  declared: StateDeclaration,
): readonly KeptStep[] {
  const of = 'of' in declared ? declared.of : undefined
  const from = steps.findLastIndex(({ cleared }) => cleared?.rule === rule && cleared.state === name) + 1
  return steps.slice(from).filter((step) => step.outcome !== 'cleared' && (of === undefined || fits(step, of)))
}

function stepsByGroup(steps: readonly KeptStep[], by: StateGroup): ReadonlyMap<string, readonly KeptStep[]> {
  const groups = new Map<string, KeptStep[]>()
  for (const step of steps) {
    for (const group of groupsOf(step, by)) {
      const own = groups.get(group)
      if (own === undefined) groups.set(group, [step])
      else own.push(step)
    }
  }
  return groups
}

const shown = (steps: readonly KeptStep[]): readonly SettingStep[] =>
  steps.slice(-setByMax).map(({ text, outcome, atMs, name = '', call = `${name}\n${text}` }) => ({
    text,
    outcome,
    atMs,
    call,
  }))

/** Returns the steps that have set a state: as many of the latest as it has counted. */
function settingSteps(
  declared: StateDeclaration,
  steps: readonly KeptStep[],
  { value }: ReadState,
): readonly SettingStep[] {
  switch (declared.kind) {
    case 'count':
    case 'streak':
      return typeof value === 'number' && value > 0 ? shown(steps.slice(-value)) : []
    case 'budget':
      return spentIn(value) === 0 ? [] : shown(steps.slice(-spentIn(value)))
    case 'since':
      return value === true ? shown(steps.slice(-1)) : []
    case 'label':
    case 'last': {
      const atMs = typeof value === 'object' && value !== null && 'atMs' in value ? value['atMs'] : undefined
      return shown(steps.filter((step) => step.atMs === atMs).slice(0, 1))
    }
    case 'reused':
      return shown(steps.filter(({ outcome, impacts }) => outcome === 'done' && impacts.some(isShownSecret)))
    case 'custom': {
      if (!isJsonObject(value) || value['label'] === undefined) return shown(steps)
      // It names the call that has set it, as a label does.
      return shown(steps.filter(({ text }) => text === value['label']).slice(0, 1))
    }
  }
}

const isShownSecret = ({ kind, thing }: KeptStep['impacts'][number]) => kind === 'show' && thing === 'secret'

const sizeOf = ({ value }: ReadState): number => (typeof value === 'number' ? value : spentIn(value))

/** Returns the event of a step's call, as far as the step says, by which a policy is asked for its own states. */
function eventOf(
  { agent, session: id, workspace, tool: kind = 'other', name = '', text, paths }: KeptStep,
  atMs: number,
): HookEvent {
  const { subject } = toolCarries[kind]
  const about = subject === 'path' ? paths[0]?.path : text
  const tool: ToolUse = {
    kind,
    name,
    input: {},
    ...(subject !== 'input' && about !== undefined && { [subject]: about }),
  }
  return {
    name: 'PreToolUse',
    agent,
    session: { id, cwd: workspace },
    workspaceRoots: [workspace],
    atMs,
    tool,
    raw: {},
  }
}
