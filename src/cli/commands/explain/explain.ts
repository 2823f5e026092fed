import { dialectOf } from '../../../agents/index.ts'
import type { KnownAgent } from '../../../agents/registry.ts'
import { openEventFacts } from '../../../facts/tool-call.ts'
import { createGate, type Gate } from '../../../gate/gate.ts'
import type { Decision } from '../../../model/effect.ts'
import type { HookEvent } from '../../../model/event.ts'
import { timeoutOf } from '../../../hooks/hook-process.ts'
import { limits } from '../../../model/limits.ts'
import { isCommandRule, isPolicyRule, type Rule } from '../../../model/rule.ts'
import type { RewrittenCall } from '../../../model/verdict.ts'
import { placesFor, planFor, protectionBy, userRulesFile } from '../../../rules/index.ts'
import { explainedColumn } from '../../text/layout.ts'
import { type Command, type Invocation, jsonText, printed, usage } from '../../command.ts'
import { callFlags, type CallValues, describedCall, eventOfCall, kindsHelp, unquoted } from './described-call.ts'
import { assumedAgent } from '../../args/enabled-agent.ts'
import { agentList, choiceIn, decidingFlagsWith } from '../../args/flags.ts'
import { headlineOf } from '../../text/headline.ts'
import { ownPlaces } from '../../args/own-places.ts'
import { protectionLines } from '../../args/protection.ts'
import { gatingHelp } from '../run.ts'
import { counted } from '../../text/rule-lines.ts'
import { trace } from '../../text/trace.ts'

/** Wait of `explain "COMMAND"` for an event on stdin, which is then one too many. A pipe's other end is as fast. */
const surplusStdinMs = 50

export const explainCommand: Command = {
  summary: 'decide one tool call or event and say why: what would run, what each rule says of it',
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
  --all                     list every rule, and those that are not about this call with the reason
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
    // One event can use only one thread, and each thread loads every policy.
    const placement = choiceIn('explain', 'placement', values.placement, ['process', 'caller']) ?? 'process'
    const gate = createGate({
      ...flags.gate,
      env,
      state: ownPlaces(env).folder,
      keeps: false,
      policyThreads: 1,
      placement,
    })
    try {
      const { event, assumed } = await subjectOf(invocation, gate, flags.agent, words, values)
      const rules = await gate.rulesFor(event)
      const verdict = await gate.decide(event)
      const found = await openEventFacts()(event, env)
      const rewritten = verdict.rewritten && rewrittenEvent(event, verdict.rewritten)
      const made = rewritten && { event: rewritten, found: await openEventFacts()(rewritten, env) }
      const protection = protectionBy(rules.rules)
      const { timeoutMs = limits.hookTimeoutMs } = flags.gate
      const support = (await dialectOf(event.agent)).support(event)
      const exitCode = values['exit-code'] === true ? exitCodes[headlineOf(event, verdict, support).decision] : 0
      if (!flags.json) {
        const file = flags.gate.discover === false ? undefined : userRulesFile(placesFor({ env }))
        const { switchedOff, selfProtectionOff } = rules
        const first = protectionLines({ protection, switchedOff, selfProtectionOff, file }).map((line) => `${line}\n\n`)
        const placed = placement === 'caller' ? placementLines(rules.rules) : []
        const shown = { stream: process.stdout, found, support, placed, isWhole: values.all === true, timeoutMs }
        const more = { ...(assumed !== undefined && { assumed }), ...(made && { rewritten: made }) }
        const report = trace(event, rules, verdict, { ...shown, ...more })
        return printed(first.join('') + report, exitCode)
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

/** Exit codes of what the agent is answered, with `--exit-code`; 1 is an error. */
const exitCodes: Readonly<Record<Decision, number>> = { deny: 2, ask: 3, defer: 3, allow: 0, abstain: 0 }

const rewrittenEvent = (event: HookEvent, { tool, cwd }: RewrittenCall): HookEvent => ({
  ...event,
  tool,
  session: { ...event.session, cwd },
})

const own = { all: { type: 'boolean' }, placement: { type: 'string' }, 'exit-code': { type: 'boolean' } } as const

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
  values: CallValues,
): Promise<Subject> {
  const call = describedCall('explain', words, values, cwd)
  if (call === undefined) {
    const wire = await stdin
    if (wire.length === 0) throw usage('there is nothing to explain: name a shell command', 'explain')
    return { event: await gate.decode(wire, named && { agent: named }) }
  }
  if ((await bytesOn(stdin)) > 0) throw usage('it takes a call or an event on stdin, and there are both', 'explain')
  if (named !== undefined) return { event: await eventOfCall('explain', gate, named, call, cwd) }
  const { agent, why } = await assumedAgent({ env, cwd })
  return {
    event: await eventOfCall('explain', gate, agent, call, cwd),
    assumed: why,
  }
}

/** Returns how many bytes stdin holds; 0 if it stays open, since some callers never close it. */
async function bytesOn(stdin: Promise<Uint8Array>): Promise<number> {
  const open = new Promise<undefined>((resolve) => setTimeout(resolve, surplusStdinMs, undefined))
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
