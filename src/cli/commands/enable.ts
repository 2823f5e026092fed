import { basename, dirname, posix, sep, win32 } from 'node:path'
import { agentNames, descriptorOf, type KnownAgent, titleOf } from '../../agents/registry.ts'
import type { Done, InstallContext, ManagedDone } from '../../install/index.ts'
import { choiceOf, printable, quoted } from '../../model/text.ts'
import { agentList, agentOf, choiceIn, parseFlags, portOf, agentNamed, installContextFor } from '../args/flags.ts'
import { type Command, type CommandOutput, type Invocation, jsonText, printed, usage } from '../command.ts'
import { consentTo, declined } from '../consent.ts'
import { explainedColumn } from '../text/layout.ts'
import { noPreset, presetByDefault, type PresetChoice } from '../../changes/agents.ts'
import { presetNames } from '../../files/policy-files.ts'
import { shippedPreset } from '../../rules/index.ts'
import { protectionLines } from '../text/rule-lines.ts'

/** Returns the question that asks a person which preset to turn on. */
export function presetQuestion(): string {
  const rows = sortedNames().map((name) => `  ${name.padEnd(12)} ${shippedPreset(name).description}\n`)
  const nothing = `  ${noPreset.padEnd(12)} Nothing is checked until you write rules\n`
  return `No rules are in force. Which preset should be turned on?\n${rows.join('')}${nothing}preset [${presetByDefault}]: `
}

/** Returns the names of all presets, the default first. */
const sortedNames = () =>
  presetNames().toSorted((a, b) => Number(b === presetByDefault) - Number(a === presetByDefault))

/** Returns lines that say which preset is on and what it would refuse, or that nothing is checked. */
export function presetLines(choice: PresetChoice, isDry: boolean): readonly string[] {
  const { preset, file } = choice
  if (preset === undefined) return protectionLines(choice)
  const { description, mode, refuses } = shippedPreset(preset)
  const [would, does] =
    mode === 'observe' ? ['would report, and not refuse', 'reports, and does not refuse'] : ['would refuse', 'refuses']
  const verb = isDry ? 'would be turned on' : 'is on'
  return [
    `the preset ${quoted(preset)} ${verb}: ${description}`,
    `  it ${isDry ? would : does}:`,
    ...refuses.map((command) => `    ${command}`),
    `  \`hookgate packs ${preset}\` shows its rules; to change them, edit ${file}`,
  ]
}

const managedHelp = `
For administrators, for everybody on this machine, whatever users and projects set:

  hookgate enable --managed AGENT… [--only-managed-hooks] [--print]

Writes each agent's own file of an administrator, with the settings that keep its hooks on: a file of hookgate's own
where the agent reads a folder of them, else hookgate's part of the file. Each event runs one script beside it, which
refuses if hookgate is gone; a call is refused as well if the script is gone. As root; \`hookgate status --managed\`
says how far it binds each agent, and what is open.

  --only-managed-hooks  also: no hooks run but an administrator's, where the agent has that setting
  --print               print each file with its path, owner and mode, and write nothing
  --served              with --print: for a server that delivers settings, with no script beside the file
  --target-prefix DIR   with --print: for another machine, whose prefix of npm, for all users, is DIR
  --target-platform P   of that machine: linux, darwin or win32; default: this one's
  --target-node FILE    Node there; default: DIR/bin/node, on Windows DIR\\node.exe
  --yes                 do it without asking: at a terminal, the files are shown first
  --dry-run, --diff, --json
`

export const enableCommand: Command = {
  help: `hookgate enable: have an agent ask hookgate before it acts

  hookgate enable claude-code [--scope user|project] [--preset NAME] [--via http|command] [--port N]
  hookgate enable AGENT [--scope user|project] [--preset NAME]

${explainedColumn('  AGENT            ', agentList)}

For Claude Code, hooks are added to ~/.claude/settings.json (or under CLAUDE_CONFIG_DIR) or, for everybody who works on
the project, to .claude/settings.json. These are commands that ask the gate, and decide by themselves if it was killed.
With \`--via http\` (2.1.295 or newer) most are HTTP hooks, some milliseconds faster: if the gate is killed, they refuse
every call until the next prompt starts it again.

For Cline, one file for each event is written to Documents/Cline/Hooks or .clinerules/hooks. A hook of your own that is
in the way is never overwritten: \`enable\` tells you where to move it.

For the other agents, a command for each event is added to the agent's own hooks file, in the agent's format and units,
and in the position that counts: last for Qwen Code, first for droid. OpenCode, Kilo and OpenClaw get a plugin, Pi an
extension. If you must do something before an agent runs the hooks, \`enable\` tells you, and \`hookgate status\` shows
whether it is done.

Where no rules are in force yet, a preset is turned on: \`{"preset": "recommended"}\` is written to your hooks.json in
~/.config/hookgate, and \`enable\` says what it would refuse. On a terminal it asks which one. In a project nothing is
turned on: its rules are for everybody who works on it.

Every event of an agent is registered, except WorktreeCreate of Claude Code, where a hook creates the folder itself, and
PreCompress of Gemini CLI, which comes before every call of the model.

The rest of your files stays byte for byte the same, and a backup is kept in hookgate's own folder. A file that does not
parse is not touched. Running it again changes nothing, and \`hookgate disable\` undoes it to the byte.

  --scope WHICH    \`user\` (default): you, on this machine; \`project\`: the current folder, in files that are committed
  --preset NAME    \`recommended\` (default), \`strict\`, \`observe\`; with \`none\` nothing is checked yet
  --via WHICH      \`command\` or \`http\`; default: \`command\`, if a thin client works on this machine
  --port N         the gate's HTTP port, with \`--via http\`; default 3043
  --replace        replace hooks of your own that only run hookgate; a copy is kept, and \`disable\` does not restore them
  --dry-run        print which events would be registered, how and in which files, and change nothing
  --diff           like --dry-run, but show the changes as \`diff -u\` does
  --yes            do it without asking: at a terminal, the files are shown first, or the presets
  --json           as JSON: whether something was \`changed\`, \`files\` with their \`diff\`, \`copies\`, \`notes\`

  hookgate enable claude-code && hookgate status claude-code
${managedHelp}`,
  run: (invocation) =>
    isManaged(invocation.argv) ? changeManaged('enable', invocation) : change('enable', undefined, invocation),
}

const disabling = {
  scope: { type: 'string' },
  'dry-run': { type: 'boolean' },
  diff: { type: 'boolean' },
  json: { type: 'boolean' },
  yes: { type: 'boolean' },
} as const

const enabling = {
  ...disabling,
  preset: { type: 'string' },
  via: { type: 'string' },
  port: { type: 'string' },
  replace: { type: 'boolean' },
} as const

/** Flags that the command does not take are absent. */
interface Flags {
  readonly scope?: string
  readonly 'dry-run'?: boolean
  readonly diff?: boolean
  readonly json?: boolean
  readonly yes?: boolean
  readonly preset?: string
  readonly via?: string
  readonly port?: string
  readonly replace?: boolean
}

/** @param named the agent, where the command's own name implies it */
export async function change(
  verb: 'enable' | 'disable',
  named: KnownAgent | undefined,
  { argv, env, cwd, ask }: Invocation,
): Promise<CommandOutput> {
  const parsed = parseFlags(verb, argv, verb === 'enable' ? enabling : disabling, true)
  const { positionals } = parsed
  const values: Flags = parsed.values
  const agent = agentNamed(verb, named, positionals)
  const context: InstallContext = {
    ...installContextFor({ env, cwd }),
    scope: choiceIn(verb, 'scope', values.scope, ['user', 'project']) ?? 'user',
    via: choiceIn(verb, 'via', values.via, ['http', 'command']),
    port: values.port === undefined ? undefined : portOf(verb, 'port', values.port),
    dryRun: values['dry-run'] === true || values.diff === true,
    replace: values.replace === true,
  }
  // Loaded late: deciding an event does not need it.
  const { changesBy, enableAgent } = await import('../../changes/agents.ts')
  const jsonOf = (done: Done) => ({ ...done, ...changesBy(done, context.dryRun) })
  if (verb === 'disable') {
    const { disable } = await import('../../install/index.ts')
    const asks = ask !== undefined && !context.dryRun && values.json !== true && values.yes !== true
    if (asks) {
      const planned = await disable(agent, { ...context, dryRun: true })
      const shown = dryText(planned, [])
      if (planned.changed.length > 0 && (await consentTo({ ask, yes: values.yes, shown })) === false) return declined
    }
    const done = await disable(agent, context)
    return printed(doneText(agent, context, done, values, jsonOf(done)) ?? disabledText(agent, context, done))
  }
  const asked = !context.dryRun && values.json !== true && values.yes !== true ? ask : undefined
  const planned = asked && (await enableAgent(agent, { ...context, dryRun: true }, values.preset))
  // Where no rules are in force, the question for the preset is the one that is asked.
  if (planned?.done.own !== undefined && (values.preset !== undefined || planned.choice.preset === undefined)) {
    const shown = dryText(planned.done, presetLines(planned.choice, true))
    if ((await consentTo({ ask: asked, yes: undefined, shown })) === false) return declined
  }
  const askPreset = asked && (() => asked(presetQuestion()))
  const { done, choice } = await enableAgent(agent, context, values.preset, askPreset)
  const rules = presetLines(choice, context.dryRun)
  const { preset = null, protection = null } = choice
  return printed(
    doneText(agent, context, done, values, { preset, protection, ...jsonOf(done) }, rules) ??
      enabledText(agent, context, done, rules),
  )
}

/** Formats what was done as JSON, or what would be done; `undefined` where something was to be done. */
function doneText(
  agent: KnownAgent,
  { scope, dryRun }: InstallContext,
  done: Done,
  { json, diff }: Flags,
  report: object,
  rules: readonly string[] = [],
): string | undefined {
  if (json === true) return jsonText({ agent, scope, ...report }, 2)
  if (!dryRun) return undefined
  return diff === true ? diffText(done.files.map((one) => one.diff).join('')) : dryText(done, rules)
}

const unchanged = 'nothing would change\n'
const diffText = (diff: string) => (diff === '' ? unchanged : printable(diff))

function dryText({ changed, notes, summary, own }: Done, rules: readonly string[]): string {
  if (own === undefined) return lines(rules) + unchanged
  const folders = Map.groupBy(changed, ({ file, what }) => `${wouldBe[what]} ${dirname(file)}`)
  return lines([
    ...[...folders].map(([folder, files]) => {
      const names = files.map(({ file }) => basename(file))
      return names.length === 1
        ? `${folder}${sep}${names.join('')}`
        : `${folder}: ${names.length} files, ${names.join(', ')}`
    }),
    ...ownLines(own),
    ...[...summary, ...notes].map((line) => `  ${line}`),
    ...rules,
    'nothing was changed; `--diff` shows the changes line by line',
  ])
}

function ownLines({ folder, written, removed, startsGate }: NonNullable<Done['own']>): readonly string[] {
  const gate = startsGate ? ', and the files of a gate, which would be started' : ''
  return [
    `would write in hookgate's own folder ${folder}: ${written.join(', ')}${gate}`,
    ...(removed.length === 0 ? [] : [`would remove from it: ${removed.join(', ')}`]),
  ]
}

const wouldBe = { wrote: 'would write', restored: 'would restore', removed: 'would remove' } as const

function enabledText(
  agent: KnownAgent,
  { scope }: InstallContext,
  { changed, notes, repaired }: Done,
  rules: readonly string[],
): string {
  if (changed.length === 0 && repaired.length === 0)
    return lines([...rules, `${titleOf(agent)} is already enabled: nothing was changed`])
  const status = `hookgate status ${agent}`
  const where = scope === 'project' ? ', in this project' : ''
  return lines([
    ...(repaired.length === 0
      ? [`${titleOf(agent)} now asks hookgate${where}`]
      : [`${titleOf(agent)} was enabled${where}, and is repaired`, ...repaired.map((what) => `  repaired: ${what}`)]),
    ...changed.map(({ file, what, backup }) => `  ${what} ${file}${backup === undefined ? '' : `, backup: ${backup}`}`),
    ...notes.map((note) => `  ${note}`),
    ...rules,
    `next: \`${status}\` proves it; \`hookgate disable ${agent}${scope === 'project' ? ' --scope project' : ''}\` undoes it`,
  ])
}

function disabledText(agent: KnownAgent, { scope }: InstallContext, { changed, notes }: Done): string {
  const where = scope === 'project' ? ' in this project' : ''
  const kept = notes.map((note) => `  ${note}`)
  if (changed.length === 0) return lines([`${titleOf(agent)} was not enabled${where}: nothing was changed`, ...kept])
  const files = changed.map(({ file, what }) => `  ${what} ${file}`)
  const undo = `undo: \`hookgate enable ${agent}${scope === 'project' ? ' --scope project' : ''}\``
  return lines([`${titleOf(agent)} no longer asks hookgate${where}`, ...files, ...kept, undo])
}

const lines = (all: readonly string[]) => all.map((line) => `${printable(line)}\n`).join('')

export const disableCommand: Command = {
  help: `hookgate disable: stop an agent from asking hookgate

  hookgate disable AGENT [--scope user|project]
  hookgate disable --managed AGENT…

Removes what \`hookgate enable\` added, and nothing else: your own changes since then stay. Files and folders that were
created for it are removed too, if nothing else is in them. The gate itself keeps running: \`hookgate down\` stops it.

${explainedColumn('  AGENT            ', agentList)}
  --scope WHICH    \`user\` (default) or \`project\`, as for \`enable\`
  --managed        undo \`hookgate enable --managed\`, as root
  --dry-run        print which files would change, and change nothing
  --diff           like --dry-run, but show the changes as \`diff -u\` does
  --yes            do it without asking: at a terminal, the files are shown first
  --json           as JSON: whether something was \`changed\`, \`files\` with their \`diff\`, \`copies\`, \`notes\`

  hookgate disable claude-code --dry-run
`,
  run: (invocation) =>
    isManaged(invocation.argv) ? changeManaged('disable', invocation) : change('disable', undefined, invocation),
}

const managedCommon = {
  managed: { type: 'boolean' },
  yes: { type: 'boolean' },
  'dry-run': { type: 'boolean' },
  diff: { type: 'boolean' },
  json: { type: 'boolean' },
} as const
const managedFlags = {
  ...managedCommon,
  'only-managed-hooks': { type: 'boolean' },
  print: { type: 'boolean' },
  served: { type: 'boolean' },
  'target-prefix': { type: 'string' },
  'target-platform': { type: 'string' },
  'target-node': { type: 'string' },
} as const

interface ManagedFlags {
  readonly yes?: boolean
  readonly 'dry-run'?: boolean
  readonly diff?: boolean
  readonly json?: boolean
  readonly 'only-managed-hooks'?: boolean
  readonly print?: boolean
  readonly served?: boolean
  readonly 'target-prefix'?: string
  readonly 'target-platform'?: string
  readonly 'target-node'?: string
}

/** Returns whether a command line is an administrator's, or has a flag that only those have. */
const isManaged = (argv: readonly string[]) =>
  ['--managed', '--only-managed-hooks', '--print', '--served'].some((flag) => argv.includes(flag))

/** Registers hookgate with agents for everybody on this machine, or takes it out again. */
async function changeManaged(verb: 'enable' | 'disable', { argv, env, cwd, ask }: Invocation): Promise<CommandOutput> {
  const { values, positionals } = parseFlags(verb, argv, verb === 'enable' ? managedFlags : managedCommon, true)
  if (values.managed !== true) throw usage('`--only-managed-hooks`, `--print` and `--served` go with `--managed`', verb)
  const flags: ManagedFlags = values
  if (flags.served === true && flags.print !== true) throw usage('`--served` goes with `--print`', verb)
  const agents = agentsNamed(verb, positionals)
  const untried =
    flags.served === true ? agents.find((name) => descriptorOf(name)?.managed?.served === undefined) : undefined
  if (untried !== undefined)
    throw usage(
      `nobody has tried hooks that a server delivers to ${titleOf(untried)}: put the files on each machine`,
      verb,
    )
  const dryRun = flags.print === true || flags['dry-run'] === true || flags.diff === true
  const context: InstallContext = { ...installContextFor({ env, cwd }), ...targetOf(flags), dryRun }
  const { disableManaged, enableManaged } = await import('../../install/index.ts')
  const changed = (by: InstallContext) =>
    verb === 'disable'
      ? disableManaged(agents, by)
      : enableManaged(agents, by, {
          onlyManagedHooks: flags['only-managed-hooks'] === true,
          isForServer: flags.served === true,
        })
  if (!dryRun && flags.json !== true && flags.yes !== true && ask !== undefined) {
    const planned = await changed({ ...context, dryRun: true })
    if (planned.files.length > 0 && !(await consentTo({ ask, yes: undefined, shown: plannedText(planned) })))
      return declined
  }
  const done = await changed(context)
  if (flags.print === true) {
    const there = asThere(done, context)
    return printed(flags.json === true ? jsonText(there.wanted, 2) : filesText(there))
  }
  if (flags.json === true) return printed(jsonText({ agents, ...done }, 2))
  if (flags.diff === true) return printed(printable(done.files.map(({ diff }) => diff).join('')))
  if (dryRun) return printed(plannedText(done))
  return printed(managedDoneText(verb, agents, done))
}

const plannedText = ({ files, notes }: ManagedDone) =>
  printableLines([...files.map(({ file }) => `would change ${file}`), ...notes])

/** A folder that is not here, so that files of this machine are not taken for those of the other one. */
const elsewhere = '/hookgate-of-another-machine'

/** Names the files as they are called on the other machine. */
function asThere(done: ManagedDone, { managedRoot, platform }: InstallContext): ManagedDone {
  if (managedRoot !== elsewhere) return done
  const named = (text: string) => text.replaceAll(platform === 'win32' ? `${elsewhere}/` : elsewhere, '')
  const wanted = done.wanted.map((one) =>
    Object.assign({}, one, {
      file: platform === 'win32' ? named(one.file).replaceAll('/', '\\') : named(one.file),
      text: named(one.text),
    }),
  )
  return { ...done, wanted, notes: done.notes.map(named) }
}

/** Returns the machine that files are printed for: nothing of this one says where Node and hookgate are there. */
function targetOf(flags: ManagedFlags): Partial<Pick<InstallContext, 'launcher' | 'platform' | 'managedRoot'>> {
  const { 'target-prefix': prefix, 'target-node': named } = flags
  const platform = choiceIn('enable', 'target-platform', flags['target-platform'], ['linux', 'darwin', 'win32'])
  if (prefix === undefined) {
    if (platform === undefined && named === undefined) return {}
    throw usage('`--target-platform` and `--target-node` go with `--target-prefix`', 'enable')
  }
  if (flags.print !== true) throw usage('`--target-prefix` goes with `--print`: it is for another machine', 'enable')
  const there = platform ?? process.platform
  const paths = there === 'win32' ? win32 : posix
  for (const path of [prefix, named ?? prefix])
    if (!paths.isAbsolute(path)) throw usage(`${quoted(path)} is no absolute path of that machine`, 'enable')
  const node = named ?? (there === 'win32' ? paths.join(prefix, 'node.exe') : paths.join(prefix, 'bin', 'node'))
  const modules = there === 'win32' ? paths.join(prefix, 'node_modules') : paths.join(prefix, 'lib', 'node_modules')
  return {
    platform: there,
    managedRoot: elsewhere,
    launcher: { node, bin: paths.join(modules, 'hookgate', 'dist', 'cli', 'bin.js') },
  }
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

function managedDoneText(
  verb: 'enable' | 'disable',
  agents: readonly KnownAgent[],
  { changed, notes }: ManagedDone,
): string {
  const titles = agents.map((agent) => titleOf(agent)).join(', ')
  if (changed.length === 0)
    return printableLines([
      `nothing was changed: ${titles} ${verb === 'enable' ? 'is enabled already' : 'was not enabled'}`,
      ...notes,
    ])
  const names = agents.join(' ')
  return printableLines([
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

const printableLines = (all: readonly string[]) => all.map((line) => `${printable(line)}\n`).join('')
