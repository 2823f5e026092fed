import type { Deeds, Family } from '../deeds.ts'

/** Most of them are `<things> <verb> <name>`: the first verb decides. */
const byVerb: Deeds = { byVerb: 'never' }

const programs: Family['programs'] = {
  doctl: {
    ...byVerb,
    valued: 't c',
    nouns: 'logs',
    also: [
      { kind: 'grant', thing: 'account', work: ['compute ssh-key import|create'] },
      { kind: 'pay', thing: 'money', work: ['compute domain create'] },
    ],
    work: ['compute droplet-action power-off|shutdown|power-cycle|reboot|rebuild|restore'],
    harmless: ['auth remove'],
  },
  'linode-cli': { ...byVerb, valued: 'as-user', verbs: 'rm-tag', work: ['linodes shutdown|reboot|rebuild'] },
  linode: byVerb,
  hcloud: {
    ...byVerb,
    verbs: 'disable-protection detach',
    also: [{ kind: 'grant', thing: 'account', work: ['ssh-key create'] }],
    work: ['server poweroff|shutdown|reset|rebuild|disable-backup'],
    harmless: ['context delete|unset', 'config unset'],
  },
  oci: {
    ...byVerb,
    valued: 'compartment-id c',
    groupFirst: true,
    verbs: 'bulk-delete schedule-deletion',
    work: ['compute instance action', 'db * stop'],
  },
  ibmcloud: {
    ...byVerb,
    nouns: 'logs',
    verbs: 'service-delete service-key-delete cluster-rm',
    never: [
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
    work: ['server stop|rebuild|shelve|suspend|reboot', 'server remove *'],
  },
  nova: byVerb,
  cinder: byVerb,
  swift: { never: ['delete'] },
  neutron: { never: ['*-delete', 'net-delete|subnet-delete|router-delete|port-delete'] },
  aliyun: {
    never: ['* delete*', 'oss rm|rb', '* release*', '* terminate*', '* remove*'],
    work: ['* stop*', '* detach*'],
  },
  ossutil: { never: ['rb', 'rm --recursive|-r', 'sync --delete'], work: ['rm'] },
  ossutil64: { never: ['rb', 'rm --recursive|-r', 'sync --delete'], work: ['rm'] },
  tccli: { never: ['* delete*', '* terminate*', '* destroy*', '* remove*'] },
  coscmd: { never: ['deletebucket', 'delete --recursive|-r'], work: ['delete'] },
  yc: { ...byVerb, nouns: 'logs', verbs: 'schedule-deletion', harmless: ['config unset', 'config profile delete'] },
  ovhcloud: byVerb,
  gridscale: byVerb,
  b2: {
    never: [
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
    work: ['rm', 'hide-file|file hide', 'file-version delete'],
  },
  b2v4: { never: ['bucket delete', 'rm --recursive|-r', 'sync --delete', 'key delete'], work: ['rm'] },
  runpodctl: { never: ['remove pod|pods', 'stop pod'] },
  vastai: { never: ['destroy instance|instances', 'delete *'] },
  lambda: byVerb,
  cloudflared: {
    never: ['tunnel delete', 'tunnel route ip|dns delete', 'tunnel cleanup'],
    work: ['service uninstall', 'access revoke'],
  },
  tailscale: { work: ['down', 'logout', 'lock disable', 'serve reset', 'funnel reset', 'drive unshare'] },
  zerotier: byVerb,
  'zerotier-cli': { work: ['leave'] },
  ngrok: { work: ['api * delete'] },
}

export const cloudProviders: Family = { area: 'cloud-providers', thing: 'infrastructure', programs }
