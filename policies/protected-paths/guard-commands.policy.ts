import { ask, definePolicy, deny, type ShellCommand } from 'hookgate/policy'
import { guards } from './guards.ts'

/** Words that only look, and with which nothing changes. */
const looks = new Set([
  'help', 'docs', 'doc', 'log', 'logs', 'status', 'version', 'list', 'ls', 'show', 'view', 'inspect', 'explain', 'check', 'doctor', 'test', 'audit',
  'report', 'completion', 'completions', 'why', 'info', 'history', 'stats', 'bench', 'run', 'packs', 'new', 'schema', 'diff', 'validate', 'verify',
  'scan', 'search', 'observe', 'trace', 'serve', 'up', 'preview', 'classify', 'types', 'simulate', 'guards',
]) // prettier-ignore

/** Words by which a guard is put out of the way, or told to look away. */
const turnsOff =
  /^(?:un)?(?:trust|disable|enable|off|stop|down|uninstall|install|unregister|register|remove|rm|delete|nap|pause|snooze|sleep|bypass|allow|allow-once|allowlist|whitelist|approve|grant|exempt|reset|kill|unlock|suspend|skip|unblock|ignore|permit|mute|set|unset|revoke|clear|forget|override|teach|deny-off|setup)$/

const managers =
  /^(?:cargo|npm|pnpm|yarn|bun|brew|pip3?|pipx|uv|apt|apt-get|aptitude|dnf|yum|pacman|apk|zypper|snap|gem|volta|scoop|choco|winget|mise|asdf|port|nix-env|dpkg|rpm)$/
const takesAway =
  /^(?:uninstall|un|remove|rm|r|purge|unlink|delete|autoremove|-R\w*|-e|-P|--purge|--remove|--uninstall)$/
const stoppers = /^(?:kill|pkill|killall|skill|systemctl|service|launchctl|taskkill|stop-process|brew)$/
const stops = /^(?:stop|disable|mask|kill|unload|bootout|remove|\/f|\/im)$/i

const wordsOf = ({ args }: ShellCommand) => args.map(({ value }) => value)
const isHelp = (words: readonly string[]) => words.some((word) => /^(?:-h|--help|--version|--dry-run)$/.test(word))

/** `nah-cli`, `@scope/nah@1` and `nah.service` are nah. */
const isNamed = (word: string, guard: string) =>
  word
    .replace(/^@[^/]+\//, '')
    .replace(/(?:@.*|\.service|\.plist|-cli|-hooks?)+$/, '')
    .replace(/^.*[./](?=[\w-]+$)/, '') === guard

/** What a command does to a guard: `off` beyond doubt, `unknown` where a person should look. */
function doneTo(
  command: ShellCommand,
  guarding: readonly string[],
): { guard: string; how: 'off' | 'unknown' } | undefined {
  const { program, written, assignments } = command
  const words = wordsOf(command)
  const switched = assignments.flatMap(({ name, value }) =>
    guarding.filter(
      (guard) =>
        name.startsWith(`${guard.toUpperCase().replaceAll('-', '_')}_`) &&
        /DISABLE|BYPASS|SKIP|OFF|ALLOW|UNSAFE|PERMISSIVE|NO_|TRUST/.test(name) &&
        !/^(?:|0|false|no)$/i.test(value.value),
    ),
  )[0]
  if (switched !== undefined) return { guard: switched, how: 'off' }
  if (isHelp(words)) return undefined
  const own = guarding.find((guard) => guard === program)
  // `./nah` is whatever the workspace has under that name.
  if (own !== undefined && written?.value.startsWith('.') !== true) {
    const operands = words.filter((word) => !word.startsWith('-')).slice(0, 3)
    const [first] = operands
    if (words.includes('--list') || (first === undefined && words.length === 0)) return undefined
    if (first !== undefined && looks.has(first)) return undefined
    if (operands.some((word) => turnsOff.test(word))) return { guard: own, how: 'off' }
    return first === undefined && words.every((word) => /^--?(?:v|V|q|json|verbose|quiet)$/.test(word))
      ? undefined
      : { guard: own, how: 'unknown' }
  }
  const named = guarding.find((guard) => words.some((word) => isNamed(word, guard)))
  if (named === undefined) return undefined
  if (managers.test(program) && words.some((word) => takesAway.test(word))) return { guard: named, how: 'off' }
  if (stoppers.test(program) && (/kill/.test(program) || words.some((word) => stops.test(word))))
    return { guard: named, how: 'off' }
  return undefined
}

export default definePolicy({
  id: 'guard-commands',
  severity: 'critical',
  description: 'Refuses to turn off, trust past or take away what guards the agent',
  on: 'PreToolUse',
  tool: 'shell',
  params: { guards },
  decide({ shell, params }) {
    let question: string | undefined
    for (const command of shell.commands) {
      const done = doneTo(command, params.guards)
      if (done === undefined) continue
      if (done.how === 'off') {
        return deny(
          `${done.guard} guards this agent, which may not turn it off, set it up or let itself past: ask the person to`,
        )
      }
      question ??= `${done.guard} guards this agent, and would be told to do something: let the person look at it first`
    }
    return question === undefined ? undefined : ask(question)
  },
  examples: [
    { name: 'trusting', given: { input: { command: 'hookgate trust .' } }, want: 'deny' },
    { name: 'what is trusted', given: { input: { command: 'hookgate trust --list' } }, want: 'abstain' },
    { name: 'turning it off', given: { input: { command: 'hookgate disable claude-code' } }, want: 'deny' },
    { name: 'looking how it is', given: { input: { command: 'hookgate status' } }, want: 'abstain' },
    { name: 'stopping it', given: { input: { command: 'hookgate down' } }, want: 'deny' },
    { name: 'as text', given: { input: { command: 'echo hookgate down' } }, want: 'abstain' },
    { name: 'killing it', given: { input: { command: 'pkill -f hookgate' } }, want: 'deny' },
    { name: 'looking for it', given: { input: { command: 'pgrep -f hookgate' } }, want: 'abstain' },
    { name: 'taking it away', given: { input: { command: 'npm uninstall -g hookgate' } }, want: 'deny' },
    { name: 'taking another away', given: { input: { command: 'npm uninstall -g other' } }, want: 'abstain' },
    { name: 'help', given: { input: { command: 'hookgate trust --help' } }, want: 'abstain' },
    {
      name: 'what is not known of another',
      given: { input: { command: 'warden capability consume' }, params: { guards: ['warden'] } },
      want: 'ask',
    },
  ],
})
