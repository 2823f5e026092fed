import type { KnownAgent } from '../../../agents/registry.ts'
import type { ManagedReport, ManagedStatus } from '../../../install/index.ts'
import { version } from '../../../files/version.ts'
import { printable } from '../../../model/text.ts'
import { agentOf } from '../../args/flags.ts'
import { installContextFor } from '../../args/install-context.ts'
import { rulesAt, type RulesHere } from '../../../install/rules-here.ts'
import { workingFolder } from '../../args/protection.ts'
import { type CommandOutput, type Invocation, printed } from '../../command.ts'

export const managedStatusHelp = `
  hookgate status --managed [AGENT…] [--json]

For administrators: how far their registration binds each agent, and every way past it that is open on this machine:
who may change the files, settings that are not pinned, variables that move a file, and code above hooks. Looks at the
settings and variables of the user who runs it and of the current folder too, and at those of no other user: it says
whose they were. Exits with 0 if the named agents, or else all that an
administrator has registered, have none, and managed rules are in force; else with 1. --json is one line.
`

/** Prints how far an administrator's registration binds the agents, and what is open. */
export async function printManagedStatus(
  names: readonly string[],
  invocation: Pick<Invocation, 'env' | 'cwd'>,
  asJson: boolean,
): Promise<CommandOutput> {
  const wanted: readonly KnownAgent[] = [...new Set(names.map((name) => agentOf(name)))]
  const cwd = workingFolder(invocation) ?? '/'
  const context = installContextFor({ env: invocation.env, cwd })
  const { managedStatus } = await import('../../../install/index.ts')
  const status = await managedStatus(wanted, context)
  const rules = managedRules(await rulesAt({ env: invocation.env, cwd }, []))
  const isSound = status.sound && rules.holes.length === 0
  const exitCode = isSound ? 0 : 1
  const looked = { home: context.home, folder: cwd }
  if (!asJson) return printed(statusText(status, rules, looked), exitCode)
  const report = { version: version(), sound: isSound, rules, agents: status.agents, looked }
  return printed(`${JSON.stringify(report)}\n`, exitCode)
}

/** Returns the agents that an administrator has registered, with every way past it that is open. */
export async function managedHere(invocation: Pick<Invocation, 'env' | 'cwd'>) {
  const { managedStatus } = await import('../../../install/index.ts')
  const { agents } = await managedStatus([], installContextFor(invocation))
  return agents.filter(({ registered }) => registered).map(({ agent, file, holes }) => ({ agent, file, holes }))
}

/** The rules that the registration enforces. */
interface ManagedRules {
  readonly files: readonly string[]
  readonly holes: readonly string[]
}

function managedRules({ loaded, wrong, unmanaged, selfProtectionOff }: RulesHere): ManagedRules {
  const files = [...new Set(loaded.filter(({ source }) => source.scope === 'managed').map(({ source }) => source.file))]
  return {
    files,
    holes: [
      ...(files.length === 0
        ? [
            'there are no managed rules: each user decides what is checked; `hookgate new managed` writes a file of them',
          ]
        : []),
      ...wrong,
      ...unmanaged,
      ...(selfProtectionOff === undefined ? [] : [selfProtectionOff]),
    ],
  }
}

/** The user and the project whose own settings were looked at. */
interface SettingsRead {
  readonly home: string
  readonly folder: string
}

function statusText({ agents }: ManagedStatus, rules: ManagedRules, { home, folder }: SettingsRead): string {
  const widths = { title: Math.max(...agents.map(({ title }) => title.length)), class: 'user only'.length }
  const rows = agents.flatMap((report) => [
    `${report.title.padEnd(widths.title)}  ${report.class.padEnd(widths.class)}  ${stateOf(report)}`,
    ...report.holes.map(({ message, remedy }) => `  open: ${message}; ${remedy}`),
    ...(report.registered ? report.staysOpen.map((text) => `  stays open: ${text}`) : []),
  ])
  const files = rules.files.length === 0 ? 'none' : rules.files.join(', ')
  const looked = `looked at settings of ${home} and ${folder}, and of no other user: each can run it, without root`
  return [`managed rules: ${files}`, ...rules.holes.map((hole) => `  open: ${hole}`), ...rows, looked]
    .map((line) => `${printable(line)}\n`)
    .join('')
}

function stateOf({ registered, file, knownFrom, holes }: ManagedReport): string {
  if (file === null) return 'reads no hooks of an administrator here'
  if (!registered) return holes.length === 0 ? 'not registered' : `not registered: ${file}`
  const known = knownFrom === 'documentation' ? ' (by its documentation, not tried)' : ''
  return `registered in ${file}${known}`
}
