import { clusterClient } from './releases.ts'
import { liveByVerbs, appliesFetched, platformStage } from '../deeds/deeds.ts'
import { execInContainer } from './containers.ts'
import { kubectlLike } from './kubectl.ts'
import { handsOver, setup, sshOption, type Row } from '../row.ts'
import type { Family } from '../program.ts'
import { manager } from '../deeds/packages.ts'

/** Clusters: their clients, what makes them, and what works in them. */
export const kubernetes: Family = {
  area: 'kubernetes',
  programs: {
    ...kubectlLike,
    'kubectl-argo-rollouts': { does: { object: 'rollout', work: ['abort', 'undo', 'terminate'] } },
    kustomize: {
      does: [
        {
          says: {
            'edit remove': { kind: 'change', object: 'the kustomization', names: 'none' },
            'cfg delete-*': { kind: 'change', object: 'the configuration', names: 'none' },
          },
          work: ['edit remove', 'cfg delete-*'],
        },
        platformStage,
      ],
      looks: `
    version
    build !-o|--output|--enable-helm|--enable-exec|--enable-alpha-plugins|--helm-command|--load-restrictor`,
    },
    kpt: {
      does: {
        says: {
          'live destroy': { kind: 'delete', object: 'what the package has created', names: 'none' },
          'pkg delete': { kind: 'delete', object: 'package' },
        },
        work: ['live destroy', 'pkg delete'],
      },
    },
    kapp: {
      does: [
        {
          says: {
            delete: { kind: 'delete', object: 'app', names: '-a|--app' },
          },
          valued: 'a f n',
          work: ['delete', 'app-group delete'],
        },
        platformStage,
      ],
    },
    skaffold: {
      does: [
        { object: 'what it has deployed', kind: 'delete', names: 'none', work: ['delete'] },
        platformStage,
        liveByVerbs('publish', 'upload'),
      ],
    },
    tilt: {
      does: [
        { kind: 'delete', object: 'what it has deployed', names: 'none', work: ['down'] },
        liveByVerbs('publish', 'upload'),
      ],
    },
    devspace: {
      does: [
        {
          says: {
            purge: { kind: 'delete', object: 'what it has deployed', names: 'none' },
            reset: { kind: 'change', object: 'the settings of the project', names: 'none' },
            remove: { kind: 'change', object: 'the settings of the project', names: 'none' },
          },
          work: ['purge', 'reset', 'remove'],
        },
        liveByVerbs('publish', 'upload'),
      ],
    },
    okteto: {
      does: [
        {
          says: {
            down: { kind: 'delete', object: 'the volumes of the development environment', names: 'none' },
            destroy: { kind: 'delete', object: 'what it has deployed', names: 'none' },
            'preview destroy': { kind: 'delete', object: 'preview environment' },
          },
          work: ['down --volumes|-v', 'destroy', 'namespace delete', 'preview destroy'],
        },
        liveByVerbs('publish', 'upload'),
      ],
    },
    garden: {
      does: [
        {
          says: {
            delete: { kind: 'delete', object: 'what it has deployed', names: 'none' },
            cleanup: { kind: 'delete', object: 'what it has deployed', names: 'none' },
          },
          work: ['delete', 'cleanup'],
        },
        platformStage,
        liveByVerbs('publish', 'upload'),
      ],
    },
    kubeadm: {
      does: {
        says: {
          reset: { kind: 'delete', object: 'this node of the cluster', names: 'none' },
        },
        work: ['reset', 'token delete'],
      },
    },
    etcdadm: { does: { object: 'this member of the cluster and its data', names: 'none', work: ['reset'] } },

    'k3s-uninstall k3s-agent-uninstall rke2-uninstall': {
      does: {
        kind: 'delete',
        object: 'this node of the cluster, with its data',
        names: 'none',
        work: [''],
      },
    },
    'k3s-killall': { does: { kind: 'stop', object: 'all containers of this node', names: 'none', work: [''] } },
    k3s: {
      subcommands: { kubectl: handsOver('kubectl', 'kubectl'), crictl: execInContainer },
      does: {
        says: {
          'etcd-snapshot': { kind: 'delete', object: 'snapshot' },
          server: { kind: 'delete', object: 'all members of the cluster but this one', names: 'none' },
        },
        work: ['etcd-snapshot delete|prune', 'server --cluster-reset'],
      },
    },
    minikube: {
      output: setup(/^(?:-p \S+ )?(?:docker-env|podman-env|completion)\b/),
      options: 'p profile',
      subcommands: { kubectl: handsOver('kubectl', 'kubectl'), ssh: sshOption('n node', 'command') },
      does: {
        says: {
          delete: { kind: 'delete', object: 'local cluster', names: '-p|--profile' },
          'addons disable': { kind: 'stop', object: 'add-on' },
        },
        work: ['delete', 'addons disable'],
      },
      looks: { options: 'p profile', lines: 'status|version|ip|logs; addons|image|node|profile list|ls' },
    },
    rke: { does: { kind: 'delete', object: 'the cluster', names: 'none', work: ['remove'] } },
    k0s: {
      does: { kind: 'delete', object: 'this node of the cluster, with its data', names: 'none', work: ['reset'] },
    },
    k0sctl: { does: { kind: 'delete', object: 'the cluster', names: 'none', work: ['reset'] } },
    microk8s: {
      subcommands: { kubectl: handsOver('kubectl', 'kubectl'), 'helm, helm3': handsOver('helm', 'helm helm3') },
      does: {
        says: {
          reset: { kind: 'delete', object: 'the cluster on this machine, with its data', names: 'none' },
          disable: { kind: 'stop', object: 'add-on' },
          'remove-node': { kind: 'delete', object: 'node' },
          uninstall: { kind: 'delete', object: 'the cluster on this machine', names: 'none' },
        },
        work: ['reset', 'disable', 'remove-node', 'uninstall'],
      },
    },

    kind: {
      output: setup(/^completion \w+$/),
      does: { object: 'local cluster', names: '--name', work: ['delete cluster|clusters'] },
      looks: 'get clusters|nodes; version',
    },
    k3d: {
      does: {
        says: {
          cluster: { kind: 'delete', object: 'local cluster' },
        },
        work: ['cluster|node|registry delete|rm'],
      },
      looks: 'cluster|node|registry list|ls; version',
    },
    'kwok kwokctl': { does: { object: 'local cluster', names: '--name', work: ['delete'] } },
    talosctl: {
      does: {
        says: {
          reset: { kind: 'delete', object: 'the system of nodes', names: 'none' },
          'cluster destroy': { kind: 'delete', object: 'local cluster', names: '--name' },
          shutdown: { kind: 'stop', object: 'all nodes of the call', names: 'none' },
          rollback: { kind: 'rollback', object: 'the system of nodes', names: 'none' },
          wipe: { kind: 'delete', object: 'the data on disks of nodes', names: 'none' },
          'etcd remove-member': { kind: 'delete', object: 'member of etcd' },
        },
        valued: 'n e',
        never: ['reset', 'cluster destroy'],
        work: ['shutdown', 'rollback', 'wipe', 'etcd remove-member'],
      },
    },
    kops: {
      does: {
        says: {
          'delete cluster': { kind: 'delete', object: 'cluster', trial: 'kops delete' },
          delete: { kind: 'delete', objectLast: true },
        },
        never: ['delete --yes|-y'],
        work: ['delete', 'toolbox instance-selector delete'],
        harmless: ['get'],
      },
      looks: `
    version
    get cluster|clusters|ig|instancegroup|instancegroups|instances !-o|--output
    validate cluster`,
    },
    eksctl: {
      does: {
        says: {
          drain: { kind: 'stop', object: 'node group', names: '--name|-n' },
          scale: { kind: 'stop', object: 'node group', names: '--name|-n' },
        },
        valued: 'f',
        byVerb: 'never',
        work: ['drain', 'scale --nodes=0|-N=0'],
      },
      looks: 'get|version|info',
      rentsMachines: true,
    },
    clusterctl: {
      does: {
        says: {
          delete: { kind: 'delete', object: 'provider of clusters', names: '--infrastructure|-i' },
          move: { kind: 'change', object: 'all cluster objects, to another cluster', names: 'none' },
        },
        work: ['delete', 'move'],
      },
    },
    rosa: { does: { byVerb: 'never', valued: 'c' } },
    'ocm tkg tanzu': { does: { byVerb: 'never' } },
    'openshift-install': {
      does: {
        says: {
          'destroy cluster': { kind: 'delete', object: 'the cluster', names: 'none' },
          destroy: { kind: 'delete', objectLast: true },
        },
        never: ['destroy'],
      },
    },
    rancher: { does: { byVerb: 'never', says: { rm: { object: 'resource' } }, work: ['rm'] } },
    vcluster: {
      does: {
        says: {
          'delete|pause': { object: 'virtual cluster' },
          'platform delete': { kind: 'delete', objectLast: true },
        },
        work: ['delete', 'platform delete', 'pause'],
      },
    },
    loft: { does: { byVerb: 'work' } },
    k9s: { looks: 'version|info' },
    stern: { looks: '!--kubeconfig' },
    kubeval: { looks: '1..' },
    kubeconform: { looks: { oneDash: true, lines: '!--cache' } },
    'kube-score': { looks: 'score|list|version' },
    'kube-linter': { looks: 'lint|version !--config; checks|templates list' },
    etcdctl: {
      ...clusterClient,
      does: {
        says: {
          'del --prefix|--from-key': {
            kind: 'delete',
            object: 'all keys from a prefix on',
            thing: 'data',
            names: 'none',
          },
          'del|rm': { kind: 'delete', object: 'key', thing: 'data' },
          'rmdir|rm': { kind: 'delete', object: 'folder of keys', thing: 'data' },
          'member remove': { kind: 'delete', object: 'member of the cluster', thing: 'infrastructure' },
          'auth disable': {
            kind: 'weaken',
            object: 'the authentication of the cluster',
            thing: 'guard',
            names: 'none',
          },
          'snapshot restore': { kind: 'overwrite', object: 'the data with a snapshot', thing: 'data', names: 'none' },
          compaction: { kind: 'delete', object: 'all older revisions of keys', thing: 'data', names: 'none' },
        },
        never: [
          'del --prefix',
          'del --from-key',
          'rm --recursive',
          'member remove',
          'rmdir',
          'user|role delete|remove',
          'auth disable',
        ],
        work: ['del', 'rm', 'snapshot restore', 'compaction', 'lease revoke'],
      },
    },
  },
  examples: {
    'kubectl get secret db -o yaml': 'shows Kubernetes secret `db`',
    'kubectl get secret db -o name': '',
    'kubectl get secrets': '',
    'kubectl patch pvc data -p \'{"metadata":{"finalizers":null}}\'': 'deletes the finalizers of `data`',
    'kubectl label node worker-1 role=db --overwrite': 'changes the labels of `worker-1`',
    'kubectl label node worker-1 role=db': '',
    'kubectl label ns shop pod-security.kubernetes.io/enforce-': 'weakens guard `pod-security.kubernetes.io/enforce-`',
    'kubectl config view --raw --minify --context kind-shop': '',
    'kubectl delete namespace shop': 'deletes namespace `shop` and everything in it',
    'kubectl -n prod delete pods web-1 web-2': 'deletes pods `web-1` and `web-2`, in production',
    'kubectl -n web delete deployment --all': 'deletes all deployments in namespace `web`, for good',
    'kubectl delete pod/web-1': 'deletes pod `web-1`',
    'kubectl delete pvc data-db-0': 'deletes volume claim `data-db-0`, for good',
    'kubectl create rolebinding x --role=edit --user=y': 'grants rights with role binding `x`',
    'kubectl delete -f app.yaml': 'deletes what the manifests describe',
    'kubectl drain node-3': 'stops node `node-3`',
    'kubectl taint nodes node-3 a=b:NoExecute': 'stops node `node-3`',
    'kubectl taint node/node-3 a=b:NoSchedule': 'stops node `node-3`',
    'kubectl scale deployment/api --replicas=0': 'stops deployment `api`',
    'kubectl delete deployment,service --all -n web':
      'deletes all deployments and services in namespace `web`, for good',
    'oc adm policy add-role-to-user edit alice': 'changes what users may do; grants rights to role `edit`',
    'oc delete project shop': 'deletes project `shop` and everything in it',
    'talosctl -n 10.0.0.2 reset': 'deletes the system of nodes, for good',
    'kops delete cluster shop.example.com --yes': 'deletes cluster `shop.example.com`, for good',
    'etcdctl del /shop --prefix': 'deletes all keys from a prefix, for good',
    'microk8s remove-node node-2': 'deletes node `node-2`',
    'k3s kubectl delete pod web-1': 'deletes pod `web-1`',
    'eksctl delete cluster --name web': 'deletes cluster `web`, for good',
    'kind delete cluster --name try': 'deletes local cluster `try`',
    'kubectl delete pod web-1 --dry-run=client': '',
    'kubectl get pods': '',
  },
}

const helmOptions =
  'n namespace kubeconfig kube-context kube-apiserver kube-as-group kube-as-user kube-ca-file kube-tls-server-name kube-token registry-config repository-cache repository-config burst-limit qps f values filter set set-string set-file set-json set-literal version repo username password ca-file cert-file key-file keyring timeout post-renderer post-renderer-args description name-template history-max m max offset o output output-dir l labels selector s show-only kube-version api-versions revision d destination untardir app-version key passphrase-file time-format cascade dry-run?'

const charts: Row = {
  options: 'f=read values=read set set-file n namespace kubeconfig=key version repo kube-context',
  operands: 'none',
}

/** Helm, and what installs releases by it. */
export const helm: Family = {
  area: 'releases',
  programs: {
    'helm microk8s.helm microk8s.helm3': {
      ...charts,
      output: setup(/^completion \w+$/),
      subcommands: {
        'install, upgrade, template, lint, uninstall, delete, del, un, rollback, list, ls, status, history, test, show, search, pull, package, push, get, repo, plugin, registry, dependency, dep, env, create, verify, version, diff, secrets':
          { options: helmOptions, wholeNames: true },
      },
      does: [
        {
          says: {
            'uninstall|delete|del|un': { kind: 'delete', object: 'release', trial: '--dry-run' },
            plugin: { kind: 'delete', object: 'plugin', thing: 'machine' },
            rollback: { kind: 'rollback', object: 'release', names: 'first' },
            upgrade: { kind: 'deploy', object: 'release', names: 'first' },
            repo: { kind: 'delete', object: 'chart repository', thing: 'package' },
            registry: { kind: 'stop', object: 'the sign-in to a registry', names: 'none' },
          },
          also: appliesFetched([
            'install|upgrade http:*|https:*|oci:*',
            'install|upgrade * http:*|https:*|oci:*',
            'install|upgrade -f~://|--values~://|--repo~://',
          ]),
          never: ['uninstall|delete|del|un', 'plugin uninstall|remove'],
          work: [
            'rollback',
            'upgrade --force',
            'upgrade --reset-values',
            'upgrade --cleanup-on-fail',
            'repo remove|rm',
            'registry logout',
          ],
        },
        { area: 'packages', ...manager({ sources: ['repo add', 'plugin install'], publishes: ['push|cm-push'] }) },
        platformStage,
        liveByVerbs('publish'),
      ],
      looks: {
        options:
          'o output n namespace kube-context kubeconfig kube-apiserver kube-token kube-as-user registry-config repository-cache repository-config burst-limit qps +debug +kube-insecure-skip-tls-verify',
        never: '--post-renderer|--output-dir',
        lines: `
    list|ls|status|history|hist|get|show|inspect|search|env|version|completion|lint|verify|template|help
    repo|plugin|dependency|dep|dependencies list|ls
    install|upgrade|uninstall|delete|un|del|rollback --dry-run`,
      },
      namesSecrets: true,
    },
    helmfile: {
      ...charts,
      does: [
        {
          kind: 'deploy',
          object: 'all releases of the file',
          names: 'none',
          says: {
            'destroy|delete': { kind: 'delete', object: 'all releases of the file', names: 'none' },
          },
          valued: 'e l',
          never: ['destroy', 'delete'],
          work: ['apply', 'sync'],
        },
        platformStage,
        liveByVerbs('publish', 'upload'),
      ],
    },
    helmsman: {
      does: {
        kind: 'deploy',
        object: 'all releases of the file',
        names: 'none',
        says: {
          '--destroy': { kind: 'delete', object: 'all releases of the file', names: 'none' },
        },
        never: ['--destroy'],
        work: ['--apply'],
        oneDash: true,
        valued: 'f',
      },
    },
  },
  examples: {
    'helm uninstall web -n shop': 'deletes release `web`, for good',
    'helm uninstall web --dry-run': '',
    'helm --kube-context live delete web': 'deletes release `web`, for good, in production',
    'helm rollback web 3': 'rolls back release `web`',
    'helm install web https://a.example/web-1.0.tgz': 'runs what is at an address',
    'helmfile destroy': 'deletes all releases of the file, for good',
  },
}
