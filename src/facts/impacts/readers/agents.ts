import type { Call } from '../../../words/calls.ts'
import type { Impact } from '../../../model/impact.ts'
import { lineIn, type LooseLine } from '../../../words/loose-line.ts'
import { quotedName } from '../../../words/names.ts'
import { lineOf } from '../../../words/options.ts'
import type { ShellCommand, ShellFacts } from '../../../model/shell.ts'
import { agentNamed, agents } from '../../programs/may-start.ts'
import { hasTrait } from '../../programs/table.ts'
import { type ImpactFound, makeImpact } from '../make-impact.ts'
import { likeness, matchingOption } from '../../programs/deeds/pattern.ts'

/** Options of agents that take a value. */
const valued =
  'permission-mode sandbox s approval-mode extensions e setting-sources plugin-dir plugin-dir-no-mcp plugin-url auto disable ' +
  'settings settings-file allowedTools allowed-tools allow-tool allow-tools trust-tools allow permission model'

/** Options by which any agent starts without its hooks or questions. */
const always =
  /^(?:safe-mode|no-hooks|disable-hooks|no-extensions|no-plugins|skip-hooks|(?:allow-)?dangerously-.*|yolo)$/

/** Matches settings on the command line that keep the agent's hooks from running. */
const withoutHooks =
  /"?disableAllHooks"?\s{0,9}:\s{0,9}true|(?:features\.)?(?:codex_)?hooks?(?:\.enabled)?\s{0,9}=\s{0,9}"?false|allow_?untrusted|"hooks"\s{0,9}:\s{0,9}\{\}|"(?:default|permission)Mode"\s{0,9}:\s{0,9}"bypassPermissions"/i
/** Matches settings on the command line that change what an agent may do. */
const guarding = /"(?:hooks|permissions|enabledPlugins|env|sandbox|apiKeyHelper|disable\w{0,30}|allow\w{0,30})"\s{0,9}:/

/** Subcommands for the parts of an agent's setup, and the commands behind them that change a part. */
const parts = /^(?:plugins?|extensions?|hooks?|mcp|config|settings|features|permissions|skills)$/
const changes =
  /^(?:install|uninstall|remove|rm|disable|disable-all|enable|add|add-json|set|unset|update|import|link|trust|marketplace)$/

/** Where Pi's `install` takes code from, which runs in the agent itself. */
const packageSource = /^(?:npm|git|github|https?|ssh):|^[.~]{0,2}[\\/]/

/** Tools that can do everything. */
const wideTool = /^(?:\*|bash|shell|run_shell_command|execute_bash|launch-process(?::allow)?)(?:\((?:[:*]*)\))?$/i

/** Variables that name an agent's folder of settings, and variables that turn its hooks off. */
const homes =
  /^(?:HOME|XDG_CONFIG_HOME|(?:CLAUDE|CODEX|GEMINI|COPILOT|OPENCODE|QWEN|GROK|KIMI|CLINE|HERMES|PI|KIRO|FACTORY|DROID|AMP|CURSOR|AUGMENT|GOOSE|CRUSH|AIDER|DEVIN|KILO|ROO|OPENCLAW)_(?!PROJECT|HOOK)(?:[A-Z]+_)*(?:HOME|CONFIG|SETTINGS|DIRS?|PERMISSIONS?)(?:_[A-Z]+)*)$/
const switches =
  /(?:^|_)(?:SAFE_MODE|PURE|YOLO|NO_HOOKS|CODE_SIMPLE|DISABLE_(?:DEFAULT_)?(?:HOOKS|PLUGINS|EXTENSIONS)|SKIP_HOOKS|SKIP_PERMISSIONS|AUTO_APPROVE)(?:_|$)/
/** An agent's usual folder of settings, in a home. */
const usual =
  /^(?:~|\/root|(?:\/[a-z]|[A-Za-z]:)?[\\/](?:home|Users)[\\/][^\\/]+)[\\/]\.(?:amp|augment|claude|cline(?:\/data)?|codex|copilot|cursor|factory|gemini|grok|hermes|kimi|kimi-code|kiro|openclaw|pi\/agent|qwen|config(?:\/(?:amp|crush|goose|kilo|opencode))?)(?:[\\/](?:settings(?:\.local)?\.json)?)?$/
/** Variables whose usual value is the home folder itself. */
const homeVariable = /^(?:GEMINI_CLI_HOME|FACTORY_HOME_OVERRIDE)$/
const someHome = /^(?:~|\/root|(?:\/[a-z]|[A-Za-z]:)?[\\/](?:home|Users)[\\/][^\\/]+)[\\/]?$/
/** Files of settings in the project, which the agent reads anyway. */
const ofProject = /^(?:\.\/)?\.[\w-]+\/settings(?:\.local)?\.json$/

/** Finds starts of agents without their hooks or questions, with other settings, or where no hooks are registered. */
export function findStartsOfAgents(call: Call, { commands }: ShellFacts): readonly Impact[] {
  const agent = agentNamed(call.command.program)
  if (agent === undefined || call.args !== call.command.args) return []
  const line = lineIn(call, { valued })
  if (line.has('h', 'help', 'version', 'v')) return []
  const impactOf = (found: UnguardedStart, undo: 'never' | 'work'): Impact =>
    makeImpact(call, line, {
      kind: undo === 'never' ? 'weaken' : 'change',
      thing: 'guard',
      area: 'agents',
      object: 'what guards another agent',
      names: [],
      undo,
      ...found,
    })
  const past = optionPast(agent, line)
  if (past !== undefined)
    return [
      impactOf(
        { words: past, instead: past.startsWith('…') ? 'leave that setting out' : `start it without \`${past}\`` },
        'never',
      ),
    ]
  const variables = call.environment.map(({ name, value }) => [name, value.value] as const)
  const switched = variables.find(([name, value]) => switches.test(name) && !/^(?:|0|false|no)$/i.test(value))
  if (switched !== undefined)
    return [impactOf({ words: '', consequence: `by \`${switched[0]}\``, instead: 'remove that variable' }, 'never')]
  return questionsOf(line, variables, call.command, commands).map((found) => impactOf(found, 'work'))
}

/** Returns the option, or the setting, by which an agent starts past its hooks or questions. */
function optionPast(agent: string, line: LooseLine): string | undefined {
  const own = agents[agent] ?? ''
  if (own !== '' && likeness(own, line) === 'yes') return (matchingOption(line, own) ?? own).replace('=', ' ')
  const names = [...line.options.keys()]
  const general = names.find((name) => always.test(name) && line.has(name))
  if (general !== undefined) return `--${general}`
  const off = line.options.get('disable')?.find((value) => /hooks?$/.test(value))
  if (off !== undefined) return `--disable ${off}`
  const values = [...line.options.keys(), ...[...line.options.values()].flat()]
  const setting = [...values, ...line.words.map(({ text }) => text)].find((text) => withoutHooks.test(text))
  return setting === undefined ? undefined : `… ${setting.slice(0, 40)}`
}

type UnguardedStart = Pick<ImpactFound, 'words' | 'instead' | 'consequence' | 'object'>

/** Returns parts of a start that a person should see first. */
function questionsOf(
  line: LooseLine,
  variables: readonly (readonly [string, string])[],
  command: ShellCommand,
  commands: readonly ShellCommand[],
): readonly UnguardedStart[] {
  const valuesOf = (names: string) => names.split(' ').flatMap((name) => line.options.get(name) ?? [])
  const found: UnguardedStart[] = []
  const reviewFirst = 'have the person review it first'
  const [first, second] = line.words.filter(({ maybeValue }) => !maybeValue).map(({ text }) => text)
  if (parts.test(first ?? '') && changes.test(second ?? ''))
    found.push({ words: `${first} ${second}`, instead: reviewFirst })
  const source = first === 'install' ? line.words.find(({ text }) => packageSource.test(text)) : undefined
  if (source !== undefined) found.push({ words: `install ${source.text}`, instead: reviewFirst })
  const tools = valuesOf('allowedTools allowed-tools allow-tool allow-tools trust-tools allow permission')
  const wide = [...tools, ...(tools.length === 0 ? [] : line.words.map(({ text }) => text))]
    .flatMap((value) => value.split(/[,\s](?![^(]{0,200}\))/))
    .find((tool) => wideTool.test(tool))
  if (wide !== undefined)
    found.push({ words: `… ${wide}`, consequence: 'which runs it unasked', instead: 'name the commands that it needs' })
  const settings = valuesOf('settings settings-file').find((value) =>
    value.trimStart().startsWith('{') ? guarding.test(value) : !usual.test(value) && !ofProject.test(value),
  )
  if (settings !== undefined) found.push({ words: `--settings ${settings.slice(0, 60)}`, instead: reviewFirst })
  const home = variables.find(
    ([name, value]) => homes.test(name) && !usual.test(value) && !(homeVariable.test(name) && someHome.test(value)),
  )
  if (home !== undefined) found.push({ words: '', consequence: `by \`${home[0]}\``, instead: reviewFirst })
  const surroundings = surroundingsOf(command, commands)
  if (surroundings !== undefined)
    found.push({
      words: '',
      object: 'another agent',
      consequence: `${surroundings}where its hooks may not run`,
      instead: 'have the person start it',
    })
  return found
}

/** Says where an agent would start, if not in the person's own surroundings, in which its hooks are registered. */
function surroundingsOf(command: ShellCommand, commands: readonly ShellCommand[]): string | undefined {
  if (command.elsewhere === true || command.view !== undefined) return ''
  if (command.user !== undefined) return `as user ${quotedName(command.user)}, `
  for (let at = command.startedBy; at !== undefined; at = commands[at]?.startedBy) {
    const starter = commands[at]
    if (starter === undefined) return undefined
    if (hasTrait(starter.program, 'encloses')) return `within ${quotedName(starter.program)}, `
    if (hasTrait(starter.program, 'givesVariables') && isEmptied(starter)) return 'without its environment, '
  }
  return undefined
}

/** True for `env -i`, `env -` and `env -u HOME` that set no other `HOME`. */
function isEmptied(command: ShellCommand): boolean {
  const line = lineOf(command)
  const words = command.args.map(({ value }) => value)
  if (line === undefined || words.some((word) => word.startsWith('HOME='))) return false
  return (
    words.includes('-') ||
    line.has('i', 'ignore-environment') ||
    line.values('u', 'unset').some(({ value }) => value === 'HOME')
  )
}
