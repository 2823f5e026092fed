import type { Family } from '../deeds.ts'

/** Words on the admin sockets of HAProxy and its kin that take a server out of use. */
const onSocket =
  /^\s*(?:disable\s+(?:server|frontend|agent|health|dynamic-cookie)|shutdown\s+(?:frontend|session|sessions)|set\s+server\s+\S+\s+state\s+(?:maint|drain)|del\s+(?:server|backend|map|acl|ssl)|clear\s+(?:map|acl|table|counters\s+all)|set\s+weight\s+\S+\s+0\b|set\s+maxconn)/im

const programs: Family['programs'] = {
  // They pass what they read on to a socket.
  'socat nc ncat netcat telnet openbsd-nc nc.openbsd nc.traditional': {
    kind: 'stop',
    object: 'server',
    never: [''],
    when: ({ command }) => onSocket.test(command.stdin?.value ?? ''),
  },
  nginx: { never: ['-s=stop|-s=quit'], valued: 's c g p e', trials: 't T' },
  openresty: { never: ['-s=stop|-s=quit'], valued: 's c g p e', trials: 't T' },
  tengine: { never: ['-s=stop|-s=quit'], valued: 's c g p e', trials: 't T' },
  apachectl: { never: ['stop|graceful-stop', '-k=stop|-k=graceful-stop'], valued: 'k f' },
  apache2ctl: { never: ['stop|graceful-stop', '-k=stop|-k=graceful-stop'], valued: 'k f' },
  httpd: { never: ['-k=stop|-k=graceful-stop'], valued: 'k f d' },
  apache2: { never: ['-k=stop|-k=graceful-stop'], valued: 'k f d' },
  a2dissite: { work: [''] },
  a2dismod: { work: [''] },
  haproxy: { never: ['-st'], work: ['-sf'], valued: 'f', oneDash: true, trials: 'c vv v' },
  hactl: { work: ['set', 'disable'] },
  caddy: { never: ['stop'], work: ['remove-package'] },
  traefik: { work: ['stop'] },
  traefikctl: { byVerb: 'never' },
  ipvsadm: { never: ['-C|--clear', '-D|--delete-service', '-d|--delete-server'], work: ['-Z|--zero', '--stop-daemon'] },
  poundctl: { work: ['-L|-S|-B'] },
  tmsh: { never: ['delete *', 'load sys config default'], work: ['modify *', 'restart *'] },
  lbctl: { byVerb: 'never' },
}

export const loadBalancers: Family = { area: 'load-balancers', thing: 'network', programs }
