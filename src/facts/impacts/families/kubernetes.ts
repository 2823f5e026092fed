import type { Deed, Deeds, Family } from '../deeds.ts'
import { appliesFetched } from '../fetched.ts'

const files = '-f~://|--filename~://'
const folders = '-k~://|-k~github.com/|-k~git@|--kustomize~://|--kustomize~github.com/|--kustomize~git@'
const applied = appliesFetched([`apply|create|replace ${files}|${folders}`], ['apply|create|replace -f=-|--filename=-'])

/** Commands that give somebody, or a container, more rights. */
const grants: Deed = {
  kind: 'grant',
  thing: 'account',
  never: ['create clusterrolebinding --clusterrole=cluster-admin'],
  work: [
    'create clusterrolebinding|rolebinding',
    'debug node/*',
    'debug --profile=sysadmin',
    'run --overrides~hostpid|--overrides~privileged|--overrides~hostnetwork|--privileged',
  ],
}

const kubectl: Deeds = {
  objectLast: true,
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
  kubectl,
  oc: {
    ...kubectl,
    also: [
      { ...grants, work: [...(grants.work ?? []), 'adm policy *'] },
      ...applied,
      ...appliesFetched(['new-app http:*|https:*|git@*']),
    ],
    work: [...(kubectl.work ?? []), 'adm policy *', 'rollback', 'policy remove-user|remove-group'],
    harmless: ['adm policy who-can|scc-review|scc-subject-review'],
  },
  k: kubectl,
  kubecolor: kubectl,
  'kubectl-argo-rollouts': { work: ['abort', 'undo', 'terminate'] },
  kustomize: { work: ['edit remove', 'cfg delete-*'] },
  kpt: { work: ['live destroy', 'pkg delete'] },
  kapp: { valued: 'a f n', work: ['delete', 'app-group delete'] },
  skaffold: { work: ['delete'] },
  tilt: { work: ['down'] },
  devspace: { work: ['purge', 'reset', 'remove'] },
  okteto: { work: ['down --volumes|-v', 'destroy', 'namespace delete', 'preview destroy'] },
  garden: { work: ['delete', 'cleanup'] },
  kubeadm: { work: ['reset', 'token delete'] },
  etcdadm: { work: ['reset'] },
  k3s: { work: ['kubectl delete|drain|cordon|taint', 'etcd-snapshot delete|prune', 'server --cluster-reset'] },
  'k3s-uninstall': { work: [''] },
  'k3s-agent-uninstall': { work: [''] },
  'k3s-killall': { work: [''] },
  rke: { work: ['remove'] },
  'rke2-uninstall': { work: [''] },
  k0s: { work: ['reset', 'kubectl delete|drain|cordon'] },
  k0sctl: { work: ['reset'] },
  microk8s: { work: ['reset', 'kubectl delete|drain|cordon', 'disable', 'remove-node', 'uninstall'] },
  minikube: { valued: 'p', work: ['delete', 'kubectl delete', 'addons disable'] },
  kind: { work: ['delete cluster|clusters'] },
  k3d: { work: ['cluster|node|registry delete|rm'] },
  kwok: { work: ['delete'] },
  kwokctl: { work: ['delete'] },
  talosctl: {
    valued: 'n e',
    never: ['reset', 'cluster destroy'],
    work: ['shutdown', 'rollback', 'wipe', 'etcd remove-member'],
  },
  kops: { never: ['delete --yes|-y'], work: ['delete', 'toolbox instance-selector delete'], harmless: ['get'] },
  eksctl: { valued: 'f', byVerb: 'never', work: ['drain', 'scale --nodes=0|-N=0'] },
  clusterctl: { work: ['delete', 'move'] },
  rosa: { byVerb: 'never', valued: 'c' },
  ocm: { byVerb: 'never' },
  'openshift-install': { never: ['destroy'] },
  tkg: { byVerb: 'never' },
  tanzu: { byVerb: 'never' },
  rancher: { byVerb: 'never', work: ['kubectl delete|drain|cordon', 'rm'] },
  vcluster: { work: ['delete', 'platform delete', 'pause'] },
  loft: { byVerb: 'work' },
  etcdctl: {
    valued: 'endpoints cacert cert key',
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
}

export const kubernetes: Family = {
  area: 'kubernetes',
  thing: 'infrastructure',
  programs,
  examples: {
    'kubectl delete namespace shop': 'deletes namespace `shop`',
    'kubectl -n prod delete pods web-1 web-2': 'deletes pods `web-1` and `web-2`, in production',
    'kubectl -n web delete deployment --all': 'deletes all deployments, for good',
    'kubectl delete pod/web-1': 'deletes pod `web-1`',
    'kubectl delete pvc data-db-0': 'deletes pvc `data-db-0`, for good',
    'kubectl create rolebinding x --role=edit --user=y': 'grants rights with rolebinding `x`',
    'kubectl delete pod web-1 --dry-run=client': '',
    'kubectl get pods': '',
  },
}
