import type { Family } from '../program.ts'
import type { Row } from '../row.ts'
import { servesFiles } from './network.ts'

const caddyVerb: Row = {
  options: 'listen=bind l=bind from=bind f=bind to t root=read r=read body b status s header H',
  wholeNames: true,
}

const programs: Family['programs'] = {
  'nginx openresty tengine': {
    does: {
      kind: 'stop',
      object: 'the web server',
      names: 'none',
      thing: 'network',
      never: ['-s=stop|-s=quit'],
      valued: 's c g p e',
      trials: 't T',
    },
  },
  'apachectl apache2ctl': {
    does: {
      kind: 'stop',
      object: 'the web server',
      names: 'none',
      thing: 'network',
      never: ['stop|graceful-stop', '-k=stop|-k=graceful-stop'],
      valued: 'k f',
    },
  },
  'httpd apache2': {
    // BusyBox serves the folder of `-h`.
    options: 'h=read f p k d r c',
    network: ({ has }) => (has('h') ? servesFiles : undefined),
    does: {
      kind: 'stop',
      object: 'the web server',
      names: 'none',
      thing: 'network',
      never: ['-k=stop|-k=graceful-stop'],
      valued: 'k f d',
    },
  },
  a2dissite: { does: { kind: 'stop', object: 'site', work: [''] } },
  a2dismod: { does: { kind: 'stop', object: 'module', work: [''] } },
  haproxy: {
    does: {
      kind: 'restart',
      object: 'the load balancer',
      names: 'none',
      never: ['-st'],
      work: ['-sf'],
      valued: 'f',
      oneDash: true,
      trials: 'c vv v',
    },
  },
  hactl: { does: { kind: 'stop', object: 'server', work: ['set', 'disable'] } },
  caddy: {
    subcommands: {
      'respond, reverse-proxy': caddyVerb,
      'file-server': { ...caddyVerb, network: servesFiles },
    },
    does: {
      kind: 'stop',
      object: 'the web server',
      names: 'none',
      thing: 'network',
      says: {
        'remove-package': { kind: 'change', object: 'the modules of the server', names: 'none' },
      },
      never: ['stop'],
      work: ['remove-package'],
    },
  },
  traefik: { does: { kind: 'stop', object: 'the proxy', names: 'none', work: ['stop'] } },
  'traefikctl lbctl': { does: { byVerb: 'never' } },
  ipvsadm: {
    does: {
      kind: 'stop',
      object: 'the daemon',
      names: 'none',
      says: {
        '-C|--clear': { kind: 'delete', object: 'all virtual servers', names: 'none' },
        '-D|--delete-service': { kind: 'delete', object: 'virtual server', names: 'none' },
        '-d|--delete-server': { kind: 'delete', object: 'server behind the load balancer', names: 'none' },
        '-Z|--zero': { kind: 'delete', object: 'counters', names: 'none' },
      },
      never: ['-C|--clear', '-D|--delete-service', '-d|--delete-server'],
      work: ['-Z|--zero', '--stop-daemon'],
    },
  },
  poundctl: { does: { kind: 'stop', object: 'part of the proxy', names: 'none', work: ['-L|-S|-B'] } },
  tmsh: {
    does: {
      says: {
        load: { kind: 'overwrite', object: 'the whole configuration', names: 'none' },
        delete: { kind: 'delete', object: 'part of the configuration', names: 'last' },
        'modify|restart': { object: 'part of the configuration', names: 'last' },
      },
      never: ['delete *', 'load sys config default'],
      work: ['modify *', 'restart *'],
    },
  },
}

export const loadBalancers: Family = {
  area: 'load-balancers',
  programs,
  examples: {
    'nginx -s stop': 'stops the web server',
    'nginx -t': '',
    'apachectl -k graceful-stop': 'stops the web server',
    'apachectl stop': 'stops the web server',
    'caddy stop': 'stops the web server',
    'haproxy -f /etc/haproxy.cfg -sf 12': 'restarts the load balancer',
    'ipvsadm -C': 'deletes all virtual servers, for good',
    'a2dissite shop': 'stops site `shop`',
    'echo "disable server web/a" | socat stdio /run/haproxy/admin.sock': 'stops a server',
    'tmsh delete ltm pool web': 'deletes part of the configuration `web`, for good',
  },
}
