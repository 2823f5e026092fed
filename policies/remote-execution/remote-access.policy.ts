import { abstains, ask, asks, definePolicy, setOf, type ShellCommand } from 'hookgate/policy'

interface Way {
  readonly program: string
  /** One of the words must be like this. Absent: any use of it. */
  readonly word?: RegExp
}

/** Programs that open this machine to others, or bypass its firewall. */
const ways: readonly Way[] = [
  { program: 'ssh', word: /^-[A-Za-z]*[Rw]|^-o ?(?:RemoteForward|Tunnel)\b/ },
  { program: 'autossh', word: /^-[A-Za-z]*R/ },
  { program: 'gh', word: /^\d+:public$/ },
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

const isKnown = setOf(ways.map(({ program }) => program))
const isWay = (program: string, words: readonly string[]) =>
  ways.some(
    (way) => way.program === program && (way.word === undefined || words.some((word) => way.word?.test(word) === true)),
  )

/** Subcommands behind a word that opens which only look. */
const looks = /^(?:list|ls|info|status|login|logout|help|version)$/

/** The verb of a program whose name says nothing, and what it opens: a port or an address of this machine. */
const verb = /^(?:tunnel|expose|share|funnel)$/
const opened = /^(?:https?:\/\/)?(?:localhost|127\.0\.0\.1|0\.0\.0\.0)(?::\d+)?\/?$|^\d{2,5}$/
/** Modules that open a tunnel, and the option of a server that does. */
const module = /\b(?:py)?(?:ngrok|localtunnel|cloudflared|untun|zrok|tunnelmole)\b/
const shares = /\blaunch\([^)]*\bshare\s*=\s*True/

/** This machine and networks around it. */
const near =
  /^(?:localhost|(?:127|10|192\.168|172\.(?:1[6-9]|2\d|3[01]))\.[\d.]+|\[?::1\]?|.*\.(?:local|localhost|internal|lan|test))$/

/** Returns the name under which a command opens this machine, if it does. */
function opens({ program, args, elsewhere, network, code }: ShellCommand): string | undefined {
  const words = args.map(({ value }) => value)
  if (
    elsewhere === true ||
    words.some((word) => word === '--help' || word === '--version') ||
    looks.test(words[1] ?? '')
  )
    return undefined
  const text = code?.text ?? ''
  if (/\b(?:import|from|require|use)\b/.test(text) && (module.test(text) || shares.test(text))) return 'this code'
  if (program.endsWith('ssh') && near.test(network?.host ?? '')) return undefined
  if (isWay(program, words)) return program
  // An image is called like the program in it.
  const image = /^(?:docker|podman|nerdctl)$/.test(program) && words.includes('run')
  const name = image
    ? words.map((word) => /([\w-]+)(?::[\w.-]+)?$/.exec(word)?.[1] ?? '').find((word) => isKnown.has(word))
    : undefined
  if (name !== undefined && isWay(name, words)) return name
  const at = words.findIndex((word) => verb.test(word))
  return /^(?:kubectl|oc|docker|podman)$/.test(program) ||
    at === -1 ||
    at > 1 ||
    !words.slice(at).some((word) => opened.test(word))
    ? undefined
    : program
}

export default definePolicy({
  id: 'remote-access',
  description: 'Asks before this machine is opened to the outside by a tunnel, a shared terminal or a login server',
  severity: 'high',
  on: 'PreToolUse',
  tool: 'shell',
  interest: { words: [...isKnown.members, 'tunnel expose share funnel'], code: true },
  params: {
    accessPrograms: { type: 'strings', default: [], description: 'programs that may open such access, by name' },
  },
  decide({ shell, params }) {
    for (const [at, command] of shell.commands.entries()) {
      const way = opens(command)
      if (way === undefined || params.accessPrograms.includes(way)) continue
      return ask(
        `${way} lets others reach this machine from outside: leave opening and closing such access to the person`,
        { at },
      )
    }
    return undefined
  },
  examples: [
    asks('a tunnel back', 'ssh -fNR 2222:localhost:22 a.example'),
    abstains('a tunnel back from a machine nearby', 'ssh -R 9003:localhost:9003 dev@192.168.56.10'),
    asks('by an image', 'docker run ngrok/ngrok:latest http 80'),
    asks('by a program that nobody lists', 'npx foo-open tunnel http://localhost:3000'),
    abstains('in a cluster', 'kubectl expose deployment web --port=80'),
    asks('by code', 'python3 -c "from pyngrok import ngrok; ngrok.connect(80)"'),
    abstains('code about it', `python3 -c "print('ngrok')"`),
    abstains('a tunnel there', 'ssh -L 5432:db:5432 a.example'),
    asks('a service that tunnels', 'ngrok http 3000'),
    abstains('its settings', 'ngrok config check'),
    asks('a shared terminal', 'tmate -F'),
    abstains('a terminal', 'tmux new -d'),
    asks('behind sudo', 'sudo tailscale funnel 80'),
    abstains('how it is', 'tailscale status'),
    abstains('which there are', 'cloudflared tunnel list'),
    asks('a runner', './config.sh --url https://a.example/b --token X'),
    abstains('a script that is called so', './config.sh --prefix /opt'),
    asks('a runner of another kind', 'gitlab-runner register -n'),
    abstains('allowed', 'ngrok http 3000', { params: { accessPrograms: ['ngrok'] } }),
    asks('another than is allowed', 'cloudflared tunnel run a', { params: { accessPrograms: ['ngrok'] } }),
    abstains('only printed', 'echo ngrok http 3000'),
    abstains('its help', 'sshd --help'),
  ],
})
