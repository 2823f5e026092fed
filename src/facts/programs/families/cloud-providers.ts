import { byVerb, type Deeds, platformStage } from '../deeds/deeds.ts'
import type { Family } from '../program.ts'
import { storeClient } from './object-stores.ts'
import { opens } from './remote.ts'

const ossutil: Deeds = {
  says: {
    rb: { kind: 'delete', object: 'bucket' },
    'rm -r|--recursive': { kind: 'delete', object: 'everything in', thing: 'data' },
    rm: { kind: 'delete', object: 'object' },
    sync: { kind: 'delete', object: 'files that are only in', thing: 'data', names: 'last' },
  },
  never: ['rb', 'rm --recursive|-r', 'sync --delete'],
  work: ['rm'],
}

const b2: Deeds = {
  says: {
    'file delete': { kind: 'delete', object: 'file' },
    'rm -r|--recursive': { kind: 'delete', object: 'everything in', thing: 'data' },
    rm: { kind: 'delete', object: 'file' },
    sync: { kind: 'delete', object: 'files that are only in', thing: 'data', names: 'last' },
    'cancel-all-unfinished-large-files': { kind: 'delete', object: 'all unfinished uploads' },
    'hide-file|file': { kind: 'change', object: 'file' },
  },
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
}

const programs: Family['programs'] = {
  doctl: {
    ...storeClient,
    does: [
      {
        shows: { 'auth token': { object: 'DigitalOcean token', names: 'none' } },
        says: {
          'compute droplet-action power-off|shutdown': { kind: 'stop', object: 'droplet' },
          'compute droplet-action rebuild|restore': { kind: 'overwrite', object: 'the disk of', thing: 'data' },
          'compute droplet-action': { kind: 'restart', object: 'droplet' },
          'databases delete': { kind: 'delete', object: 'database cluster', thing: 'data' },
          'kubernetes cluster delete': { kind: 'delete', object: 'cluster' },
        },
        ...byVerb,
        valued: 't',
        nouns: 'logs',
        also: [
          { kind: 'grant', thing: 'account', work: ['compute ssh-key import|create'] },
          { kind: 'spend', thing: 'money', work: ['compute domain create'] },
        ],
        work: ['compute droplet-action power-off|shutdown|power-cycle|reboot|rebuild|restore'],
        harmless: ['auth remove'],
      },
      platformStage,
    ],
    looks: `
    compute|kubernetes|k8s|k|monitoring|registry|serverless|vpcs|vpc * list|get
    apps|projects|vpcs|invoice|balance|billing-history list|get
    account get`,
    rentsMachines: true,
  },
  'linode-cli': {
    ...storeClient,
    does: {
      says: { 'linodes rebuild': { kind: 'overwrite', thing: 'data', object: 'the disks of' } },
      ...byVerb,
      valued: 'as-user',
      verbs: 'rm-tag',
      work: ['linodes shutdown|reboot|rebuild'],
    },
    rentsMachines: true,
  },
  oci: {
    ...storeClient,
    does: {
      shows: { 'secrets secret-bundle get': { object: 'Oracle secret', names: '--secret-id' } },
      ...byVerb,
      says: {
        'compute instance action': { kind: 'stop', object: 'instance', names: '--instance-id' },
        'os bucket delete': { object: 'bucket', thing: 'data', names: '--name|--bucket-name' },
      },
      valued: 'compartment-id',
      groupFirst: true,
      verbs: 'bulk-delete schedule-deletion',
      work: ['compute instance action', 'db * stop'],
    },
    rentsMachines: true,
  },
  'ibmcloud ic bx': {
    ...storeClient,
    does: {
      shows: { 'iam oauth-tokens': { object: 'IBM Cloud token', names: 'none' } },
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
    rentsMachines: true,
  },
  'ossutil obsutil coscli': { ...storeClient, does: ossutil },
  coscmd: {
    ...storeClient,
    does: {
      says: {
        deletebucket: { kind: 'delete', object: 'bucket' },
        'delete -r|--recursive': { kind: 'delete', object: 'everything in', thing: 'data' },
        delete: { kind: 'delete', object: 'object' },
      },
      never: ['deletebucket', 'delete --recursive|-r'],
      work: ['delete'],
    },
  },
  b2: { ...storeClient, does: b2 },
  'linode exo vultr vultr-cli civo upctl headscale zowe nova cinder ovhcloud gridscale zerotier': { does: byVerb },
  lambda: { does: byVerb, rentsMachines: true },
  hcloud: {
    does: {
      ...byVerb,
      says: {
        'server reset': { kind: 'restart' },
        'server rebuild': { kind: 'overwrite', thing: 'data', object: 'the disk of' },
        'server disable-backup': { kind: 'stop', thing: 'backup', object: 'the backups of' },
        '* disable-protection': { kind: 'weaken', thing: 'guard', object: 'the protection of', names: 'first' },
      },
      verbs: 'disable-protection detach',
      also: [{ kind: 'grant', thing: 'account', work: ['ssh-key create'] }],
      work: ['server poweroff|shutdown|reset|rebuild|disable-backup'],
      harmless: ['context delete|unset', 'config unset'],
    },
    looks: '* list|describe; version',
    rentsMachines: true,
  },
  scw: { does: { ...byVerb, verbs: 'disable', harmless: ['config unset|reset|destroy'] } },
  openstack: {
    abbreviates: true,
    does: {
      ...byVerb,
      says: {
        'server rebuild': { kind: 'overwrite', thing: 'data', object: 'the disk of' },
        'server shelve': { kind: 'stop' },
        'server remove': { kind: 'change', object: 'server', names: 'first' },
      },
      valued: 'os-cloud os-project-name',
      verbs: 'unset delete',
      work: ['server stop|rebuild|shelve|suspend|reboot', 'server remove *'],
    },
  },
  neutron: { does: { never: ['*-delete', 'net-delete|subnet-delete|router-delete|port-delete'] } },
  aliyun: {
    does: {
      never: ['* delete*', 'oss rm|rb', '* release*', '* terminate*', '* remove*'],
      work: ['* stop*', '* detach*'],
      says: {
        'oss rm': { object: 'object' },
        'oss rb': { object: 'bucket' },
        '* delete*|release*|terminate*|remove*': { object: 'what is named in the call' },
        '*': { kind: 'stop', object: 'what is named in the call' },
      },
    },
  },
  ossutil64: { does: ossutil },
  tccli: {
    does: { object: 'what is named in the call', never: ['* delete*', '* terminate*', '* destroy*', '* remove*'] },
  },
  yc: {
    does: { ...byVerb, nouns: 'logs', verbs: 'schedule-deletion', harmless: ['config unset', 'config profile delete'] },
  },
  b2v4: { does: b2 },
  runpodctl: {
    does: {
      says: {
        'remove|stop': { objectLast: true },
      },
      never: ['remove pod|pods', 'stop pod'],
    },
    rentsMachines: true,
  },
  vastai: {
    does: {
      says: {
        'destroy|delete': { kind: 'delete', objectLast: true },
      },
      never: ['destroy instance|instances', 'delete *'],
    },
  },
  cloudflared: {
    network: { kind: 'tunnel', direction: 'listen' },
    does: [
      {
        says: {
          'tunnel route ip': { kind: 'delete', object: 'route' },
          'tunnel route dns': { kind: 'delete', object: 'DNS record' },
          'tunnel cleanup': { kind: 'stop', object: 'the connections of' },
          'service uninstall': { kind: 'delete', object: 'the tunnel service of this machine' },
          access: { kind: 'revoke', object: 'the sign-ins of this machine' },
        },
        never: ['tunnel delete', 'tunnel route ip|dns delete', 'tunnel cleanup'],
        work: ['service uninstall', 'access revoke'],
      },
      { area: 'opened-access', ...opens({ work: ['tunnel|access'] }) },
    ],
  },
  tailscale: {
    does: [
      {
        says: {
          'down|logout': { kind: 'stop', object: 'the private network of this machine' },
          lock: { kind: 'weaken', object: 'the lock of the network', thing: 'guard' },
          'serve|funnel': { kind: 'stop', object: 'what this machine serves' },
          drive: { kind: 'stop', object: 'shared folder' },
        },
        work: ['down', 'logout', 'lock disable', 'serve reset', 'funnel reset', 'drive unshare'],
      },
      { area: 'opened-access', ...opens({ work: ['funnel|serve|up'] }) },
    ],
  },
  'zerotier-cli': { does: { kind: 'stop', object: 'network', work: ['leave'] } },
  ngrok: {
    network: { kind: 'tunnel', direction: 'listen' },
    does: [
      { work: ['api * delete'] },
      { area: 'opened-access', ...opens({ work: ['http|https|tcp|tls|start|tunnel'] }) },
    ],
  },
}

export const cloudProviders: Family = {
  area: 'cloud-providers',
  programs,
  examples: {
    'oci secrets secret-bundle get --secret-id a': 'shows Oracle secret `a`',
    'ibmcloud iam oauth-tokens': 'shows an IBM Cloud token',
    'doctl compute droplet delete web-1 --force': 'deletes droplet `web-1`, for good',
    'doctl compute droplet-action power-off 12': 'stops droplet `12`',
    'doctl compute droplet list': '',
    'hcloud server delete web-1': 'deletes server `web-1`, for good',
    'hcloud server rebuild web-1 --image debian-12': 'overwrites the disk of `web-1`',
    'linode-cli linodes delete 12': 'deletes linode `12`, for good',
    'openstack server delete prod-web-1': 'deletes server `prod-web-1`, for good, in production',
    'b2 rm --recursive b2://shop/logs': 'deletes everything in `b2://shop/logs`, for good',
    'b2 sync --delete ./site b2://shop': 'deletes files that are only in `b2://shop`, for good',
    'ibmcloud ks cluster rm --cluster shop': 'deletes cluster `shop`, for good',
    'cloudflared tunnel delete shop': 'deletes tunnel `shop`, for good',
    'tailscale logout': 'stops the private network of this machine',
    'ossutil rm -r oss://shop/logs': 'deletes everything in `oss://shop/logs`, for good',
    'coscmd deletebucket shop': 'deletes bucket `shop`, for good',
    'vastai destroy instance 12': 'deletes instance `12`, for good',
    'oci compute instance terminate --instance-id i': 'deletes instance `i`, for good',
    'yc compute instance delete web-1': 'deletes instance `web-1`, for good',
  },
}
