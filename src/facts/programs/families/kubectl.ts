import {
  liveByVerbs,
  type Deed,
  type DeedCondition,
  type Deeds,
  appliesFetched,
  platformStage,
} from '../deeds/deeds.ts'
import type { EffectRecorder } from '../effects.ts'
import { setup, type Line, type Row } from '../row.ts'
import { manager } from '../deeds/packages.ts'
import { matchesTable, mayBeOption, readLook, type Judge, type Table, enters } from '../looks/look.ts'
import { containerOf } from '../mounts.ts'
import { terminalOfContainer } from './docker.ts'
import { behindDashes } from '../words.ts'
import type { Family } from '../program.ts'

/** Options that every command of kubectl takes, before it and behind it. */
const everywhere =
  'as as-group as-uid cache-dir certificate-authority client-certificate client-key cluster context kubeconfig=key kuberc=read log-flush-frequency log-file log-dir n namespace password profile profile-output=write request-timeout s server tls-server-name token user username v vmodule'

/** Options of the commands that show, make, change and delete objects; `-p` is another for nearly each of them. */
const ofObjects =
  'f=read filename=read k=read kustomize=read l selector field-selector o output template c container L label-columns sort-by subresource chunk-size field-manager grace-period timeout cascade? dry-run? resource-version replicas current-replicas for tail since since-time limit-bytes max-log-requests pod-running-timeout overrides override-type image image-pull-policy annotations labels env e serviceaccount limits requests port target-port protocol restart name type external-ip load-balancer-ip cluster-ip session-affinity generator from-file=none from-literal from-env-file=read append-hash? docker-server docker-username docker-password docker-email cert=key key=key tcp class rule default-backend annotation schedule hard scopes clusterrole role group verb resource resource-name non-resource-url aggregation-rule min-available max-unavailable value description preemption-policy audience duration min max cpu-percent cpu memory revision to-revision pod-selector skip-wait-for-delete-timeout retries address api-group api-version verbs categories target copy-to custom set-image prune-allowlist prune-whitelist local? patch-file=read exec-command exec-env exec-arg auth-provider auth-provider-arg'

const object: Row = { options: `${everywhere} ${ofObjects}`, wholeNames: true }

/** Commands with an option of their own under a letter that is another's. */
const patch: Row = { ...object, options: `${object.options} p patch` }

/** `-f` follows, and `-p` shows the container that was there before. */
const logs: Row = {
  options: `${everywhere} l selector c container since since-time tail limit-bytes max-log-requests pod-running-timeout`,
  wholeNames: true,
}

const kubectl: Row = {
  options: `${everywhere} f filename k kustomize l selector o output c container`,
  wholeNames: true,
  operandsLast: true,
  operands: 'none',
  subcommands: {
    // Without `--`, the command follows the pod's name: the deprecated syntax.
    exec: {
      options: `${everywhere} c container f filename pod-running-timeout`,
      wholeNames: true,
      starts({ operands }, starts, { args }) {
        const words = behindDashes(args) ?? operands.slice(1)
        if (words.length > 0) starts.words(words, { elsewhere: true, container: {} })
      },
    },
    'run, debug': { ...object, starts: { dashes: true, elsewhere: true, container: containerOf, doesMore: true } },
    rsh: { starts: { own: 1, elsewhere: true, container: containerOf } },
    proxy: { options: `${everywhere} u=bind unix-socket=bind p port address w www=read P`, wholeNames: true },
    'get, describe, delete, apply, replace, diff, edit, label, annotate, scale, autoscale, rollout, wait, expose, set, drain, cordon, uncordon, taint, top, explain, events, auth, certificate, cluster-info, attach, port-forward, api-resources, api-versions, config, kustomize, version, options, completion, plugin, krew, convert, evict':
      object,
    'adm, policy, rollback, new-app, new-project, project, projects, process, extract, import-image, start-build, tag, status, whoami, argo, cnpg, minio, mayastor, rook-ceph':
      object,
    create: {
      ...object,
      effects: (line, recorder) => {
        for (const value of line.values('from-file')) {
          recorder.touch({ ...value, value: value.value.slice(value.value.indexOf('=') + 1) }, 'read')
        }
      },
    },
    patch,
    logs,
    cp: { ...object, effects: recordCopy },
  },
}

const client: Row = {
  typed: terminalOfContainer,
  ...kubectl,
  obeys: { when: /(?:^| )(?:apply|create|replace)\b/ },
  output: setup(/^completion \w+$/),
}

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
    'certificate approve',
    'debug node/*',
    'debug --profile=sysadmin',
    'run --overrides~hostpid|--overrides~privileged|--overrides~hostnetwork|--privileged',
  ],
  says: {
    'create clusterrolebinding': { object: 'cluster role binding', names: 'first' },
    'certificate approve': { object: 'who asked for certificate', names: 'last' },
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

/** True if what holds an object until it is cleaned up is taken from it: then it goes, and what belongs to it stays. */
const takesFinalizers: DeedCondition = (_, { words, options }) =>
  words.some(({ text }) => text.endsWith('/finalize')) ||
  [...options.values()].flat().some((value) => value.endsWith('/finalize') || emptied.test(value))
const emptied = /finalizers["']?\s*:\s*(?:null|\[\s*\])|["']remove["'][^}]*finalizers/
const unheld: Deed = {
  kind: 'delete',
  thing: 'guard',
  object: 'the finalizers of',
  names: 'last',
  work: ['patch', 'replace --raw'],
  when: takesFinalizers,
}

/** Keys of labels and annotations that keep an object, or what it may do, as it is. */
const guarding = /policy|protect|prevent|enforce|pod-security|sync-options|\bkeep\b|\bhold\b|prune|do-not/i
/** True if such a key is taken away, or set to what guards no longer. */
const losesGuard: DeedCondition = (_, { words }) =>
  words.some(
    ({ text }) => guarding.test(text) && (/^[\w./-]+-$/.test(text) || /=(?:privileged|delete|none|false)$/i.test(text)),
  )
/** True if a key of a label is taken away, or changed in place of another. */
const losesLabel: DeedCondition = (_, { words, options }) =>
  words.slice(2).some(({ text }) => /^[\w./-]+-$/.test(text)) || options.has('overwrite')

/** True if a patch has one of these settings. */
const patchSays =
  (setting: RegExp): DeedCondition =>
  (_, { options }) =>
    ['p', 'patch'].some((name) => options.get(name)?.some((value) => setting.test(value)))

/** Labels, annotations and patches by which an object is guarded less than before, or stops. */
const unguarded: readonly Deed[] = [
  {
    kind: 'weaken',
    thing: 'guard',
    object: 'guard',
    names: 'last',
    work: ['annotate|label'],
    when: losesGuard,
  },
  {
    kind: 'change',
    object: 'the labels of',
    names: 'first',
    work: ['label node|nodes|no'],
    when: (call, line, shell) => losesLabel(call, line, shell) && !losesGuard(call, line, shell),
  },
  {
    kind: 'weaken',
    thing: 'guard',
    object: 'what keeps the data of',
    names: 'last',
    work: ['patch'],
    when: patchSays(/reclaimPolicy["']?\s*:\s*["']?delete|deletion_?protection["']?\s*:\s*["']?(?:false|disabled)/i),
  },
  {
    kind: 'stop',
    names: 'last',
    work: ['patch'],
    when: patchSays(/"?\breplicas"?\s*:\s*0\b|"?\b(?:suspend|unschedulable)"?\s*:\s*true/),
  },
]

const kubectlDeeds: Deeds = {
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
    'drain|cordon': { kind: 'stop', object: 'node' },
    'taint node|nodes|no': { kind: 'stop', object: 'node', names: 'first' },
    taint: { kind: 'stop', names: 'first' },
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
  also: [grants, unheld, ...unguarded, ...applied],
  never: [
    'delete --all|--all-namespaces|-A',
    'delete pv|pvc|persistentvolume|persistentvolumes|persistentvolumeclaim|persistentvolumeclaims',
    'delete crd|crds|customresourcedefinition|customresourcedefinitions|node|nodes|no|storageclass|sc',
  ],
  work: [
    'delete',
    'drain',
    'cordon',
    'taint node|nodes|no',
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

const kubectlTable: Table = {
  options:
    'n namespace context cluster user kubeconfig s server token as as-group request-timeout v o output l selector cache-dir certificate-authority client-certificate client-key tls-server-name as-uid log-file profile +A +all-namespaces +insecure-skip-tls-verify +match-server-version +warnings-as-errors',
  never: '--profile-output|--log-file|--log-dir',
  lines: `
    get !--raw
    describe|logs|top|explain|api-resources|api-versions|version|events|diff|help|options|completion
    cluster-info ..0
    auth can-i|whoami
    rollout status|history
    config view|get-contexts|current-context|get-clusters|get-users !--raw|--flatten
    kustomize !-o|--output|--enable-helm|--enable-exec|--enable-alpha-plugins|--helm-command|--load-restrictor
    wait !-f|--filename|-k|--kustomize
    plugin list
    krew list|search|info|version`,
}
const kubectlOptions = kubectlTable.options ?? ''

/** Judges `kubectl`. It only looks as long as it shows no values of a secret: `get secret` alone shows name and age. */
const kubectlLooks: Judge = (look) => {
  const { args } = look
  if (isDryRun(args)) return true
  if (!matchesTable(look, kubectlTable)) return false
  const { names, operands, unknown, values } = readLook(args, kubectlOptions)
  const [verb, ...things] = operands.map(({ value }) => value)
  if (verb !== 'get') return true
  const isSecret =
    names.some((name) => /^(?:f|filename|k|kustomize)$/.test(name)) ||
    things.some((word) => word.split(',').some((one) => /^secrets?(?:[./]|$)/i.test(one)))
  if (isSecret && (unknown || args.some(mayBeOption))) return false
  const mayBeSecret = isSecret || args.some((word) => word.unresolved === true && !word.value.startsWith('-'))
  const shows = names.some((name) => /^(?:o|output|template|watch)$/.test(name))
  return !mayBeSecret || !shows || values('o', 'output').some(({ value }) => /^=?(?:name|wide)$/.test(value))
}

/** True for a dry run of kubectl, unless it is of a secret, whose values would be printed. */
function isDryRun(args: Parameters<typeof readLook>[0]): boolean {
  const end = args.findIndex(({ value }) => value === '--')
  const own = end === -1 ? args : args.slice(0, end)
  const [verb, kind] = readLook(own, kubectlOptions).operands
  const tries = own.filter(({ value }) => value.startsWith('--dry'))
  return (
    /^(?:apply|create|delete|label|annotate|scale|patch|replace|run|expose|autoscale)$/.test(verb?.value ?? '') &&
    !/^(?:secrets?|token)\b/.test(kind?.value ?? '') &&
    !own.some(mayBeOption) &&
    tries.length === 1 &&
    /^--dry-run=(?:client|server)$/.test(tries[0]?.value ?? '')
  )
}

/** Clients of Kubernetes and OpenShift. */
export const kubectlLike: Family['programs'] = {
  'kubectl kuberlr microk8s.kubectl': {
    ...client,
    does: [
      kubectlDeeds,
      { area: 'packages', ...manager({ installs: ['krew install'], sources: ['krew index add'] }) },
      platformStage,
      liveByVerbs(),
    ],
    looks: [kubectlLooks, enters('exec')],
    namesSecrets: true,
  },
  k: { ...client, does: [kubectlDeeds, platformStage, liveByVerbs('publish', 'upload')] },
  kubecolor: { ...client, does: kubectlDeeds },
  oc: {
    ...client,
    does: [
      {
        ...kubectlDeeds,
        shows: {
          ...kubectlDeeds.shows,
          'whoami -t|--show-token': { object: 'OpenShift token', names: 'none' },
        },
        also: [
          { ...grants, work: [...(grants.work ?? []), 'adm policy *'] },
          ...unguarded,
          ...applied,
          ...appliesFetched(['new-app http:*|https:*|git@*']),
        ],
        work: [...(kubectlDeeds.work ?? []), 'adm policy *', 'rollback', 'policy remove-user|remove-group'],
        harmless: ['adm policy who-can|scc-review|scc-subject-review'],
        says: {
          ...kubectlDeeds.says,
          rollback: { object: 'deployment' },
          'policy remove-user|remove-group': { kind: 'revoke', object: 'the rights of a user or group' },
        },
      },
      platformStage,
      liveByVerbs('publish', 'upload'),
    ],
    looks: [kubectlLooks, enters('exec')],
  },
}

function recordCopy({ operands: [from, to] }: Line, recorder: EffectRecorder): void {
  if (from === undefined || to === undefined) return
  if (from.value.includes(':')) recorder.touch(to, 'into')
  else recorder.touch(from, 'read', { recursive: true })
}
