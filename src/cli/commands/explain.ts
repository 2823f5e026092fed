import { counted } from '../../words/counted.ts'
import { join, resolve } from 'node:path'
import { dialectOf } from '../../agents/index.ts'
import { encodeCall, type NeutralCall } from '../../agents/neutral-call.ts'
import { agentNames, firstAgent, type KnownAgent, titleOf } from '../../agents/registry.ts'
import { openEventFacts } from '../../facts/tool-call.ts'
import { homeFolder } from '../../files/home-folder.ts'
import { createGate, type Gate, type GateOptions } from '../../gate/gate.ts'
import { timeoutOf } from '../../hooks/hook-process.ts'
import type { Decision } from '../../model/effect.ts'
import { HookgateError } from '../../model/errors.ts'
import { type HookEvent, ToolKind } from '../../model/event.ts'
import { limits } from '../../model/limits.ts'
import { isCommandRule, isPolicyRule, looksBack, type Rule } from '../../model/rule.ts'
import { printable, quoted, quotedWord } from '../../model/text.ts'
import type { RewrittenCall } from '../../model/verdict.ts'
import { openKeptSteps } from '../../past/open-past.ts'
import { openMemoryStore } from '../../past/store.ts'
import { openStateReader } from '../../review/state/session-report.ts'
import { managedFileHere, placesFor, planFor, protectionBy, userRulesFile } from '../../rules/index.ts'
import { agentList, choiceIn, decidingFlagsWith, enabledAgents } from '../args/flags.ts'
import { ownPlaces } from '../args/own-places.ts'
import { protectionLines } from '../text/rule-lines.ts'
import { type Command, type CommandOutput, type Invocation, jsonText, printed, usage } from '../command.ts'
import { explainedColumn, linesText } from '../text/layout.ts'
import { stateLines } from '../text/state-text.ts'
import { headlineOf, trace } from '../text/trace.ts'
import { gatingHelp } from './run.ts'
import { sessionNamed } from './state.ts'

/** `undefined`: such a call cannot be described by flags. */
const fieldsByKind: Readonly<Record<ToolKind, CallFields | undefined>> = {
  shell: { needs: ['command'] },
  read: { needs: ['path'] },
  write: { needs: ['path'], may: ['content'] },
  edit: { needs: ['path'], may: ['content'] },
  search: { needs: ['pattern'], may: ['path'] },
  list: { needs: [], may: ['path', 'pattern'] },
  fetch: { needs: ['url'] },
  websearch: { needs: ['pattern'] },
  agent: { needs: ['content'] },
  browser: undefined,
  mcp: undefined,
  other: undefined,
}

/** The kinds of calls that flags can describe. */
const describedKinds = ToolKind.options.filter((kind) => fieldsByKind[kind] !== undefined)

/** Lists the kinds with their flags, for help texts. */
const kindsHelp = describedKinds
  .map((kind) => {
    const { needs = [], may = [] } = fieldsByKind[kind] ?? {}
    return `${kind} ${[...needs.map((field) => `--${field}`), ...may.map((field) => `[--${field}]`)].join(' ')}`
  })
  .join(', ')

/** Wait of `explain "COMMAND"` for an event on stdin, which is then one too many. A pipe's other end is as fast. */
const surplusStdinMs = 50

export const explainCommand: Command = {
  help: `hookgate explain: decide one tool call and say why

  hookgate explain [options] "COMMAND"
  hookgate explain [options] --tool KIND [--path FILE] [--content TEXT] [--url URL] [--pattern TEXT]
  hookgate explain [options] < event.json

Asks the rules that are in force in this folder what an agent would ask before it runs the shell command, or before it
uses another tool. The same hooks and policies run as for \`hookgate run\`, which takes the same options. The report
says what the agent is told and why, which commands would really run (what each was unwrapped from, which files it
touches, where its bytes go, what is uncertain, which rule objects to it), what each rule with an opinion says, where
it comes from, and how long it took. Rules without an objection are counted. Where no rules are in force, it says first
that nothing is checked.

${explainedColumn('  --tool KIND               ', `the kind of tool, with what it takes: ${kindsHelp}`)}
  --session ID              as a call of this session, which \`hookgate state\` lists: rules that look back see what
                            happened in it, and nothing is added to it; default: the event's own
  --all                     list every rule, and those that are not about this call with the reason
  --bundle FILE             by the rules of a bundle alone, as \`hookgate bundle make\` wrote it
  --placement WHERE         where an embedder would have policies evaluated: process (the default) or caller, of which
                            the report says what it gives up, and for which policies
  --exit-code               exit with 2 if the agent is refused, and with 3 if a person is asked; default: with 0
  --json                    the report as one JSON object: event, plan, skipped, shell, paths, protection, notes,
                            alarms, verdict, and in \`assumed\` why that agent, if none was named;
                            of a call that rules rewrite, in \`rewritten\` the facts of what they made of it
${explainedColumn('  --agent NAME              ', `${agentList}; default: the agent that is enabled here, the first of the list if there are several or none; of an event, the agent of its shape`)}
${gatingHelp}

  hookgate explain "rm -rf build"
  hookgate explain --tool write --path src/a.ts --content "export {}"
  hookgate explain --agent cline < event.json
`,
  async run(invocation) {
    const { argv, env } = invocation
    const { flags, values, words } = explainFlags(argv)
    if (values.bundle !== undefined) return byBundle(values.bundle, invocation)
    // One event can use only one thread, and each thread loads every policy.
    const placement = choiceIn('explain', 'placement', values.placement, ['process', 'caller']) ?? 'process'
    const gate = createGate({
      ...flags.gate,
      env,
      state: ownPlaces(env).folder,
      keeps: false,
      drafts: true,
      policyThreads: 1,
      placement,
    })
    try {
      const { event, assumed } = await subjectOf(invocation, gate, flags.agent, words, values)
      const rules = await loadedRules(gate.rulesFor(event))
      const verdict = await gate.decide(event)
      const found = await openEventFacts()(event, env)
      const rewritten = verdict.rewritten && rewrittenEvent(event, verdict.rewritten)
      const made = rewritten && { event: rewritten, found: await openEventFacts()(rewritten, env) }
      const looking = planFor(event, rules, found.shell).rules.filter(looksBack)
      const ids = new Set(looking.map(({ id }) => id))
      const before = looking.length === 0 ? undefined : await statesFor(event, ids, flags.gate, invocation)
      const protection = protectionBy(rules.rules)
      const { timeoutMs = limits.hookTimeoutMs } = flags.gate
      const support = (await dialectOf(event.agent)).support(event)
      const exitCode = values['exit-code'] === true ? exitCodes[headlineOf(event, verdict, support).decision] : 0
      if (!flags.json) {
        const file = flags.gate.discover === false ? undefined : userRulesFile(placesFor({ env }))
        const { switchedOff, selfProtectionOff, bundle } = rules
        const managedFile = managedFileHere(placesFor({ env }))
        const first = protectionLines({ protection, switchedOff, selfProtectionOff, file, managedFile, bundle }).map(
          (line) => `${line}\n\n`,
        )
        const placed = placement === 'caller' ? placementLines(rules.rules) : []
        const shown = { stream: process.stdout, found, support, placed, isWhole: values.all === true, timeoutMs }
        const more = { ...(assumed !== undefined && { assumed }), ...(made && { rewritten: made }) }
        const report = trace(event, rules, verdict, { ...shown, ...more })
        const isNew = event.session.id === noSession
        const past =
          before === undefined
            ? []
            : ['', 'what happened before', ...(isNew ? [nothingBefore] : []), ...stateLines(before)]
        return printed(first.join('') + report + printable(linesText(past)), exitCode)
      }
      const plan = planFor(event, rules, found.shell).rules
      const shown = {
        event,
        ...(assumed !== undefined && { assumed }),
        plan: plan.map((rule) => ({
          ruleId: rule.id,
          file: rule.source.file,
          scope: rule.source.scope,
          handler: rule.handler,
          onFailure: rule.onFailure,
          ...(isCommandRule(rule) && { timeoutMs: timeoutOf(rule, timeoutMs) }),
          ...(rule.hostTimeoutMs !== undefined && { hostTimeoutMs: rule.hostTimeoutMs }),
          ...(rule.untrustedReason !== undefined && { untrustedReason: rule.untrustedReason }),
        })),
        skipped: rules.rules.map(({ id }) => id).filter((id) => !plan.some((rule) => rule.id === id)),
        ...found,
        ...(made && { rewritten: made.found }),
        ...(before !== undefined && { states: before }),
        protection,
        notes: rules.notes,
        alarms: rules.alarms,
        verdict,
      }
      return printed(jsonText(shown, 2), exitCode)
    } finally {
      gate.kill()
    }
  },
}

/** Says of rules that do not load what an agent's calls then come to. */
async function loadedRules<Rules>(loading: Promise<Rules>): Promise<Rules> {
  try {
    return await loading
  } catch (error) {
    if (!(error instanceof HookgateError) || error.code !== 'rulesMalformed') throw error
    const { place, remedy, message } = error
    const means = 'until this is fixed, every call is refused, unless the gate still has older rules'
    throw new HookgateError(error.code, message, {
      cause: error,
      remedy: remedy === undefined ? means : `${remedy} (${means})`,
      ...(place !== undefined && { place }),
    })
  }
}

/** Exit codes of what the agent is answered, with `--exit-code`; 1 is an error. */
const exitCodes: Readonly<Record<Decision, number>> = { deny: 2, ask: 3, defer: 3, allow: 0, abstain: 0 }

const rewrittenEvent = (event: HookEvent, { tool, cwd }: RewrittenCall): HookEvent => ({
  ...event,
  tool,
  session: { ...event.session, cwd },
})

/** The session of a call that is described without one. */
const noSession = 'explain'
const nothingBefore = '  nothing in a session: `--session ID` names one that `hookgate state` lists'

/** Reads the states that rules would see, from what is kept. */
async function statesFor(event: HookEvent, ids: ReadonlySet<string>, gate: GateOptions, { env, cwd }: Invocation) {
  const { folder, past } = ownPlaces(env)
  const store = openKeptSteps(past) ?? openMemoryStore()
  const { rules: explicit, discover, trustWorkspace } = gate
  const places = placesFor({ explicit, discover, trustWorkspace, cwd, env, stateFolder: folder, drafts: true })
  const reader = openStateReader(store, places, env)
  try {
    return await reader.forCall(event, ids)
  } finally {
    await reader.end()
    store.close()
  }
}

/** Finds a session that is kept, by its id or its beginning. */
function keptSession(id: string, env: Invocation['env']) {
  const store = openKeptSteps(ownPlaces(env).past)
  const sessions = store?.sessions() ?? []
  store?.close()
  return sessionNamed(sessions, id).latest
}

const own = {
  session: { type: 'string' },
  all: { type: 'boolean' },
  bundle: { type: 'string' },
  placement: { type: 'string' },
  'exit-code': { type: 'boolean' },
} as const

/** @throws HookgateError `usage` */
function explainFlags(argv: readonly string[]) {
  try {
    return decidingFlagsWith('explain', argv, { ...callFlags, ...own })
  } catch (error) {
    // The flags of a command without quotes are taken for ours.
    if (argv.length < 2 || argv[0]?.startsWith('-') !== false) throw error
    throw unquoted('explain', argv)
  }
}

/** Explains a call by the rules of a bundle alone, as if a machine had them. */
async function byBundle(file: string, invocation: Invocation): Promise<CommandOutput> {
  const { folderOfBundle } = await import('./bundle/bundle-rules-folder.ts')
  const { folder, named, remove } = folderOfBundle(file, invocation.cwd)
  try {
    const at = invocation.argv.findIndex((word) => word === '--bundle' || word.startsWith('--bundle='))
    const others = invocation.argv.toSpliced(at, invocation.argv[at] === '--bundle' ? 2 : 1)
    const argv = ['--no-discover', '--rules', folder, ...others]
    const { stdout, stderr, exitCode } = await explainCommand.run({ ...invocation, argv })
    return { stdout: named(stdout), stderr: named(stderr), exitCode }
  } finally {
    remove()
  }
}

/** The event to be decided, and why it is one of this agent, if nothing says so. */
interface Subject {
  readonly event: HookEvent
  readonly assumed?: string
}

/** Takes the call that the command line describes or, if it describes none, the event on stdin. */
async function subjectOf(
  { stdin, env, cwd }: Invocation,
  gate: Gate,
  named: KnownAgent | undefined,
  words: readonly string[],
  values: CallValues & { readonly session?: string },
): Promise<Subject> {
  const call = describedCall('explain', words, values, cwd)
  if (call === undefined) {
    if (values.session !== undefined) throw usage('--session is for a call: an event has its own', 'explain')
    const wire = await stdin
    if (wire.length === 0) throw usage('there is nothing to explain: name a shell command', 'explain')
    return { event: await gate.decode(wire, named && { agent: named }) }
  }
  if ((await bytesOn(stdin)) > 0)
    throw usage('it takes either a call as words or an event on stdin, and got both', 'explain')
  const session = values.session === undefined ? undefined : keptSession(values.session, env)
  const whose = named ?? agentNames.find((one) => one === session?.agent)
  if (whose !== undefined) return { event: await eventOfCall('explain', gate, whose, call, cwd, session?.session) }
  const { agent, why } = await assumedAgent({ env, cwd })
  return {
    event: await eventOfCall('explain', gate, agent, call, cwd),
    assumed: why,
  }
}

/** Returns how many bytes stdin holds; 0 if it stays open, since some callers never close it. */
async function bytesOn(stdin: Promise<Uint8Array>): Promise<number> {
  const open = new Promise<undefined>((done) => setTimeout(done, surplusStdinMs, undefined))
  return (await Promise.race([stdin, open]))?.length ?? 0
}

/** Explains the placement `caller`: which policies it is for, and what it gives up. */
function placementLines(rules: readonly Rule[]): readonly string[] {
  const policies = rules.filter(isPolicyRule)
  const here = policies.filter(({ handler }) => handler.onCaller)
  const elsewhere = policies.filter(({ handler }) => !handler.onCaller)
  return [
    `${counted(here.length, 'policy', 'policies')} on the calling thread: it waits while they are evaluated; one that is \
caught in a loop of the engine never returns to it, and one that exhausts its memory can end its process`,
    ...(elsewhere.length === 0
      ? []
      : [
          `in a sandbox process, since they came with a workspace or from another folder than the rules that name them: \
${elsewhere.map(({ id }) => id).join(', ')}`,
        ]),
  ]
}

/** The flags that describe a tool call. */
const callFlags = {
  tool: { type: 'string' },
  command: { type: 'string' },
  path: { type: 'string' },
  content: { type: 'string' },
  url: { type: 'string' },
  pattern: { type: 'string' },
} as const

type CallValues = { readonly [Flag in keyof typeof callFlags]?: string }

const callFields = ['command', 'path', 'content', 'url', 'pattern'] as const
type CallField = (typeof callFields)[number]

/** The fields that a call of one kind must and may have. */
interface CallFields {
  readonly needs: readonly CallField[]
  readonly may?: readonly CallField[]
}

/**
 * Reads the tool call that a command line describes; `undefined` if it describes none.
 *
 * @param words the words beside the flags: one shell command
 *
 * @throws HookgateError `usage` if it is incomplete, or describes more than one call
 */
function describedCall(
  command: string,
  words: readonly string[],
  { tool, ...fields }: CallValues,
  cwd: string,
): NeutralCall | undefined {
  const wrong = (message: string) => usage(message, command)
  const [word, ...others] = words
  const given = callFields.filter((field) => fields[field] !== undefined)
  if (others.length > 0) throw unquoted(command, words)
  if (word !== undefined && (tool ?? 'shell') !== 'shell') {
    throw wrong(`${quoted(word)} is taken as a shell command, and \`--tool ${tool}\` calls another tool`)
  }
  if (word !== undefined && fields.command !== undefined) throw wrong('there are two shell commands')
  if (word === undefined && tool === undefined) {
    if (given[0] === undefined) return undefined
    throw wrong(`--${given[0]} needs \`--tool KIND\``)
  }
  const kind = word === undefined ? (choiceIn(command, 'tool', tool, ToolKind.options) ?? 'shell') : 'shell'
  const known = fieldsByKind[kind]
  if (known === undefined) {
    throw wrong(`a call of the kind \`${kind}\` cannot be described by flags, so give its event on stdin`)
  }
  const all = word === undefined ? fields : { ...fields, command: word }
  if (all.command?.trim() === '') throw wrong('the shell command is empty')
  const missing = known.needs.find((field) => all[field] === undefined)
  if (missing !== undefined) throw wrong(`\`--tool ${kind}\` needs --${missing}`)
  const surplus = given.find((field) => !known.needs.includes(field) && known.may?.includes(field) !== true)
  if (surplus !== undefined) throw wrong(`--${surplus} does not fit \`--tool ${kind}\``)
  return { kind, ...all, ...(all.path !== undefined && { path: resolve(cwd, withHome(all.path)) }) }
}

/** A shell does not expand the `~` of `--path=~/x` or of a quoted word. */
const withHome = (path: string) => (path === '~' || path.startsWith('~/') ? join(homeFolder(), path.slice(1)) : path)

/** Makes the error for a shell command that was written without quotes. */
function unquoted(command: string, words: readonly string[]): HookgateError {
  return new HookgateError('usage', 'the shell command must be one word', {
    remedy: `put it in quotes: \`hookgate ${command} ${quotedWord(words.join(' '))}\``,
  })
}

/**
 * Makes the event that an agent sends before the call.
 *
 * @throws HookgateError `usage` if the agent has no such tool, or calls no hook before it uses it
 */
async function eventOfCall(
  command: string,
  gate: Gate,
  agent: KnownAgent,
  call: NeutralCall,
  cwd: string,
  session = noSession,
): Promise<HookEvent> {
  const wire = await encodeCall(agent, call, cwd, session)
  const event = wire === undefined ? undefined : await gate.decode(wire, { agent })
  const { tool } = event ?? {}
  const title = titleOf(agent)
  if (event === undefined || tool === undefined || tool.kind === 'other' || tool.inferred) {
    throw usage(`${title} asks about no tool of the kind \`${call.kind}\``, command)
  }
  const lost = (['command', 'path', 'content', 'url'] as const).find(
    (field) => call[field] !== undefined && tool[field] === undefined,
  )
  if (lost !== undefined) throw usage(`${title}'s \`${tool.name}\` tool has no --${lost}`, command)
  return event
}

/** An agent that a command assumes because none was named. */
interface AssumedAgent {
  readonly agent: KnownAgent
  /** The reason for this one, as a phrase: `the agent that is enabled here`. */
  readonly why: string
}

const another = '`--agent NAME` takes another'

/** Finds the agent that is enabled here: of several, the first in the order of `--help`; of none, the first of all. */
async function assumedAgent(invocation: Pick<Invocation, 'env' | 'cwd'>): Promise<AssumedAgent> {
  const [first, ...others] = await enabledAgents(invocation)
  if (first === undefined) return { agent: firstAgent, why: `since no agent is enabled here; ${another}` }
  if (others.length === 0) return { agent: first, why: 'the agent that is enabled here' }
  const titles = [first, ...others].map(titleOf).join(', ')
  return { agent: first, why: `the first of the agents that are enabled here (${titles}); ${another}` }
}
