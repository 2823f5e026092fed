import { abstains, asks, definePolicy, denies } from 'hookgate/policy'
import { allowed, answered } from './cli/example.ts'
import { type Cli, type CliTable, judge, params } from './cli/judge.ts'

/** Most of them are `<things> <verb> <name>`: the first verb decides. */
const byVerb: Cli = { byVerb: 'deny' }

const table: CliTable = {
  doctl: {
    ...byVerb,
    valued: 't c',
    nouns: 'logs',
    ask: ['compute droplet-action power-off|shutdown|power-cycle|reboot|rebuild|restore'],
    harmless: ['auth remove'],
  },
  'linode-cli': { ...byVerb, valued: 'as-user', verbs: 'rm-tag', ask: ['linodes shutdown|reboot|rebuild'] },
  linode: byVerb,
  hcloud: {
    ...byVerb,
    verbs: 'disable-protection detach',
    ask: ['server poweroff|shutdown|reset|rebuild|disable-backup'],
    harmless: ['context delete|unset', 'config unset'],
  },
  oci: {
    ...byVerb,
    valued: 'compartment-id c',
    groupFirst: true,
    verbs: 'bulk-delete schedule-deletion',
    ask: ['compute instance action', 'db * stop'],
  },
  ibmcloud: {
    ...byVerb,
    nouns: 'logs',
    verbs: 'service-delete service-key-delete cluster-rm',
    deny: [
      'ks|cs cluster|worker|worker-pool rm',
      'cf delete|delete-*',
      'resource *-delete',
      'iam *-delete',
      'is *-delete',
      'cos *-delete',
      'resource service-instance-delete|group-delete',
    ],
    harmless: ['plugin uninstall', 'logout'],
  },
  scw: { ...byVerb, verbs: 'disable', harmless: ['config unset|reset|destroy'] },
  exo: byVerb,
  vultr: byVerb,
  'vultr-cli': byVerb,
  civo: byVerb,
  upctl: byVerb,
  openstack: {
    ...byVerb,
    valued: 'os-cloud os-project-name',
    verbs: 'unset delete',
    ask: ['server stop|rebuild|shelve|suspend|reboot', 'server remove *'],
  },
  nova: byVerb,
  cinder: byVerb,
  swift: { deny: ['delete'] },
  neutron: { deny: ['*-delete', 'net-delete|subnet-delete|router-delete|port-delete'] },
  aliyun: {
    deny: ['* delete*', 'oss rm|rb', '* release*', '* terminate*', '* remove*'],
    ask: ['* stop*', '* detach*'],
  },
  ossutil: { deny: ['rb', 'rm --recursive|-r', 'sync --delete'], ask: ['rm'] },
  ossutil64: { deny: ['rb', 'rm --recursive|-r', 'sync --delete'], ask: ['rm'] },
  tccli: { deny: ['* delete*', '* terminate*', '* destroy*', '* remove*'] },
  coscmd: { deny: ['deletebucket', 'delete --recursive|-r'], ask: ['delete'] },
  yc: { ...byVerb, nouns: 'logs', verbs: 'schedule-deletion', harmless: ['config unset', 'config profile delete'] },
  ovhcloud: byVerb,
  gridscale: byVerb,
  b2: {
    deny: [
      'delete-bucket|delete_bucket',
      'delete-file-version|delete_file_version',
      'bucket delete',
      'file delete',
      'rm --recursive|-r',
      'sync --delete',
      'key delete',
      'delete-key',
      'cancel-all-unfinished-large-files',
    ],
    ask: ['rm', 'hide-file|file hide', 'file-version delete'],
  },
  b2v4: { deny: ['bucket delete', 'rm --recursive|-r', 'sync --delete', 'key delete'], ask: ['rm'] },
  runpodctl: { deny: ['remove pod|pods', 'stop pod'] },
  vastai: { deny: ['destroy instance|instances', 'delete *'] },
  lambda: byVerb,
  cloudflared: {
    deny: ['tunnel delete', 'tunnel route ip|dns delete', 'tunnel cleanup'],
    ask: ['service uninstall', 'access revoke'],
  },
  tailscale: { ask: ['down', 'logout', 'lock disable', 'serve reset', 'funnel reset', 'drive unshare'] },
  zerotier: byVerb,
  'zerotier-cli': { ask: ['leave'] },
  ngrok: { ask: ['api * delete'] },
}

export default definePolicy({
  id: 'cloud-providers',
  severity: 'critical',
  description: 'Keeps machines, volumes, networks and buckets of cloud providers from being deleted',
  on: 'PreToolUse',
  tool: 'shell',
  params,
  decide: ({ shell, params: given }) =>
    judge(shell, table, given, {
      harm: 'deletes machines, volumes, networks or buckets of an account, most of it for good',
      instead: 'look first (`list`, `show`), use a test account, or have the person run it',
    }),
  examples: [
    denies('doctl compute droplet delete web-1 --force'),
    denies('hcloud server delete web-1'),
    denies('linode-cli linodes delete 12'),
    abstains('doctl compute droplet list --tag-name delete'),
    denies('openstack server delete web-1'),
    denies('b2 delete-bucket logs'),
    asks('hcloud server poweroff web-1'),
    abstains('hcloud server list'),
    abstains('openstack server show delete'),
    abstains('b2 ls rm'),
    abstains('doctl compute droplet delete web-1 --help'),
    abstains('cloudflared tunnel list'),
    allowed('doctl compute droplet delete web-1 --force', 'doctl'),
    answered('doctl compute droplet delete web-1 --force', 'ask'),
  ],
})
