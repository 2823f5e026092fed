import { abstains, ask, definePolicy, type ShellCommand } from 'hookgate/policy'

const inCodex = (name: string, command: string) =>
  ({ name, given: { agent: 'codex', input: { command } }, want: { effect: 'ask', reason: 'typed into' } }) as const
const passes = (name: string, command: string) =>
  ({ name, given: { agent: 'codex', input: { command } }, want: 'abstain' }) as const

/** Words with which a program that can be typed into does something else instead. */
const elseways: Readonly<Record<string, RegExp>> = {
  node: /^--(?:test|run|v8-options|build-sea|completion-bash)\b/,
  php: /^(?:-[Simv]|--(?:server|info|modules|ini|ri|rf)\b)/,
  psql: /^(?:-\w*l|--list)$/,
  ruby: /^-v$/,
  // A server of repositories says who you are, and ends.
  ssh: /^-T$/,
}

const waits = ({ typed, program, args }: ShellCommand): boolean =>
  typed !== undefined && !args.some(({ value }) => elseways[program]?.test(value) === true)

export default definePolicy({
  id: 'typed-code',
  description: 'Asks before a program is started that runs what is typed into it, where no hook sees what is typed',
  severity: 'high',
  on: 'PreToolUse',
  tool: 'shell',
  params: {
    agents: {
      type: 'strings',
      default: ['codex'],
      description: 'agents whose model types into running programs without asking a hook',
    },
  },
  decide({ event, shell, params }) {
    if (!params.agents.includes(event.agent)) return undefined
    const at = shell.commands.findIndex(waits)
    const program = shell.commands[at]?.program
    return program === undefined
      ? undefined
      : ask(`no rule sees what is typed into \`${program}\` once it runs: give it its commands as words or in a file`, {
          at,
        })
  },
  examples: [
    inCodex('a shell', 'bash -i'),
    inCodex('in a container', 'docker exec -it web sh'),
    inCodex('behind another command', 'cd app && python3'),
    inCodex('with no more than its output somewhere', 'node > out.txt'),
    inCodex('from the terminal', 'sh < /dev/tty'),
    passes('with a command', 'bash -c "npm test"'),
    passes('with a file', 'python3 build.py'),
    passes('with a text', "python3 <<'E'\nprint(1)\nE"),
    passes('with a text for what starts it', 'docker exec -i web sh < setup.sh'),
    passes('asked for its version', 'node --version'),
    passes('with tests', 'node --test'),
    passes('as a server', 'php -S localhost:8080'),
    passes('to see who one is', 'ssh -T git@github.com'),
    passes('with a module', 'python3 -m http.server'),
    abstains('by an agent that does not type', 'bash -i'),
  ],
})
