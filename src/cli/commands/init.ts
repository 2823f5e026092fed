import { counted } from '../../words/counted.ts'
import { agentNames, type KnownAgent, titleOf } from '../../agents/registry.ts'
import { enableAgent, type Enabled } from '../../changes/agents.ts'
import { agentReports } from '../../install/gate-report.ts'
import { type AgentHere, agentsHere, type InstallContext } from '../../install/index.ts'
import { errorText, HookgateError } from '../../model/errors.ts'
import { printable } from '../../model/text.ts'
import { installContextFor, parseFlags } from '../args/flags.ts'
import { type Command, type CommandOutput, printed } from '../command.ts'
import { consentTo, declined, needsYes } from '../consent.ts'
import { explainedColumn } from '../text/layout.ts'
import { presetLines } from './enable.ts'
import { reportedWhy } from './status.ts'

export const initCommand: Command = {
  help: `hookgate init: protect this machine

  hookgate init [--preset NAME] [--yes]

Finds the agents that are on this machine, by their folders in your home folder, and shows what it would change for each
and, where no rules are in force yet, which preset it would turn on, with five things that this refuses. It asks once,
has each agent ask hookgate, as \`hookgate enable\` does, and sends each a harmless event that only hookgate refuses. The
last line names the agents that are protected; an agent that is not is named above it, with the reason. An agent that an
administrator has registered for everybody on this machine is left as it is: a second registration only costs time.

Running it again changes nothing but what is missing, such as an agent that was installed since. Exits with 0 if all
agents that were found are protected, else with 1. \`hookgate uninstall\` undoes all of it.

  --preset NAME    \`recommended\` (default), \`strict\`, \`observe\`; with \`none\` nothing is checked yet
  --yes            do it without asking
  --dry-run        show what would be changed, and change nothing
  --diff           like --dry-run, but show the changes as \`diff -u\` does

  hookgate init --yes && hookgate explain "git push --force"
`,
  async run(invocation) {
    const { values } = parseFlags('init', invocation.argv, {
      preset: { type: 'string' },
      yes: { type: 'boolean' },
      'dry-run': { type: 'boolean' },
      diff: { type: 'boolean' },
    })
    const context = installContextFor(invocation)
    const found = await agentsFound(context)
    if (found.length === 0) return { stdout: '', stderr: noAgent(context.home), exitCode: 1 }
    const plans = await eachAgent(found, { ...context, dryRun: true }, values.preset)
    if (values.diff === true)
      return printed(
        printable(
          filesOf(plans)
            .map(({ diff }) => diff)
            .join(''),
        ),
      )
    const shown = planText(plans, 'planned')
    if (values['dry-run'] === true) return printed(`${shown}nothing was changed\n`)
    if (!wouldChange(plans)) return checked(found, plans, context, 'nothing is to be changed\n')
    if (values.yes === true) {
      const done = await eachAgent(found, context, values.preset)
      return checked(found, done, context, planText(done, 'done'))
    }
    const consent = await consentTo({ ask: invocation.ask, yes: values.yes, shown })
    if (consent === undefined) return { stdout: shown, stderr: needsYes('init'), exitCode: 1 }
    if (!consent) return declined
    return checked(found, await eachAgent(found, context, values.preset), context, '')
  },
}

const noAgent = (home: string) =>
  `hookgate: no agent was found in ${home}: start yours once, which makes its folder, or name it with \`hookgate enable AGENT\`; ${explainedColumn('hookgate knows ', agentNames.join(', '))}\n`

type AgentFound = Pick<AgentHere, 'agent' | 'administeredIn'>

/** Finds the agents that have a folder in the home folder, or ask hookgate already. */
async function agentsFound(context: InstallContext): Promise<readonly AgentFound[]> {
  const here = await agentsHere(context)
  return here.filter(
    ({ folder, places, administeredIn }) =>
      folder !== null ||
      administeredIn !== null ||
      places.some(({ scope, by }) => scope === 'user' && by !== undefined),
  )
}

/** One agent, and what was done or would be done for it, or why it cannot, or need not. */
type AgentAttempt = { readonly agent: KnownAgent } & (
  | { readonly enabled: Enabled; readonly problem?: undefined; readonly administeredIn?: undefined }
  | { readonly enabled?: undefined; readonly problem: string; readonly administeredIn?: undefined }
  | { readonly enabled?: undefined; readonly problem?: undefined; readonly administeredIn: string }
)

/** Enables the agents one after the other: the settings of one that cannot be changed keep no other from it. */
async function eachAgent(
  found: readonly AgentFound[],
  context: InstallContext,
  preset: string | undefined,
): Promise<readonly AgentAttempt[]> {
  const attempts: AgentAttempt[] = []
  for (const { agent, administeredIn } of found) {
    if (administeredIn !== null) {
      attempts.push({ agent, administeredIn })
      continue
    }
    try {
      // oxlint-disable-next-line no-await-in-loop -- each takes the same lock
      attempts.push({ agent, enabled: await enableAgent(agent, context, preset) })
    } catch (error) {
      // It is about the command line, and the same for every agent.
      if (error instanceof HookgateError && error.code === 'usage') throw error
      attempts.push({ agent, problem: errorText(error) })
    }
  }
  return attempts
}

/** Returns the files of all agents, each once: the preset is planned with every agent. */
function filesOf(attempts: readonly AgentAttempt[]) {
  const all = attempts.flatMap(({ enabled }) => enabled?.done.files ?? [])
  return all.filter(({ file }, at) => all.findIndex((one) => one.file === file) === at)
}

const wouldChange = (attempts: readonly AgentAttempt[]) =>
  attempts.some(({ enabled }) => enabled?.done.own !== undefined || (enabled?.done.changed.length ?? 0) > 0)

/** Lists what would be changed for each agent, or what was. */
function planText(attempts: readonly AgentAttempt[], state: 'planned' | 'done'): string {
  const rules = new Set(attempts.flatMap(({ enabled }) => enabled?.choice.file ?? []))
  const width = Math.max(...attempts.map(({ agent }) => titleOf(agent).length)) + 2
  const lines = attempts.flatMap(({ agent, enabled, problem, administeredIn }) => {
    const title = `  ${titleOf(agent).padEnd(width)}`
    if (administeredIn !== undefined)
      return [`${title}is left as it is: an administrator registered it in ${administeredIn}`]
    if (enabled === undefined) return [`${title}is left as it is: ${problem}`]
    const files = enabled.done.changed.map(({ file }) => file).filter((file) => !rules.has(file))
    const [first, ...more] = files
    if (first === undefined) return [`${title}asks hookgate already`]
    return [
      `${title}${state === 'done' ? 'wrote' : 'would write'} ${first}${more.length === 0 ? '' : ` and ${counted(more.length, 'file')} beside it`}`,
    ]
  })
  const [choice] = attempts.flatMap(({ enabled }) => enabled?.choice ?? [])
  const text = [
    `these agents are on this machine; hookgate ${state === 'done' ? 'is registered' : 'would be registered'} in each:`,
    ...lines,
    ...(choice === undefined ? [] : presetLines(choice, state === 'planned')),
    ...(choice?.protection === 'enforce' && choice.preset === undefined ? ['the rules in force stay as they are'] : []),
    'undo: `hookgate uninstall`',
  ]
  return text.map((line) => `${printable(line)}\n`).join('')
}

/** Sends each agent that was enabled its canary, and names those that are protected. @param before what is printed above */
async function checked(
  found: readonly AgentFound[],
  attempts: readonly AgentAttempt[],
  context: InstallContext,
  before: string,
): Promise<CommandOutput> {
  const failed = attempts.flatMap(({ agent, problem }) => (problem === undefined ? [] : [{ agent, why: [problem] }]))
  const enabled = found.map(({ agent }) => agent).filter((agent) => failed.every((one) => one.agent !== agent))
  const nameOf = (agent: KnownAgent) =>
    `${titleOf(agent)}${found.some((one) => one.agent === agent && one.administeredIn !== null) ? ' (by an administrator)' : ''}`
  const { reports, here } = await agentReports(enabled, context)
  const each = enabled.map((agent, at) => ({ agent, report: reports[at] }))
  const asking = each.filter(({ report }) => report?.isCovered === true)
  const silent = each
    .filter(({ report }) => report?.isCovered !== true)
    .map(({ agent, report }) => ({ agent, why: report === undefined ? [] : reportedWhy(report.status) }))
  const warnings = attempts.flatMap((one) => one.enabled?.done.notes.filter((note) => note.startsWith('warning')) ?? [])
  const isSafe = here.protection === 'enforce' && here.unmanaged.length === 0
  const lines = [
    ...new Set(warnings),
    ...here.wrong.map((why) => `the rules do not load, and every call is refused: ${why}`),
    ...[...failed, ...silent].map(({ agent, why }) => `not protected: ${titleOf(agent)}: ${why.join('; ')}`),
    ...(asking.length === 0
      ? ['protected: no agent']
      : [`${protectedWord(here.protection)}: ${asking.map(({ agent }) => nameOf(agent)).join(', ')}`]),
  ]
  const text = lines.map((line) => `${printable(line)}\n`).join('')
  return printed(before + text, isSafe && asking.length === found.length ? 0 : 1)
}

/** Says what the rules in force are worth: an agent that asks is not protected by rules that refuse nothing. */
function protectedWord(protection: 'none' | 'observe' | 'enforce' | undefined): string {
  switch (protection) {
    case 'enforce':
      return 'protected'
    case 'observe':
      return 'only observed, so nothing is refused'
    case 'none':
      return 'not protected, because no rules are in force'
    case undefined:
      return 'refused everything, until the rules load'
  }
}
