import { hostName } from './http.ts'
import { pushes, liveBy, appliesFetched, platformStage, pushedStage } from '../deeds/deeds.ts'
import type { Family } from '../program.ts'
import { type Row, setup } from '../row.ts'
import { deployer } from './hosting.ts'

/** A client of the servers that a cluster keeps its state in: Nomad, Consul, etcd, Vault. */
export const clusterClient: Row = {
  options: 'endpoints cacert=key cert=key key=key address token',
  network: (line) => ({ kind: 'service', direction: 'both', ...hostName(line.value('endpoints', 'address')) }),
}

/** Programs that own what runs in a cluster. */
const programs: Family['programs'] = {
  cf: {
    ...deployer,
    does: [
      {
        says: {
          'delete-service|ds': { kind: 'delete', object: 'service instance', thing: 'data' },
          'delete|d|delete-app': { kind: 'delete', object: 'app', names: 'first' },
          'stop|sp': { kind: 'stop', object: 'app' },
          'unbind-service|us': { kind: 'stop', object: 'service of app', names: 'first' },
          'unmap-route': { kind: 'stop', object: 'route of app', names: 'first' },
        },
        never: [
          'delete|d',
          'delete-app|delete-service|ds|delete-org|delete-space|delete-user|delete-route|delete-orphaned-routes|delete-domain|delete-private-domain|delete-shared-domain|delete-service-key|dsk|delete-service-broker|delete-buildpack|delete-security-group|delete-quota|delete-org-quota|delete-space-quota|delete-isolation-segment|delete-service-auth-token',
          'purge-service-instance|purge-service-offering',
        ],
        work: [
          'stop|sp',
          'unbind-service|us',
          'unmap-route',
          'scale --i=0|-i=0',
          'unset-env|ue',
          'unset-org-role',
          'unset-space-role',
        ],
        valued: 'i',
      },
      platformStage,
      liveBy(/^push\b/, { toNamed: true }),
    ],
  },
  argocd: {
    does: [
      {
        says: {
          'app sync': { kind: 'deploy', object: 'app' },
          'app terminate-op': { kind: 'stop', object: 'the running sync of' },
          'app set': { kind: 'stop', object: 'the automatic sync of' },
          'app rollback': { kind: 'rollback', object: 'app', names: 'first' },
          'app delete': { kind: 'delete', object: 'app, with what it has deployed' },
        },
        valued: 'auth-token grpc-web-root-path',
        byVerb: 'never',
        nouns: 'login',
        work: [
          'app sync --prune',
          'app sync --force',
          'app rollback',
          'app terminate-op',
          'app set --sync-policy=none',
        ],
        harmless: ['app diff|get|list|logs|history|manifests'],
      },
      platformStage,
    ],
    looks: {
      options: 'server auth-token',
      lines: 'app|proj|cluster|repo|account list|get|history|diff|manifests|logs; version',
    },
  },
  argo: {
    does: [
      {
        says: {
          'delete|stop|terminate|suspend': { object: 'workflow' },
          archive: { kind: 'delete', object: 'archived workflow', thing: 'record' },
        },
        valued: 'n',
        byVerb: 'never',
        work: ['stop', 'terminate', 'suspend', 'cron suspend', 'archive delete'],
      },
      platformStage,
    ],
  },
  flux: {
    does: [
      {
        says: {
          uninstall: { kind: 'delete', object: 'Flux from the cluster', names: 'none' },
          'delete|suspend': { objectLast: true },
        },
        valued: 'n',
        byVerb: 'never',
        never: ['uninstall', 'delete'],
        work: ['suspend'],
      },
      platformStage,
      pushes({ push: 'addresses' }),
    ],
    looks: { options: 'n namespace context', lines: 'get|logs|events|tree|stats|version|check|trace|diff' },
  },
  weave: { does: { byVerb: 'work' } },
  istioctl: {
    does: {
      kind: 'delete',
      object: 'the service mesh',
      names: 'none',
      says: {
        tag: { kind: 'delete', object: 'tag', thing: 'deployment' },
        'upgrade|install': { kind: 'deploy', object: 'the service mesh', names: 'none' },
      },
      valued: 'i f filename',
      also: appliesFetched(['install|apply -f~://|--filename~://']),
      never: [
        'uninstall',
        'x uninstall',
        'experimental uninstall',
        'operator remove',
        'tag remove',
        'remote-clusters delete',
      ],
      work: ['upgrade', 'install --force'],
    },
    looks: { options: 'n namespace context', lines: 'version|proxy-status|ps|analyze|validate; proxy-config|pc *' },
  },
  linkerd: {
    does: {
      kind: 'delete',
      object: 'the service mesh',
      names: 'none',
      work: ['uninstall', 'multicluster unlink', 'viz uninstall', 'prune'],
    },
    looks: { options: 'n namespace context kubeconfig', lines: 'check|version; viz stat|top|edges|routes|check' },
  },
  cilium: {
    does: {
      object: 'the network of the cluster',
      names: 'none',
      thing: 'network',
      kind: 'delete',
      says: {
        policy: { kind: 'delete', object: 'network rule', thing: 'network' },
        endpoint: { kind: 'stop', object: 'endpoint' },
        'clustermesh|hubble': { kind: 'stop', object: 'feature of the network', names: 'none' },
      },
      work: ['uninstall', 'clustermesh disable', 'hubble disable', 'policy delete', 'endpoint disconnect'],
    },
  },
  calicoctl: {
    does: {
      says: {
        delete: { kind: 'delete', objectLast: true },
        ipam: { kind: 'delete', object: 'address', thing: 'network', names: '--ip' },
        replace: { kind: 'overwrite', object: 'resource', names: 'none' },
      },
      never: ['delete'],
      work: ['ipam release', 'replace'],
    },
  },
  tkn: {
    does: { valued: 'n', byVerb: 'never', work: ['pipelinerun cancel', 'pr cancel', 'taskrun cancel', 'tr cancel'] },
  },
  kn: { does: { valued: 'n', byVerb: 'never' } },
  spin: { does: [{ byVerb: 'never', nouns: 'run', work: ['pipeline-template delete'] }, platformStage] },
  hal: { does: { byVerb: 'never', nouns: 'deploy', work: ['deploy clean', 'config provider disable'] } },
  waypoint: {
    does: [
      {
        kind: 'delete',
        object: 'the server and what it has deployed',
        names: 'none',
        says: {
          project: { kind: 'delete', object: 'project' },
        },
        never: ['destroy', 'uninstall', 'project destroy', 'server uninstall'],
        oneDash: true,
      },
      platformStage,
    ],
  },

  'docker-machine': {
    output: setup(/^env\b/),
    does: {
      says: {
        rm: { kind: 'delete', object: 'machine' },
        'kill|stop': { kind: 'stop', object: 'machine' },
      },
      work: ['rm', 'kill', 'stop'],
    },
  },
  kamal: {
    does: [
      {
        says: {
          remove: { kind: 'delete', object: 'everything that the app has deployed', names: 'none' },
          accessory: { kind: 'delete', object: 'accessory, with its data', thing: 'data' },
          'app remove': { kind: 'delete', object: 'app', names: 'none' },
          'traefik|proxy': { kind: 'delete', object: 'the proxy of the servers', thing: 'network' },
          rollback: { kind: 'rollback', object: 'version' },
          'app stop': { kind: 'stop', object: 'the app', names: 'none' },
          prune: { kind: 'delete', object: 'old images and containers', names: 'none' },
        },
        never: ['remove', 'accessory remove', 'app remove', 'traefik|proxy remove'],
        work: ['rollback', 'app stop', 'prune'],
      },
      platformStage,
    ],
  },
  dokku: {
    does: [
      {
        says: {
          'postgres:*|mysql:*|redis:*|mongo:*|mariadb:*': { kind: 'delete', object: 'database', thing: 'data' },
          'storage:*': { kind: 'stop', object: 'storage of app', names: 'first' },
          'ps:stop': { kind: 'stop', object: 'app' },
          'config:*': { kind: 'delete', object: 'settings of', names: 'first' },
          'domains:clear': { kind: 'delete', object: 'domains of', names: 'first' },
          cleanup: { kind: 'delete', object: 'unused containers and images' },
        },
        never: [
          'apps:destroy',
          'postgres:destroy',
          'mysql:destroy',
          'redis:destroy',
          'mongo:destroy',
          'mariadb:destroy',
          'storage:unmount',
        ],
        byVerb: 'never',
        work: ['ps:stop', 'config:unset', 'config:clear', 'domains:clear', 'cleanup'],
      },
      pushedStage,
      liveBy(/^(?:ps:rebuild|git:(?:from-image|sync))\b/, { toNamed: true }),
    ],
  },
  juju: {
    does: {
      says: {
        unregister: { kind: 'delete', object: 'controller from this machine', names: 'none' },
        'kill-controller': { kind: 'delete', object: 'controller' },
      },
      valued: 'm',
      byVerb: 'never',
      never: [
        'destroy-controller|destroy-model|kill-controller|remove-application|remove-unit|remove-machine|remove-storage|remove-relation|remove-user|remove-saas|remove-cloud|remove-credential|remove-offer',
        'unregister',
      ],
    },
  },
  'marathon dcos': { does: { byVerb: 'never' } },

  bosh: {
    does: {
      says: {
        'clean-up': { kind: 'delete', object: 'unused releases and disks', names: 'none' },
        stop: { kind: 'stop', object: 'instance' },
        'orphan-disk': { kind: 'change', object: 'disk' },
        'cloud-check|cck': { kind: 'change', object: 'virtual machines', names: 'none' },
      },
      valued: 'e d n',
      never: [
        'delete-deployment',
        'delete-env',
        'delete-release',
        'delete-stemcell',
        'delete-vm',
        'delete-snapshot|delete-snapshots',
        'clean-up',
      ],
      work: ['stop', 'delete-config', 'delete-disk', 'orphan-disk', 'cancel-task', 'cloud-check|cck'],
    },
  },
  nomad: {
    dashHelp: true,
    ...clusterClient,
    obeys: { when: /^(?:job )?run\b/ },
    does: [
      {
        flags: 'purge detach yes enable disable no-shutdown-delay',
        says: {
          'job stop|purge': { kind: 'stop', object: 'job', names: 'last' },
          stop: { kind: 'stop', object: 'job', names: 'last' },
          'system gc': { kind: 'delete', object: 'what has ended', names: 'none' },
          'node drain|eligibility': { kind: 'stop', object: 'node', names: 'last' },
          'node purge': { kind: 'delete', object: 'node' },
          'operator raft': { kind: 'delete', object: 'server of the cluster', names: 'none' },
          'var purge': { kind: 'delete', object: 'variable', names: 'last' },
          server: { kind: 'delete', object: 'server of the cluster' },
          'deployment fail': { kind: 'stop', object: 'deployment' },
          'alloc stop': { kind: 'stop', object: 'allocation' },
          'job revert': { kind: 'rollback', object: 'job', names: 'first' },
        },
        // A file of its own beside a pipe would make the pipe pointless.
        also: appliesFetched(['job run http:*|https:*|git::*', 'run http:*|https:*|git::*'], ['job run *', 'run *']),
        oneDash: true,
        never: [
          'job stop',
          'stop',
          'job purge',
          'namespace delete',
          'volume delete|deregister',
          'system gc',
          'node drain',
          'node purge',
          'operator raft remove-peer',
          'acl token delete',
          'acl policy delete',
          'acl role delete',
          'var purge',
          'quota delete',
          'server force-leave',
          'sentinel delete',
        ],
        work: ['deployment fail', 'alloc stop', 'job revert', 'node eligibility --disable'],
      },
      platformStage,
    ],
    looks: {
      oneDash: true,
      options: 'namespace region',
      never: '--address|--token',
      lines: `
      status|version
      server members
      job|node|alloc|deployment|eval status
      job history|inspect|plan
      alloc logs
      namespace|volume|plugin list|status
      operator raft list-peers`,
    },
  },
  consul: {
    dashHelp: true,
    ...clusterClient,
    does: {
      flags: 'recurse',
      says: {
        'kv delete': { kind: 'delete', object: 'entry', thing: 'data', names: 'last' },
        'leave|force-leave': { kind: 'stop', object: 'node of the cluster' },
        'operator raft': { kind: 'delete', object: 'server of the cluster', names: 'none' },
        'snapshot restore': { kind: 'overwrite', object: 'the data of the cluster', thing: 'data', names: 'none' },
        'acl *': { kind: 'delete', names: '-id|-name' },
        config: { kind: 'delete', object: 'setting', names: '-name' },
        maint: { kind: 'stop', object: 'this node or service', names: 'none' },
        'services deregister': { kind: 'delete', object: 'service', names: '-id' },
        lock: { kind: 'change', object: 'the lock of a key', names: 'none' },
      },
      oneDash: true,
      never: [
        'kv delete',
        'leave',
        'force-leave',
        'services deregister',
        'config delete',
        'acl token|policy|role|auth-method|binding-rule delete',
        'intention delete',
        'namespace delete',
        'partition delete',
        'peering delete',
        'operator raft remove-peer',
        'snapshot restore',
      ],
      work: ['maint', 'lock'],
      harmless: ['maint --disable'],
    },
    looks: {
      oneDash: true,
      never: '--http-addr|--token',
      lines: 'members|info|version; catalog *; operator raft list-peers',
    },
  },
  boundary: {
    ...clusterClient,
    does: {
      oneDash: true,
      byVerb: 'never',
      verbs: 'remove-principals remove-grants remove-host-sets remove-members',
    },
  },
}

export const releases: Family = {
  area: 'releases',

  programs,
  examples: {
    'argocd app delete shop --cascade': 'deletes app `shop`, with what it has deployed, for good',
    'argocd app rollback shop 3': 'rolls back app `shop`',
    'flux delete kustomization apps': 'deletes kustomization `apps`, for good',
    'flux suspend kustomization apps': 'stops kustomization `apps`',
    'istioctl uninstall --purge -y': 'deletes the service mesh, for good',
    'nomad job stop -purge web': 'stops job `web`',
    'nomad node drain -enable abc': 'stops node `abc`',
    'nomad job status web': '',
    'consul kv delete -recurse app/': 'deletes entry `app/`, for good',
    'consul snapshot restore a.snap': 'overwrites the data of the cluster, for good',
    'cf delete web -f': 'deletes app `web`, for good',
    'cf delete-service db': 'deletes service instance `db`, for good',
    'dokku apps:destroy web': 'deletes app `web`, for good',
    'dokku postgres:destroy db': 'deletes database `db`, for good',
    'dokku config:unset web KEY': 'deletes settings of `web`',
    'juju destroy-model shop': 'deletes model `shop`, for good',
    'kamal rollback abc': 'rolls back version `abc`',
    'kamal accessory remove db': 'deletes accessory `db`, with its data, for good',
    'docker-machine rm web': 'deletes machine `web`',
    'cilium uninstall': 'deletes the network of the cluster',
    'argo stop wf': 'stops workflow `wf`',
    'tkn pipelinerun cancel run-1': 'stops pipelinerun `run-1`',
    'bosh -d shop delete-deployment': 'deletes a deployment, for good',
  },
}
