import { abstains, asks, definePolicy, denies } from 'hookgate/policy'
import { allowed, answered } from './cli/example.ts'
import { type Cli, type CliTable, judge, params } from './cli/judge.ts'

const kubectl: Cli = {
  deny: [
    'delete --all|--all-namespaces|-A',
    'delete pv|pvc|persistentvolume|persistentvolumes|persistentvolumeclaim|persistentvolumeclaims',
    'delete crd|crds|customresourcedefinition|customresourcedefinitions|node|nodes|no|storageclass|sc',
  ],
  ask: [
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

const table: CliTable = {
  kubectl,
  oc: {
    ...kubectl,
    ask: [...(kubectl.ask ?? []), 'adm policy *', 'rollback', 'policy remove-user|remove-group'],
    harmless: ['adm policy who-can|scc-review|scc-subject-review'],
  },
  k: kubectl,
  kubecolor: kubectl,
  'kubectl-argo-rollouts': { ask: ['abort', 'undo', 'terminate'] },
  kustomize: { ask: ['edit remove', 'cfg delete-*'] },
  kpt: { ask: ['live destroy', 'pkg delete'] },
  kapp: { valued: 'a f n', ask: ['delete', 'app-group delete'] },
  skaffold: { ask: ['delete'] },
  tilt: { ask: ['down'] },
  devspace: { ask: ['purge', 'reset', 'remove'] },
  okteto: { ask: ['down --volumes|-v', 'destroy', 'namespace delete', 'preview destroy'] },
  garden: { ask: ['delete', 'cleanup'] },
  kubeadm: { ask: ['reset', 'token delete'] },
  etcdadm: { ask: ['reset'] },
  k3s: { ask: ['kubectl delete|drain|cordon|taint', 'etcd-snapshot delete|prune', 'server --cluster-reset'] },
  'k3s-uninstall': { ask: [''] },
  'k3s-agent-uninstall': { ask: [''] },
  'k3s-killall': { ask: [''] },
  rke: { ask: ['remove'] },
  'rke2-uninstall': { ask: [''] },
  k0s: { ask: ['reset', 'kubectl delete|drain|cordon'] },
  k0sctl: { ask: ['reset'] },
  microk8s: { ask: ['reset', 'kubectl delete|drain|cordon', 'disable', 'remove-node', 'uninstall'] },
  minikube: { valued: 'p', ask: ['delete', 'kubectl delete', 'addons disable'] },
  kind: { ask: ['delete cluster|clusters'] },
  k3d: { ask: ['cluster|node|registry delete|rm'] },
  kwok: { ask: ['delete'] },
  kwokctl: { ask: ['delete'] },
  talosctl: {
    valued: 'n e',
    deny: ['reset', 'cluster destroy'],
    ask: ['shutdown', 'rollback', 'wipe', 'etcd remove-member'],
  },
  kops: { deny: ['delete --yes|-y'], ask: ['delete', 'toolbox instance-selector delete'], harmless: ['get'] },
  eksctl: { valued: 'f', byVerb: 'deny', ask: ['drain', 'scale --nodes=0|-N=0'] },
  clusterctl: { ask: ['delete', 'move'] },
  rosa: { byVerb: 'deny', valued: 'c' },
  ocm: { byVerb: 'deny' },
  'openshift-install': { deny: ['destroy'] },
  tkg: { byVerb: 'deny' },
  tanzu: { byVerb: 'deny' },
  rancher: { byVerb: 'deny', ask: ['kubectl delete|drain|cordon', 'rm'] },
  vcluster: { ask: ['delete', 'platform delete', 'pause'] },
  loft: { byVerb: 'ask' },
  etcdctl: {
    valued: 'endpoints cacert cert key',
    deny: [
      'del --prefix',
      'del --from-key',
      'rm --recursive',
      'member remove',
      'rmdir',
      'user|role delete|remove',
      'auth disable',
    ],
    ask: ['del', 'rm', 'snapshot restore', 'compaction', 'lease revoke'],
  },
}

export default definePolicy({
  id: 'kubernetes',
  severity: 'critical',
  description: 'Asks the person before objects, nodes or whole clusters are deleted, drained or scaled to zero',
  on: 'PreToolUse',
  tool: 'shell',
  interest: { words: Object.keys(table) },
  params: {
    ...params,
    allowedContexts: {
      type: 'strings',
      default: [],
      description:
        'contexts that may be changed if the command names one, `*` at the end matches anything: `kind-*`, `minikube`',
    },
  },
  decide: ({ shell, params: given }) =>
    judge(
      shell,
      table,
      given,
      {
        harm: 'removes objects, nodes or clusters, with everything that depends on them',
        instead:
          'look first (`get`, `diff`, `--dry-run=server`), name one object in one namespace of a cluster that is not in use, or have the person run it',
      },
      (line) => {
        const context = (line.options.get('context') ?? line.options.get('kube-context') ?? [])[0]
        return context !== undefined && given.allowedContexts.some((one) => isLike(context, one))
      },
    ),
  examples: [
    asks('kubectl delete namespace staging'),
    denies('kubectl -n web delete deployment,service --all'),
    denies('kubectl delete pvc data-db-0'),
    asks('kubectl --kubeconfig ./admin.yaml drain node-3 --ignore-daemonsets'),
    asks('kubectl scale deployment/api --replicas=0'),
    asks('kubectl scale deployment/api --replicas 0'),
    asks('kubectl replace --force -f app.yaml'),
    asks('kustomize build overlays/x | kubectl delete -f -'),
    asks('oc delete project shop'),
    asks('kind delete cluster'),
    denies('eksctl delete cluster --name web'),
    denies('talosctl reset'),
    abstains('kubectl get pods -n delete'),
    abstains('kubectl -n delete get pods'),
    abstains('kubectl delete pod web-1 --dry-run=client'),
    abstains('kubectl delete --help'),
    abstains('kubectl describe pod delete'),
    abstains('kubectl scale deployment/api --replicas=3'),
    abstains('kubectl exec web-1 -- ls delete'),
    abstains('kubectl rollout status deployment/api'),
    abstains('echo "kubectl delete namespace staging"'),
    abstains('eksctl get cluster --name delete'),
    abstains('a context that is allowed', 'kubectl --context kind-test delete pod web-1', {
      params: { allowedContexts: ['kind-*'] },
    }),
    asks('another context', 'kubectl --context live delete pod web-1', { params: { allowedContexts: ['kind-*'] } }),
    denies('refused, where the rules file wants that', 'kubectl delete pod web-1', { params: { answer: 'deny' } }),
    allowed('kubectl -n web delete deployment,service --all', 'kubectl'),
    answered('kubectl -n web delete deployment,service --all', 'ask'),
  ],
})

/** `*` at the end of a pattern is any text. */
function isLike(text: string, pattern: string): boolean {
  return pattern.endsWith('*') ? text.startsWith(pattern.slice(0, -1)) : text === pattern
}
