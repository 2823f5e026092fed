import { abstains, ask, asks, definePolicy, type ShellCommand } from 'hookgate/policy'

interface Way {
  readonly program: string
  /** One of the words must be like this. Absent: any use of it. */
  readonly word?: RegExp
}

/** Programs that open this machine to others, or bypass its firewall. */
const ways: readonly Way[] = [
  { program: 'ssh', word: /^-[A-Za-z]*[Rw]|^-o ?(?:RemoteForward|Tunnel)\b/ },
  { program: 'autossh', word: /^-[A-Za-z]*R/ },
  { program: 'ngrok', word: /^(?:http|https|tcp|tls|start|tunnel)$/ },
  { program: 'cloudflared', word: /^(?:tunnel|access)$/ },
  { program: 'lt' },
  { program: 'localtunnel' },
  { program: 'bore', word: /^local$/ },
  { program: 'frpc' },
  { program: 'chisel', word: /^(?:client|server)$/ },
  { program: 'ligolo' },
  { program: 'zrok', word: /^(?:share|access)$/ },
  { program: 'tailscale', word: /^(?:funnel|serve|up)$/ },
  { program: 'tmate' },
  { program: 'upterm', word: /^host$/ },
  { program: 'sshuttle' },
  { program: 'localxpose' },
  { program: 'loclx' },
  { program: 'pagekite' },
  { program: 'inlets', word: /^(?:client|http|tcp)$/ },
  { program: 'code', word: /^(?:tunnel|serve-web)$/ },
  { program: 'code-server' },
  { program: 'iodine' },
  { program: 'dnscat' },
  { program: 'dnscat2' },
  { program: 'ptunnel' },
  { program: 'devtunnel', word: /^host$/ },
  { program: 'teleconsole' },
  { program: 'x11vnc' },
  { program: 'anydesk' },
  { program: 'sshd' },
  // Runners that do what a service of others sends them.
  { program: 'config.sh', word: /^--(?:token|runnergroup|pat)(?:=|$)/ },
  { program: 'gitlab-runner', word: /^register$/ },
  { program: 'act_runner', word: /^register$/ },
  { program: 'buildkite-agent', word: /^start$/ },
]

const opens = ({ program, args, elsewhere }: ShellCommand) =>
  elsewhere !== true &&
  !args.some(({ value }) => value === '--help' || value === '--version') &&
  ways.some(
    (way) =>
      way.program === program && (way.word === undefined || args.some(({ value }) => way.word?.test(value) === true)),
  )

export default definePolicy({
  id: 'remote-access',
  description: 'Asks before this machine is opened to the outside by a tunnel, a shared terminal or a login server',
  severity: 'high',
  on: 'PreToolUse',
  tool: 'shell',
  interest: { words: ways.map(({ program }) => program) },
  params: {
    accessPrograms: { type: 'strings', default: [], description: 'programs that may open such access, by name' },
  },
  decide({ shell, params }) {
    const at = shell.commands.findIndex((command) => opens(command) && !params.accessPrograms.includes(command.program))
    const way = shell.commands[at]
    return way === undefined
      ? undefined
      : ask(
          `${way.program} lets others reach this machine from outside: leave opening and closing such access to the person`,
          { at },
        )
  },
  examples: [
    asks('a tunnel back', 'ssh -fNR 2222:localhost:22 a.example'),
    abstains('a tunnel there', 'ssh -L 5432:db:5432 a.example'),
    asks('a service that tunnels', 'ngrok http 3000'),
    abstains('its settings', 'ngrok config check'),
    asks('a shared terminal', 'tmate -F'),
    abstains('a terminal', 'tmux new -d'),
    asks('behind sudo', 'sudo tailscale funnel 80'),
    abstains('how it is', 'tailscale status'),
    asks('a runner', './config.sh --url https://a.example/b --token X'),
    abstains('a script that is called so', './config.sh --prefix /opt'),
    asks('a runner of another kind', 'gitlab-runner register -n'),
    abstains('allowed', 'ngrok http 3000', { params: { accessPrograms: ['ngrok'] } }),
    asks('another than is allowed', 'cloudflared tunnel run a', { params: { accessPrograms: ['ngrok'] } }),
    abstains('only printed', 'echo ngrok http 3000'),
    abstains('its help', 'sshd --help'),
  ],
})
