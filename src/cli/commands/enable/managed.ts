import { agentNames, type KnownAgent, titleOf } from '../../../agents/registry.ts'
import type { InstallContext, ManagedDone } from '../../../install/index.ts'
import { choiceOf, printable } from '../../../model/text.ts'
import { agentOf, parseFlags } from '../../args/flags.ts'
import { installContextFor } from '../../args/install-context.ts'
import { type CommandOutput, type Invocation, jsonText, printed, usage } from '../../command.ts'

export const managedHelp = `
For administrators, for everybody on this machine, whatever users and projects set:

  hookgate enable --managed AGENT… [--only-managed-hooks] [--print]

Writes each agent's own file of an administrator, with the settings that keep its hooks on: a file of hookgate's own
where the agent reads a folder of them, else hookgate's part of the file. The command that is registered refuses if
hookgate is gone. As root; \`hookgate status --managed\` says how far it binds each agent, and what is open.

  --only-managed-hooks  also: no hooks run but an administrator's, where the agent has that setting
  --print               print each file with its path, owner and mode, and write nothing
  --dry-run, --diff, --json
`

const common = {
  managed: { type: 'boolean' },
  'dry-run': { type: 'boolean' },
  diff: { type: 'boolean' },
  json: { type: 'boolean' },
} as const
const enabling = { ...common, 'only-managed-hooks': { type: 'boolean' }, print: { type: 'boolean' } } as const

interface ManagedFlags {
  readonly 'dry-run'?: boolean
  readonly diff?: boolean
  readonly json?: boolean
  readonly 'only-managed-hooks'?: boolean
  readonly print?: boolean
}

/** Returns whether a command line is an administrator's, or has a flag that only those have. */
export const isManaged = (argv: readonly string[]) =>
  ['--managed', '--only-managed-hooks', '--print'].some((flag) => argv.includes(flag))

/** Registers hookgate with agents for everybody on this machine, or takes it out again. */
export async function changeManaged(
  verb: 'enable' | 'disable',
  { argv, env, cwd }: Invocation,
): Promise<CommandOutput> {
  const { values, positionals } = parseFlags(verb, argv, verb === 'enable' ? enabling : common, true)
  if (values.managed !== true) throw usage('`--only-managed-hooks` and `--print` go with `--managed`', verb)
  const flags: ManagedFlags = values
  const agents = agentsNamed(verb, positionals)
  const dryRun = flags.print === true || flags['dry-run'] === true || flags.diff === true
  const context: InstallContext = { ...installContextFor({ env, cwd }), dryRun }
  const { disableManaged, enableManaged } = await import('../../../install/index.ts')
  const done =
    verb === 'disable'
      ? await disableManaged(agents, context)
      : await enableManaged(agents, context, { onlyManagedHooks: flags['only-managed-hooks'] === true })
  if (flags.print === true) return printed(flags.json === true ? jsonText(done.wanted, 2) : filesText(done))
  if (flags.json === true) return printed(jsonText({ agents, ...done }, 2))
  if (flags.diff === true) return printed(printable(done.files.map(({ diff }) => diff).join('')))
  if (dryRun) return printed(lines([...done.files.map(({ file }) => `would change ${file}`), ...done.notes]))
  return printed(doneText(verb, agents, done))
}

/** @throws HookgateError `usage` */
function agentsNamed(verb: string, positionals: readonly string[]): readonly KnownAgent[] {
  if (positionals.length === 0) throw usage(`${verb} --managed needs agents: ${choiceOf(agentNames)}`, verb)
  return [...new Set(positionals.map((name) => agentOf(name)))]
}

const filesText = ({ wanted, notes }: ManagedDone) =>
  [
    ...wanted.map(
      ({ file, owner, mode, text }) => `# ${file}  ${owner} ${mode}\n${text}${text.endsWith('\n') ? '' : '\n'}`,
    ),
    ...notes.map((note) => `# ${note}\n`),
  ].join('\n')

function doneText(verb: 'enable' | 'disable', agents: readonly KnownAgent[], { changed, notes }: ManagedDone): string {
  const titles = agents.map((agent) => titleOf(agent)).join(', ')
  if (changed.length === 0)
    return lines([
      `nothing was changed: ${titles} ${verb === 'enable' ? 'is enabled already' : 'was not enabled'}`,
      ...notes,
    ])
  const names = agents.join(' ')
  return lines([
    verb === 'enable'
      ? `for everybody on this machine, hookgate is now asked by ${titles}`
      : `no longer registered by an administrator: ${titles}`,
    ...changed.map(({ file, what, backup }) => `  ${what} ${file}${backup === undefined ? '' : `, backup: ${backup}`}`),
    ...notes.map((note) => `  ${note}`),
    ...(verb === 'enable'
      ? [`next: \`hookgate status --managed\` says what is open; \`hookgate disable --managed ${names}\` undoes it`]
      : []),
  ])
}

const lines = (all: readonly string[]) => all.map((line) => `${printable(line)}\n`).join('')
