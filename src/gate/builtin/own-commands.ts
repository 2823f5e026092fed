import { hasShellTrait } from '../../model/shell-traits.ts'
import type { ShellCommand, ShellWord } from '../../model/shell.ts'
import { quoted } from '../../model/text.ts'
import { folded, literal, meeting, pathGlob } from '../../rules/match/glob.ts'

/** The options with which a command only looks, or those without which it does. */
interface OnlyIf {
  readonly options?: readonly string[]
  readonly without?: readonly string[]
}

/**
 * hookgate's commands that change nothing of it. Every other one is refused, those that do not exist yet included.
 *
 * `test/gate/builtin/self-protection.test.ts` lists what every command of the command line comes to.
 */
const harmless: ReadonlyMap<string, 'always' | OnlyIf> = new Map<string, 'always' | OnlyIf>([
  ...[
    'run', 'explain', 'why', 'log', 'stats', 'check', 'status', 'doctor', 'completion', 'test', 'bench', 'schema', 'new', 'emit',
    'help', '--help', '-h', '--version', '-v',
  ].map((name) => [name, 'always'] as const), // prettier-ignore
  ...['init', 'uninstall', 'enable', 'disable', 'import'].map(
    (name) => [name, { options: ['--dry-run', '--diff', '--print'] }] as const,
  ),
  ['trust', { options: ['--list', '--dry-run'] }],
  ['state', { without: ['--clear'] }],
  ['packs', { options: ['--dry-run'], without: ['--on', '--off', '--observe', '--enforce', '--param', '--unset'] }],
  // `replay` with one of these runs hooks, which have effects, or writes its report over any file.
  ['replay', { without: ['--run-hooks', '--junit'] }],
])

/** Says which command of hookgate would change, end or approve something; `undefined` if there is none. */
export function controlsHookgate(command: ShellCommand, programs: readonly string[]): string | undefined {
  const words = wordsFor(command, programs)
  return words === undefined ? uninstalls(command) : controlBy(words)
}

/** Finds a command of hookgate in a text, which whatever gets the text may run, that would change, end or approve something. */
export const controlIn = (text: string): string | undefined =>
  [...text.matchAll(inText)]
    .map(([, name = '', rest = '']) => [name, ...rest.split(/[\s"',]+/)].filter((word) => word !== ''))
    .filter((words) => controlBy(words.map((value) => ({ value }))) !== undefined)
    .map((words) => `hookgate ${words.join(' ')}`.slice(0, shownMax))[0]
const inText =
  /\bhookgate["']?[\s,"']+(down|disable|enable|init|uninstall|trust|serve|up|ui|allow|approvals|import|packs|bundle|state)\b([^\n;&|]*)/g
const shownMax = 80

function controlBy(words: readonly ShellWord[]): string | undefined {
  const [name, ...rest] = words.map(({ value, unresolved }) => (unresolved === true ? undefined : value))
  if (words.length === 0) return undefined
  if (name === undefined) return 'it is not known which command of hookgate this is'
  const how = harmless.get(name)
  const end = rest.indexOf('--')
  const options = end === -1 ? rest : rest.slice(0, end)
  // It writes rules for everybody on the machine.
  const isForAll = name === 'new' && rest[0] === 'managed' && !options.includes('--print')
  const isHarmless =
    (how === 'always' ? !isForAll : onlyLooks(how, options)) || ['--help', '-h'].some((one) => options.includes(one))
  return isHarmless ? undefined : `${quoted(`hookgate ${name}`)} controls hookgate, which guards this session`
}

/** @param options those before `--`, each `undefined` if it is not known */
function onlyLooks(how: OnlyIf | undefined, options: readonly (string | undefined)[]): boolean {
  if (how === undefined) return false
  if (how.options?.some((one) => options.includes(one)) === true) return true
  const { without } = how
  if (without === undefined) return false
  return options.every((word) => word !== undefined && !without.some((one) => word.split('=')[0] === one))
}

/** Tells whether a command is hookgate itself, by its name. */
export const isHookgate = ({ program }: ShellCommand): boolean => /^hookgate(?:\.cmd|\.ps1)?$/.test(program)

/** Returns the words after hookgate's name, whichever way it is started; `undefined` for another program. */
function wordsFor(command: ShellCommand, programs: readonly string[]): readonly ShellWord[] | undefined {
  const { written, args, paths } = command
  if (isHookgate(command)) return args[0]?.value === '--' ? args.slice(1) : args
  const name = written?.value.split('/').at(-1) ?? ''
  if (/^[^*]*[*?[]/.test(name) && meeting(pathGlob('/', name))(literal('/hookgate'))) return args
  if (hasShellTrait(command, 'startsTools') || hasShellTrait(command, 'runsJavascript')) {
    const first = args.findIndex(({ value }) => !value.startsWith('-'))
    if (args[first]?.value === 'hookgate') return args.slice(first + 1)
    const specifier = args.findIndex(({ value }) => /^npm:\/?hookgate(?:[@/]|$)/.test(value))
    if (specifier !== -1) return args.slice(specifier + 1)
  }
  const started = paths.find(
    ({ access, absolute, real }) =>
      access === 'execute' && [absolute, real].some((file) => file !== undefined && isProgram(file, programs)),
  )
  if (started === undefined) return undefined
  return args.slice(args.findIndex(({ value }) => value === started.written) + 1)
}

/** Returns true for this hookgate, and for another installation of it. */
function isProgram(file: string, programs: readonly string[]): boolean {
  const path = folded(file.replaceAll('\\', '/'))
  return (
    programs.some((one) => folded(one.replaceAll('\\', '/')) === path) || path.endsWith('/hookgate/dist/cli/bin.js')
  )
}

const managers = /^(?:npm|pnpm|yarn|bun|volta|mise|asdf|brew)$/
const removes = /^(?:uninstall|remove|rm|r|un|unlink|delete)$/
const replaces = /^(?:install|i|add|update|up|upgrade|link)$/
const everywhere = /^(?:-g|--global|global|--location=global)$/

/** Names the removal of hookgate, or the installation of another version of it for the user; else `undefined`. */
function uninstalls({ program, args }: ShellCommand): string | undefined {
  if (!managers.test(program)) return undefined
  const words = args.map(({ value }) => value)
  if (!words.some((word) => /^hookgate(?:@|$)/.test(word))) return undefined
  const replaced = words.some((word) => everywhere.test(word)) && words.some((word) => replaces.test(word))
  return replaced || words.some((word) => removes.test(word))
    ? `${quoted(program)} would remove or replace hookgate, which guards this session`
    : undefined
}
