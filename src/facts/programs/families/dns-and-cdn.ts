import type { Family } from '../program.ts'
import { byVerb } from '../deeds/deeds.ts'
import type { Row } from '../row.ts'
import { servesFiles } from './network.ts'

const programs: Family['programs'] = {
  flarectl: {
    does: {
      ...byVerb,
      says: {
        'zone|z delete|d': { object: 'zone', names: '--zone' },
        'zone purge': { kind: 'delete', object: 'cached content of', names: '--zone' },
        'zone lockdown': { kind: 'change', object: 'access to a zone', names: 'none' },
        'dns create-or-update|o': { kind: 'change', object: 'DNS record', names: '--name' },
        'dns|d delete|d': { object: 'DNS record', names: '--id' },
      },
      valued: 'account-id',
      never: [
        'dns|d delete|d',
        'zone|z delete|d',
        'firewall rules delete',
        'user-agents|ua delete',
        'pagerules delete',
        'origin-ca-root-cert delete',
      ],
      work: ['zone purge|lockdown', 'dns create-or-update|o'],
    },
  },
  'cloudflare bunny keycdn dnsimple godaddy gandi porkbun insoctl apigee-cli tyk gloo gravitee': { does: byVerb },
  cfcli: {
    does: {
      ...byVerb,
      never: ['rm|removerecord', 'purge', 'removezone'],
      work: ['edit', 'always-use-https', 'disable'],
    },
  },
  fastly: {
    does: {
      says: {
        'service purge|purge': { kind: 'delete', object: 'cached content', names: 'none' },
        purge: { kind: 'delete', object: 'cached content', names: 'none' },
        'service-version activate': { kind: 'deploy', object: 'version of the service', names: 'none' },
        'service-version deactivate': { kind: 'stop', object: 'the service', names: 'none' },
        'service-version lock': { kind: 'change', object: 'version of the service', names: 'none' },
        'service deactivate': { kind: 'stop', object: 'service', names: 'none' },
        'service delete': { kind: 'delete', object: 'service' },
      },
      valued: 's service-id service-name t',
      byVerb: 'never',
      nouns: 'logging',
      never: [
        'service delete',
        'service purge --all',
        'service-version deactivate',
        'service deactivate',
        'compute delete',
        'domain|backend|vcl|acl|acl-entry|dictionary|dictionary-entry|dictionary-item|healthcheck|user|secret-store|kv-store|config-store|tls-custom|tls-subscription|resource-link|service-auth|alert|rate-limit|snippet delete',
      ],
      work: ['purge', 'service-version activate', 'service-version lock', 'service purge'],
      harmless: ['profile delete', 'config reset'],
    },
  },
  akamai: {
    does: {
      ...byVerb,
      valued: 'section edgerc',
      work: ['purge invalidate'],
      never: ['purge delete', 'dns delete-*', 'property deactivate'],
    },
  },
  'akamai-purge': {
    does: { kind: 'delete', object: 'cached content', names: 'none', work: ['invalidate'], never: ['delete'] },
  },
  dnscontrol: {
    does: {
      kind: 'deploy',
      object: 'DNS records of all zones',
      names: 'none',
      trial: 'dnscontrol preview',
      says: {
        'init|create-domains': { kind: 'create', object: 'domains at the provider', names: 'none' },
      },
      work: ['push', 'create-domains', 'init'],
    },
  },
  'octodns-sync': {
    does: {
      kind: 'deploy',
      object: 'DNS records of all zones',
      names: 'none',
      never: ['--doit --force'],
      work: ['--doit'],
    },
  },
  nsupdate: { does: { kind: 'change', object: 'DNS records', names: 'none', work: [''], valued: 'k y t' } },
  rndc: {
    does: {
      kind: 'change',
      object: 'keys of a zone',
      names: 'none',
      says: {
        delzone: { kind: 'delete', object: 'zone', names: 'first' },
        'stop|halt': { kind: 'stop', object: 'the DNS server', names: 'none' },
        'flush*': { kind: 'delete', object: 'cached DNS records', names: 'none' },
        'freeze|retransfer': { kind: 'change', object: 'zone', names: 'first' },
        'tsig-delete': { kind: 'delete', object: 'key', thing: 'secret' },
      },
      never: ['delzone', 'stop', 'halt', 'managed-keys destroy', 'tsig-delete', 'signing -clear'],
      work: ['flush', 'flushname', 'flushtree', 'freeze', 'retransfer', 'dnssec -rollover'],
      valued: 'c k s p',
    },
  },
  pdnsutil: {
    does: {
      says: {
        'delete-zone|clear-zone': { kind: 'delete', object: 'zone', names: 'first' },
        'delete-rrset|rrset-delete|replace-rrset': { kind: 'change', object: 'DNS records of', names: 'first' },
        'edit-zone|set-kind': { kind: 'change', object: 'zone', names: 'first' },
      },
      never: [
        'delete-zone|delete-rrset|remove-zone-key|deactivate-zone-key|disable-dnssec|delete-tsig-key|unset-*|clear-zone|remove-*|rrset-delete',
        'zone|rrset|tsigkey|metadata|network|view|autoprimary delete|remove|clear',
      ],
      work: ['replace-rrset', 'edit-zone', 'set-kind', 'backend-cmd'],
    },
  },
  pdns_control: {
    does: {
      says: {
        quit: { kind: 'stop', object: 'the DNS server', names: 'none' },
        purge: { kind: 'delete', object: 'cached DNS records', names: 'none' },
        cycle: { kind: 'restart', object: 'the DNS server', names: 'none' },
      },
      never: ['quit'],
      work: ['purge', 'cycle'],
    },
  },
  knotc: {
    does: {
      never: ['zone-purge', 'zone-unset', 'conf-unset', 'stop', 'zone-abort', 'zone-restore'],
      work: ['zone-freeze', 'zone-flush'],
    },
  },
  'unbound-control': {
    does: {
      kind: 'change',
      object: 'DNS records',
      names: 'none',
      says: {
        stop: { kind: 'stop', object: 'the DNS server', names: 'none' },
        'flush*': { kind: 'delete', object: 'cached DNS records', names: 'none' },
      },
      work: [
        'stop',
        'flush_zone|flush|flush_all|flush_bogus',
        'local_zone_remove|local_data_remove',
        'forward_remove|stub_remove',
      ],
      valued: 'c s',
    },
  },
  'samba-tool': {
    does: {
      says: {
        'dns delete': { kind: 'delete', object: 'DNS record on', names: 'first' },
        domain: { kind: 'change', object: 'the domain', names: 'none' },
        'group removemembers': { kind: 'revoke', object: 'the membership in', thing: 'account', names: 'first' },
        'user setpassword': { kind: 'overwrite', object: 'the password of', thing: 'secret', names: 'first' },
      },
      never: [
        'dns delete|zonedelete',
        'user delete',
        'group delete',
        'domain demote',
        'computer delete',
        'ou delete',
        'gpo del',
        'sites remove',
        'group removemembers',
        'dns cleanup',
      ],
      work: ['user disable', 'user setpassword', 'domain *'],
    },
  },
  'external-dns': {
    does: { kind: 'deploy', object: 'DNS records, deleting others', names: 'none', never: ['--policy=sync'] },
  },
  cli53: {
    does: {
      says: {
        delete: { kind: 'delete', object: 'zone', names: 'first' },
        'rrdelete|rrpurge': { kind: 'delete', object: 'DNS records of', names: 'first' },
        import: { kind: 'overwrite', object: 'DNS records of', names: 'last' },
      },
      never: ['delete', 'rrdelete', 'rrpurge'],
      work: ['import --replace'],
    },
  },
  namecheap: { does: { ...byVerb, also: [{ kind: 'spend', thing: 'money', work: ['domains create'] }] } },
  deck: {
    does: {
      kind: 'deploy',
      object: 'the settings of the gateway',
      names: 'none',
      says: {
        'sync|apply': { trial: 'deck gateway diff' },
        'gateway sync|apply': { trial: 'deck gateway diff' },
        reset: { kind: 'delete', object: 'everything in the gateway', names: 'none' },
        'gateway reset': { kind: 'delete', object: 'everything in the gateway', names: 'none' },
      },
      never: ['reset', 'gateway reset', 'sync', 'gateway sync'],
      work: ['gateway apply'],
      valued: 's state kong-addr workspace w konnect-token',
    },
  },
  kong: {
    does: {
      says: {
        'migrations reset': { kind: 'delete', object: 'the database of the gateway', thing: 'data' },
        'stop|quit|restart': { object: 'the gateway', names: 'none' },
        'migrations|config': { kind: 'change', object: 'the database of the gateway', thing: 'data', names: 'none' },
      },
      never: ['migrations reset'],
      work: ['stop', 'migrations finish', 'restart', 'quit', 'config db_import'],
    },
  },
  apigeetool: { does: { never: ['delete*', 'undeploy', 'removeenvironment*'] } },
  'tyk-sync': {
    does: {
      kind: 'deploy',
      object: 'the settings of the gateway',
      names: 'none',
      work: ['sync', 'publish'],
      never: ['sync --delete'],
    },
  },
  apisix: { does: { kind: 'stop', object: 'the gateway', names: 'none', work: ['stop', 'quit'] } },
  glooctl: { does: { never: ['uninstall', 'delete *', 'remove *'] } },
  varnishadm: {
    does: {
      says: {
        stop: { kind: 'stop', object: 'the cache', names: 'none' },
        ban: { kind: 'delete', object: 'cached content', names: 'none' },
        'vcl.use|backend.set_health|param.reset': { kind: 'change', object: 'the cache', names: 'none' },
        'vcl.discard': { kind: 'delete', object: 'configuration', names: 'first' },
        'panic.clear': { kind: 'delete', object: 'the record of a crash', names: 'none' },
      },
      never: ['stop', 'vcl.discard', 'panic.clear', 'ban'],
      work: ['vcl.use', 'backend.set_health', 'param.reset'],
      valued: 'n s S T t',
    },
  },
  squidclient: {
    does: { kind: 'delete', object: 'cached content of', names: 'last', work: ['-m=purge'], valued: 'm h p' },
  },
}

export const dnsAndCdn: Family = {
  area: 'dns-and-cdn',
  programs,
  examples: {
    'flarectl dns delete --zone example.com --id 1': 'deletes DNS record `1`, for good',
    'flarectl zone delete --zone example.com': 'deletes zone `example.com`, for good',
    'fastly service delete --service-id abc --force': 'deletes service `abc`, for good',
    'fastly service purge --all': 'deletes all cached contents, for good',
    'pdnsutil delete-zone example.com': 'deletes zone `example.com`, for good',
    'rndc delzone example.com': 'deletes zone `example.com`, for good',
    'rndc flush': 'deletes cached DNS records',
    'rndc status': '',
    'cli53 rrdelete example.com www A': 'deletes DNS records of `example.com`, for good',
    'deck gateway reset --force': 'deletes everything in the gateway, for good',
    'deck gateway sync kong.yaml': 'deploys the settings of the gateway',
    'kong migrations reset --yes': 'deletes the database of the gateway, for good',
    'samba-tool dns delete dc example.com www A 10.0.0.1': 'deletes a DNS record on `dc`, for good',
    'dnscontrol push': 'deploys DNS records of all zones',
    'dnscontrol preview': '',
    'octodns-sync --config-file c.yaml --doit': 'deploys DNS records of all zones',
    'nsupdate -k key': 'changes DNS records',
    'varnishadm ban req.url': 'deletes cached content, for good',
    'unbound-control flush_zone example.com': 'deletes cached DNS records',
  },
}

const caddyVerb: Row = {
  options: 'listen=bind l=bind from=bind f=bind to t root=read r=read body b status s header H',
  wholeNames: true,
}

const balancers: Family['programs'] = {
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
  programs: balancers,
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
    'tmsh delete ltm pool web': 'deletes a part of the configuration `web`, for good',
  },
}
