import type { Deeds, Family } from '../deeds.ts'

const byVerb: Deeds = { byVerb: 'never' }

const programs: Family['programs'] = {
  flarectl: {
    ...byVerb,
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
  cloudflare: byVerb,
  cfcli: {
    ...byVerb,
    never: ['rm|removerecord', 'purge', 'removezone'],
    work: ['edit', 'always-use-https', 'disable'],
  },
  fastly: {
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
  akamai: {
    ...byVerb,
    valued: 'section edgerc',
    work: ['purge invalidate'],
    never: ['purge delete', 'dns delete-*', 'property deactivate'],
  },
  'akamai-purge': { work: ['invalidate'], never: ['delete'] },
  bunny: byVerb,
  keycdn: byVerb,
  dnscontrol: { work: ['push', 'create-domains', 'init'] },
  'octodns-sync': { never: ['--doit --force'], work: ['--doit'] },
  nsupdate: { work: [''], valued: 'k y t' },
  rndc: {
    never: ['delzone', 'stop', 'halt', 'managed-keys destroy', 'tsig-delete', 'signing -clear'],
    work: ['flush', 'flushname', 'flushtree', 'freeze', 'retransfer', 'dnssec -rollover'],
    valued: 'c k s p',
  },
  pdnsutil: {
    never: [
      'delete-zone|delete-rrset|remove-zone-key|deactivate-zone-key|disable-dnssec|delete-tsig-key|unset-*|clear-zone|remove-*|rrset-delete',
      'zone|rrset|tsigkey|metadata|network|view|autoprimary delete|remove|clear',
    ],
    work: ['replace-rrset', 'edit-zone', 'set-kind', 'backend-cmd'],
  },
  pdns_control: { never: ['quit'], work: ['purge', 'cycle'] },
  knotc: {
    never: ['zone-purge', 'zone-unset', 'conf-unset', 'stop', 'zone-abort', 'zone-restore'],
    work: ['zone-freeze', 'zone-flush'],
  },
  'unbound-control': {
    work: [
      'stop',
      'flush_zone|flush|flush_all|flush_bogus',
      'local_zone_remove|local_data_remove',
      'forward_remove|stub_remove',
    ],
    valued: 'c s',
  },
  'samba-tool': {
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
  'external-dns': { never: ['--policy=sync'] },
  cli53: { never: ['delete', 'rrdelete', 'rrpurge'], work: ['import --replace'] },
  dnsimple: byVerb,
  namecheap: { ...byVerb, also: [{ kind: 'pay', thing: 'money', work: ['domains create'] }] },
  godaddy: byVerb,
  gandi: byVerb,
  porkbun: byVerb,
  deck: {
    never: ['reset', 'gateway reset', 'sync', 'gateway sync'],
    work: ['gateway apply'],
    valued: 's state kong-addr workspace w konnect-token',
  },
  kong: { never: ['migrations reset'], work: ['stop', 'migrations finish', 'restart', 'quit', 'config db_import'] },
  insoctl: byVerb,
  'apigee-cli': byVerb,
  apigeetool: { never: ['delete*', 'undeploy', 'removeenvironment*'] },
  tyk: byVerb,
  'tyk-sync': { work: ['sync', 'publish'], never: ['sync --delete'] },
  apisix: { work: ['stop', 'quit'] },
  gloo: byVerb,
  glooctl: { never: ['uninstall', 'delete *', 'remove *'] },
  gravitee: byVerb,
  varnishadm: {
    never: ['stop', 'vcl.discard', 'panic.clear', 'ban'],
    work: ['vcl.use', 'backend.set_health', 'param.reset'],
    valued: 'n s S T t',
  },
  squidclient: { work: ['-m=purge'], valued: 'm h p' },
}

export const dnsAndCdn: Family = { area: 'dns-and-cdn', thing: 'network', programs }
