import { platformStage } from '../deeds/stages.ts'
import { kubectl as kubectlOfContainers } from './kubectl.ts'
import { setup } from '../row.ts'
import type { Family } from '../program.ts'
import type { DeedCondition, Deed, Deeds } from '../deeds/deeds.ts'
import { appliesFetched } from '../deeds/fetched.ts'

const files = '-f~://|--filename~://'
const folders = '-k~://|-k~github.com/|-k~git@|--kustomize~://|--kustomize~github.com/|--kustomize~git@'
export const applied = appliesFetched(
  [`apply|create|replace ${files}|${folders}`],
  ['apply|create|replace -f=-|--filename=-'],
)

/** Commands that give somebody, or a container, more rights. */
export const grants: Deed = {
  kind: 'grant',
  thing: 'account',
  never: ['create clusterrolebinding --clusterrole=cluster-admin'],
  work: [
    'create clusterrolebinding|rolebinding',
    'debug node/*',
    'debug --profile=sysadmin',
    'run --overrides~hostpid|--overrides~privileged|--overrides~hostnetwork|--privileged',
  ],
  says: {
    'create clusterrolebinding': { object: 'cluster role binding', names: 'first' },
    'create rolebinding': { object: 'role binding', names: 'first' },
    'debug node/*': { thing: 'machine', object: 'node', names: 'none' },
    debug: { thing: 'machine', object: 'container', names: 'none' },
    run: { thing: 'machine', object: 'container', names: 'first' },
    'adm policy remove-*': { object: 'the role of a user' },
    'adm policy add-*': { object: 'role', names: 'first' },
    'adm policy': { object: 'policy', names: 'none' },
  },
}

/** Forms of output that show of a secret its names, and not its values. */
const withoutValues = /^(?:wide|name|custom-columns(?!.*\.data).*|(?:jsonpath|go-template)=(?!.*\.data).*)$/
const showsValues: DeedCondition = (_, { options }) =>
  options.has('template') ||
  ['o', 'output'].some((name) => options.has(name) && !withoutValues.test(options.get(name)?.at(-1) ?? ''))

/** True unless only the credentials of a cluster on this machine are meant. */
const isOfOthers: DeedCondition = (_, { options }) =>
  !(
    options.has('minify') &&
    options.get('context')?.every((name) => /^(?:kind-|k3d-|minikube$|docker-desktop$)/.test(name)) === true
  )

export const kubectl: Deeds = {
  shows: {
    'get secret*': { object: 'Kubernetes secret', when: showsValues },
    'create token': { object: 'Kubernetes token', names: 'none' },
    'config view --raw': { object: 'the Kubernetes credentials', names: 'none', when: isOfOthers },
  },
  says: {
    'delete -f|--filename|-k|--kustomize': {
      kind: 'delete',
      object: 'what the manifests describe',
      names: 'none',
      trial: '--dry-run=server',
    },
    delete: { trial: '--dry-run=server' },
    'drain|cordon|taint': { kind: 'stop', object: 'node' },
    evict: { kind: 'stop', object: 'pod' },
    'replace --force': { kind: 'overwrite', object: 'what the manifests describe', names: 'none' },
    'apply --prune': {
      kind: 'delete',
      object: 'every object that the manifests no longer have',
      names: 'none',
      trial: '--dry-run=server',
    },
    'scale|autoscale': { kind: 'stop' },
    'certificate deny': { kind: 'revoke', object: 'certificate request' },
    'auth reconcile': { kind: 'revoke', object: 'all rights that the manifests do not have', names: 'none' },
    'adm drain|cordon': { kind: 'stop', object: 'node' },
    'adm prune': { kind: 'delete', object: 'unused builds, deployments and images', names: 'none' },
    'adm policy remove-*': { kind: 'revoke', object: 'role', names: 'first' },
    'adm policy': { kind: 'change', object: 'what users may do', names: 'none' },
    'argo delete|terminate|stop': { object: 'workflow' },
    'cnpg destroy': { kind: 'delete', object: 'instance of a database cluster', names: 'last' },
    'minio delete': { kind: 'delete', object: 'tenant' },
  },
  objectLast: true,
  nicknames: {
    pv: 'volume',
    pvc: 'volume claim',
    persistentvolume: 'volume',
    persistentvolumeclaim: 'volume claim',
    crd: 'resource definition',
    customresourcedefinition: 'resource definition',
    storageclass: 'storage class',
    sc: 'storage class',
    no: 'node',
    po: 'pod',
    deploy: 'deployment',
    sts: 'stateful set',
    statefulset: 'stateful set',
    ds: 'daemon set',
    daemonset: 'daemon set',
    rs: 'replica set',
    replicaset: 'replica set',
    cm: 'config map',
    configmap: 'config map',
    sa: 'service account',
    serviceaccount: 'service account',
    ing: 'ingress',
    cronjob: 'cron job',
    cj: 'cron job',
    rolebinding: 'role binding',
    clusterrole: 'cluster role',
    clusterrolebinding: 'cluster role binding',
    networkpolicy: 'network policy',
    osd: 'storage daemon',
  },
  also: [grants, ...applied],
  never: [
    'delete --all|--all-namespaces|-A',
    'delete pv|pvc|persistentvolume|persistentvolumes|persistentvolumeclaim|persistentvolumeclaims',
    'delete crd|crds|customresourcedefinition|customresourcedefinitions|node|nodes|no|storageclass|sc',
  ],
  work: [
    'delete',
    'drain',
    'cordon',
    'taint',
    'evict',
    'replace --force',
    'apply --prune',
    'scale --replicas=0',
    'autoscale --max=0',
    'rollout undo',
    'certificate deny',
    'auth reconcile --remove-extra-permissions|--remove-extra-subjects',
    'adm drain|prune|cordon',
    'adm policy remove-*',
    'argo delete|terminate|stop',
    'cnpg destroy',
    'minio delete',
    'mayastor delete',
    'rook-ceph destroy-osd',
  ],
  trials: 'server-dry-run',
}

const programs: Family['programs'] = {
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
    does: [{ object: 'what it has deployed', kind: 'delete', names: 'none', work: ['delete'] }, platformStage],
  },
  tilt: { does: { kind: 'delete', object: 'what it has deployed', names: 'none', work: ['down'] } },
  devspace: {
    does: {
      says: {
        purge: { kind: 'delete', object: 'what it has deployed', names: 'none' },
        reset: { kind: 'change', object: 'the settings of the project', names: 'none' },
        remove: { kind: 'change', object: 'the settings of the project', names: 'none' },
      },
      work: ['purge', 'reset', 'remove'],
    },
  },
  okteto: {
    does: {
      says: {
        down: { kind: 'delete', object: 'the volumes of the development environment', names: 'none' },
        destroy: { kind: 'delete', object: 'what it has deployed', names: 'none' },
        'preview destroy': { kind: 'delete', object: 'preview environment' },
      },
      work: ['down --volumes|-v', 'destroy', 'namespace delete', 'preview destroy'],
    },
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

  'k3s-uninstall rke2-uninstall': {
    does: {
      kind: 'delete',
      object: 'this node of the cluster, with its data',
      names: 'none',
      work: [''],
    },
  },
  'k3s-agent-uninstall': {
    does: {
      kind: 'delete',
      object: 'this node of the cluster, with its data',
      names: 'none',
      work: [''],
    },
  },
  'k3s-killall': { does: { kind: 'stop', object: 'all containers of this node', names: 'none', work: [''] } },
  rke: { does: { kind: 'delete', object: 'the cluster', names: 'none', work: ['remove'] } },
  k0s: { does: { kind: 'delete', object: 'this node of the cluster, with its data', names: 'none', work: ['reset'] } },
  k0sctl: { does: { kind: 'delete', object: 'the cluster', names: 'none', work: ['reset'] } },
  microk8s: {
    subcommands: { kubectl: kubectlOfContainers },
    does: {
      says: {
        reset: { kind: 'delete', object: 'the cluster on this machine, with its data', names: 'none' },
        'kubectl delete': { kind: 'delete', objectLast: true },
        kubectl: { kind: 'stop', object: 'node' },
        disable: { kind: 'stop', object: 'add-on' },
        'remove-node': { kind: 'delete', object: 'node' },
        uninstall: { kind: 'delete', object: 'the cluster on this machine', names: 'none' },
      },
      work: ['reset', 'kubectl delete|drain|cordon', 'disable', 'remove-node', 'uninstall'],
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
}

export const kubernetes: Family = {
  area: 'kubernetes',

  programs,
  examples: {
    'kubectl get secret db -o yaml': 'shows Kubernetes secret `db`',
    'kubectl get secret db -o name': '',
    'kubectl get secrets': '',
    'kubectl config view --raw --minify --context kind-shop': '',
    'kubectl delete namespace shop': 'deletes namespace `shop`',
    'kubectl -n prod delete pods web-1 web-2': 'deletes pods `web-1` and `web-2`, in production',
    'kubectl -n web delete deployment --all': 'deletes all deployments, for good',
    'kubectl delete pod/web-1': 'deletes pod `web-1`',
    'kubectl delete pvc data-db-0': 'deletes volume claim `data-db-0`, for good',
    'kubectl create rolebinding x --role=edit --user=y': 'grants rights with role binding `x`',
    'kubectl delete -f app.yaml': 'deletes what the manifests describe',
    'kubectl drain node-3': 'stops node `node-3`',
    'kubectl scale deployment/api --replicas=0': 'stops deployment `api`',
    'kubectl delete deployment,service --all -n web': 'deletes all deployments and services, for good',
    'oc adm policy add-role-to-user edit alice': 'changes what users may do; grants rights to role `edit`',
    'oc delete project shop': 'deletes project `shop`',
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
