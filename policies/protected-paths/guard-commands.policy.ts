import {
  abstains,
  ask,
  asks,
  assignmentsOf,
  definePolicy,
  denies,
  deny,
  type Impact,
  onlyTries,
  type PolicyAnswer,
  quoted,
  setOf,
  type ShellCommand,
  type ShellFacts,
} from 'hookgate/policy'
import { guards } from './guards.ts'

/** Words that only look, and with which nothing changes. */
const looks = setOf([
  'help', 'docs', 'doc', 'log', 'logs', 'status', 'version', 'list', 'ls', 'show', 'view', 'inspect', 'explain', 'check', 'doctor', 'test', 'audit',
  'report', 'completion', 'completions', 'why', 'info', 'history', 'stats', 'bench', 'run', 'packs', 'new', 'schema', 'diff', 'validate', 'verify',
  'scan', 'search', 'observe', 'trace', 'serve', 'up', 'preview', 'classify', 'types', 'simulate', 'guards',
]) // prettier-ignore

/** Subcommands that disable a guard, or make it ignore something. */
const turnsOff =
  /^(?:un)?(?:trust|disable|enable|off|stop|down|uninstall|install|unregister|register|remove|rm|delete|nap|pause|snooze|sleep|bypass|allow|allow-once|allowlist|whitelist|approve|grant|exempt|reset|kill|unlock|suspend|skip|unblock|ignore|permit|mute|set|unset|revoke|clear|forget|override|teach|deny-off|setup)$/

const wordsOf = ({ args }: ShellCommand) => args.map(({ value }) => value)

/** `nah-cli`, `@scope/nah@1` and `nah.service` are nah. */
function isNamed(word: string, guard: string): boolean {
  const name = word.startsWith('@') ? word.slice(word.indexOf('/') + 1) : word.slice(word.lastIndexOf('/') + 1)
  const at = name.indexOf('@')
  const bare = at === -1 ? name : name.slice(0, at)
  return bare.startsWith(guard) && /^(?:-cli|-hooks?)?(?:\.service|\.plist)?$/.test(bare.slice(guard.length))
}

/** Areas of impacts on programs that run or are installed on this machine. */
const machine = setOf<string>(['programs', 'processes', 'system-services', 'system-packages', 'packages'])
/** True for an impact of a command that ends a program, or takes it off the machine. */
const ends = ({ kind, area, by }: Impact, at: number) =>
  by === at && (kind === 'stop' || kind === 'delete') && machine.has(area)

/** Ends what a listing by the guard's name tells, or what stands in its own files: `kill $(pgrep -f nah)`. */
function endedByNumber(at: number, { commands, flows }: ShellFacts, guarding: readonly string[]): Done | undefined {
  const starter = commands[at]?.startedBy ?? -1
  const sources = flows.flatMap(({ from, to }) => (to === at || to === starter ? (commands[from] ?? []) : []))
  const words = sources.flatMap(({ args }) => args.map(({ value }) => value))
  const guard = guarding.find((one) => words.some((word) => isNamed(word, one) || word.split('/').includes(one)))
  return guard === undefined ? undefined : { guard, how: 'ends' }
}

/** The effect of a command on a guard; `unknown` if a person should look. */
interface Done {
  readonly guard: string
  readonly how: keyof typeof effects
}

const effects = {
  off: 'would switch off',
  ends: 'would stop or remove',
  told: 'may switch off or weaken',
  unknown: 'may change',
} as const

function doneTo(command: ShellCommand, guarding: readonly string[], isEnding: boolean): Done | undefined {
  const switched = switchedOff(command, guarding)
  if (switched !== undefined) return { guard: switched, how: 'off' }
  const words = wordsOf(command)
  if (onlyTries(command.args, 'h', 'help', 'version', 'dry-run')) return undefined
  const own = guarding.find((guard) => guard === command.program)
  // `./nah` is whatever the workspace has under that name.
  if (own !== undefined && command.written?.value.startsWith('.') !== true) return toldTo(own, words)
  const named = isEnding ? guarding.find((guard) => words.some((word) => isNamed(word, guard))) : undefined
  return named === undefined ? undefined : { guard: named, how: 'ends' }
}

/** By a variable: `NAH_DISABLE=1`. */
function switchedOff(command: ShellCommand, guarding: readonly string[]): string | undefined {
  const names = assignmentsOf(command)
    .filter(([, value]) => !/^(?:|0|false|no)$/i.test(value))
    .map(([name]) => name)
    .filter((name) => /DISABLE|BYPASS|SKIP|OFF|ALLOW|UNSAFE|PERMISSIVE|NO_|TRUST/.test(name))
  return guarding.find((guard) => names.some((name) => name.startsWith(`${guard.toUpperCase().replaceAll('-', '_')}_`)))
}

/** By its own subcommands. */
function toldTo(guard: string, words: readonly string[]): Done | undefined {
  const operands = words.filter((word) => !word.startsWith('-')).slice(0, 3)
  const [first] = operands
  if (words.includes('--list') || (first !== undefined && looks.has(first))) return undefined
  if (operands.some((word) => turnsOff.test(word))) return { guard, how: 'told' }
  const isHarmless = first === undefined && words.every((word) => /^--?(?:v|V|q|json|verbose|quiet)$/.test(word))
  return isHarmless ? undefined : { guard, how: 'unknown' }
}

/** The program and its first word, as they stand in the call. */
const calledAs = ({ program, args: [first] }: ShellCommand) =>
  quoted(`${program} ${first?.unresolved === true || first === undefined ? '' : first.value}`.trim())

export default definePolicy({
  id: 'guard-commands',
  severity: 'critical',
  terminalOnly: true,
  description: 'Refuses to turn off, bypass or remove what guards the agent',
  on: 'PreToolUse',
  tool: 'shell',
  carried: ['machine', 'recipe', 'prompt'],
  interest: { params: ['guards'], assignments: true },
  params: { guards },
  decide({ shell, impacts, params }) {
    let question: PolicyAnswer | undefined
    for (const [at, command] of shell.commands.entries()) {
      const isEnding = impacts.some((impact) => ends(impact, at))
      const done =
        doneTo(command, params.guards, isEnding) ?? (isEnding ? endedByNumber(at, shell, params.guards) : undefined)
      if (done === undefined) continue
      const cause = `${calledAs(command)} ${effects[done.how]} ${done.guard}, which guards this agent`
      if (done.how !== 'unknown') return deny(`${cause}: ask the person to do it`, { at })
      question ??= ask(`${cause}: have the person review it first`, { at })
    }
    return question
  },
  examples: [
    denies('trusting', 'hookgate trust .'),
    abstains('what is trusted', 'hookgate trust --list'),
    denies('turning it off', 'hookgate disable claude-code'),
    abstains('looking how it is', 'hookgate status'),
    denies('stopping it', 'hookgate down'),
    abstains('as text', 'echo hookgate down'),
    denies('killing it', 'pkill -f hookgate'),
    abstains('looking for it', 'pgrep -f hookgate'),
    denies('killing it by its number', 'kill $(pgrep -f hookgate)'),
    denies('by a list', 'pgrep hookgate | xargs kill -STOP'),
    denies('by a file', 'kill -9 $(cat ~/.local/state/hookgate/pid)'),
    abstains('killing another', 'kill $(pgrep -f vite)'),
    denies('taking it away', 'npm uninstall -g hookgate'),
    abstains('taking another away', 'npm uninstall -g other'),
    denies('by a variable', 'export HOOKGATE_DISABLED=1'),
    abstains('a variable that leaves it on', 'HOOKGATE_DISABLED=0 ls'),
    abstains('help', 'hookgate trust --help'),
    asks('what is not known of another', 'warden capability consume', { params: { guards: ['warden'] } }),
  ],
})
