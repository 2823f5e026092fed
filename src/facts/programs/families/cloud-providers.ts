import { opens } from './opened-access.ts'
import type { Family } from '../program.ts'
import type { Deeds } from '../deeds/deeds.ts'

/** Most of them are `<things> <verb> <name>`: the first verb decides. */
export const byVerb: Deeds = { byVerb: 'never' }

export const ossutilCloudProviders: Deeds = {
  says: {
    rb: { kind: 'delete', object: 'bucket' },
    'rm -r|--recursive': { kind: 'delete', object: 'everything in', thing: 'data' },
    rm: { kind: 'delete', object: 'object' },
    sync: { kind: 'delete', object: 'all that the source lacks in', thing: 'data', names: 'last' },
  },
  never: ['rb', 'rm --recursive|-r', 'sync --delete'],
  work: ['rm'],
}

export const b2CloudProviders: Deeds = {
  says: {
    'file delete': { kind: 'delete', object: 'file' },
    'rm -r|--recursive': { kind: 'delete', object: 'everything in', thing: 'data' },
    rm: { kind: 'delete', object: 'file' },
    sync: { kind: 'delete', object: 'all that the source lacks in', thing: 'data', names: 'last' },
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
  'linode exo vultr vultr-cli civo upctl nova cinder ovhcloud gridscale lambda zerotier': { does: byVerb },
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
  },

  scw: { does: { ...byVerb, verbs: 'disable', harmless: ['config unset|reset|destroy'] } },
  openstack: {
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

  ossutil64: { does: ossutilCloudProviders },
  tccli: {
    does: { object: 'what is named in the call', never: ['* delete*', '* terminate*', '* destroy*', '* remove*'] },
  },

  yc: {
    does: { ...byVerb, nouns: 'logs', verbs: 'schedule-deletion', harmless: ['config unset', 'config profile delete'] },
  },

  b2v4: { does: b2CloudProviders },
  runpodctl: {
    does: {
      says: {
        'remove|stop': { objectLast: true },
      },
      never: ['remove pod|pods', 'stop pod'],
    },
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
    'b2 sync --delete ./site b2://shop': 'deletes all that the source lacks in `b2://shop`, for good',
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
