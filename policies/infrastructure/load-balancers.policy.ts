import { abstains, asks, definePolicy, denies, setOf } from 'hookgate/policy'
import { allowed, answered } from './cli/example.ts'
import { answerTo, isAllowed, type CliTable, judge, params } from './cli/judge.ts'
import { callsIn } from './cli/calls.ts'

const table: CliTable = {
  nginx: { deny: ['-s=stop|-s=quit'], valued: 's c g p e', trials: 't T' },
  openresty: { deny: ['-s=stop|-s=quit'], valued: 's c g p e', trials: 't T' },
  tengine: { deny: ['-s=stop|-s=quit'], valued: 's c g p e', trials: 't T' },
  apachectl: { deny: ['stop|graceful-stop', '-k=stop|-k=graceful-stop'], valued: 'k f' },
  apache2ctl: { deny: ['stop|graceful-stop', '-k=stop|-k=graceful-stop'], valued: 'k f' },
  httpd: { deny: ['-k=stop|-k=graceful-stop'], valued: 'k f d' },
  apache2: { deny: ['-k=stop|-k=graceful-stop'], valued: 'k f d' },
  a2dissite: { ask: [''] },
  a2dismod: { ask: [''] },
  haproxy: { deny: ['-st'], ask: ['-sf'], valued: 'f', oneDash: true, trials: 'c vv v' },
  hactl: { ask: ['set', 'disable'] },
  caddy: { deny: ['stop'], ask: ['remove-package'] },
  traefik: { ask: ['stop'] },
  traefikctl: { byVerb: 'deny' },
  ipvsadm: { deny: ['-C|--clear', '-D|--delete-service', '-d|--delete-server'], ask: ['-Z|--zero', '--stop-daemon'] },
  poundctl: { ask: ['-L|-S|-B'] },
  tmsh: { deny: ['delete *', 'load sys config default'], ask: ['modify *', 'restart *'] },
  lbctl: { byVerb: 'deny' },
}

/** Words on the admin sockets of HAProxy and its kin that take a server out of use. */
const onSocket =
  /^\s*(?:disable\s+(?:server|frontend|agent|health|dynamic-cookie)|shutdown\s+(?:frontend|session|sessions)|set\s+server\s+\S+\s+state\s+(?:maint|drain)|del\s+(?:server|backend|map|acl|ssl)|clear\s+(?:map|acl|table|counters\s+all)|set\s+weight\s+\S+\s+0\b|set\s+maxconn)/im

/** Programs that pass what they read on to a socket. */
const toSockets = setOf(['socat', 'nc', 'ncat', 'netcat', 'telnet', 'openbsd-nc', 'nc.openbsd', 'nc.traditional'])

const words = {
  harm: 'stops what receives requests, or removes servers behind it',
  instead:
    'test the configuration and reload it (`nginx -t`, `-s reload`), drain one server at a time, or have the person do it',
}

export default definePolicy({
  id: 'load-balancers',
  severity: 'high',
  description: 'Keeps web servers and load balancers from being stopped, and servers behind them from being taken out',
  on: 'PreToolUse',
  tool: 'shell',
  interest: { words: [...Object.keys(table), ...toSockets.members] },
  params,
  decide({ shell, params: given }) {
    for (const call of callsIn(shell)) {
      const { program, command } = call
      if (!toSockets.has(program) || isAllowed(call, given.allowed)) continue
      const line = onSocket.exec(command.stdin?.value ?? '')?.[0].trim()
      if (line !== undefined) return answerTo({ effect: 'deny', words: `… ${line}` }, call, given, words)
    }
    return judge(shell, table, given, words)
  },
  examples: [
    denies('nginx -s stop'),
    denies('nginx -s quit'),
    denies('nginx -c /etc/nginx/nginx.conf -s stop'),
    denies('apachectl -k graceful-stop'),
    denies('apachectl stop'),
    denies('echo "disable server web/a" | socat stdio /run/haproxy/admin.sock'),
    denies('echo "set server web/a state maint" | nc -U /run/haproxy.sock'),
    denies('ipvsadm -C'),
    denies('caddy stop'),
    asks('haproxy -f /etc/haproxy.cfg -sf 12'),
    abstains('nginx -t'),
    abstains('nginx -s reload'),
    abstains('apachectl configtest'),
    abstains('echo "show stat" | socat stdio /run/haproxy/admin.sock'),
    abstains('echo "disable server web/a"'),
    abstains('haproxy -c -f /etc/haproxy.cfg'),
    abstains('ipvsadm -L -n'),
    abstains('caddy reload'),
    allowed('nginx -s stop', 'nginx'),
    answered('nginx -s stop', 'ask'),
  ],
})
