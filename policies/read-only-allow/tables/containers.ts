import { tableOf } from 'hookgate/policy'
import { type Call, type Judge, type Table, mayBeOption } from '../call.ts'
import { matchesTable, optionsOf, prepareLines } from '../table.ts'
import { compose, composeConfig } from './plain.ts'

const engine = tableOf(
  prepareLines,
  `
ps,images,inspect,logs,port,stats,top,version,info,events,history,diff,search
container ls,list,ps,inspect,logs,port,stats,top,diff,exists
image ls,list,inspect,history,exists,tree,search
volume,network,plugin,secret,config,node,service,stack,context,machine,pod,manifest ls,list,ps,inspect,exists
network,volume,pod,kube inspect
service,stack,node logs,ps,services,tasks
stack services
context show
system df,info,events,connection
system connection list,ls <0
pod ps,stats,top,logs
manifest inspect
trust inspect
buildx ls,inspect,du,version !bootstrap
buildx imagetools inspect
help
compose <0 ~
compose ${compose}
compose ${composeConfig}
`,
  'H host context c config log-level l tlscacert tlscert tlskey connection url',
  'D debug tls tlsverify remote r',
)

const composeAlone = tableOf(
  prepareLines,
  `\n${compose}\n${composeConfig}\n`,
  'f file p project-name profile env-file project-directory parallel ansi progress H host context c',
  'verbose compatibility D debug',
)

/** Options of `docker compose` stand between the two words. */
export const docker: Judge = (call) => {
  const at = call.args.findIndex((word) => word.value === 'compose')
  const before = { ...call, args: call.args.slice(0, at) }
  if (at !== -1 && optionsOf(before.args, ['H', 'host', 'context', 'c', 'l', 'log-level'], {}).operands === 0) {
    return dockerCompose({ ...call, args: call.args.slice(at + 1) })
  }
  return !endlessNames(call) && matchesTable(call, engine)
}

/** Options that make a listing write a file. */
const endlessNames = ({ args }: Call) =>
  args.some((word) => word.value.startsWith('--cidfile') || word.value.startsWith('--iidfile'))

export const dockerCompose: Judge = (call) => matchesTable(call, composeAlone)

const kubectlTable = tableOf(
  prepareLines,
  `
get,describe,logs,top,explain,api-resources,api-versions,version,cluster-info,events,diff,help,auth,rollout,config,options,completion
kustomize !o !output !enable-helm !enable-exec !enable-alpha-plugins !helm-command !load-restrictor
wait !f !filename !k !kustomize
plugin list
krew list,search,info,version
`,
  'n namespace context cluster user kubeconfig s server token as as-group request-timeout v o output l selector cache-dir certificate-authority client-certificate client-key tls-server-name as-uid log-file profile',
  'A all-namespaces insecure-skip-tls-verify match-server-version warnings-as-errors',
  'profile-output log-file log-dir',
)

/** Words after those of kubectl's commands that have subcommands. */
const kubectlInner: Readonly<Record<string, readonly string[]>> = {
  auth: ['can-i', 'whoami'],
  config: ['view', 'get-contexts', 'current-context', 'get-clusters', 'get-users'],
  rollout: ['status', 'history'],
}

/** Kubernetes. What a secret holds is not shown: its name, its age and the sizes of its parts are. */
export const kubectl: Judge = (call) => {
  const { args } = call
  if (isDryRun(call)) return true
  if (!matchesTable(call, kubectlTable)) return false
  const { names, unknown } = optionsOf(args, kubectlTable.valued, {})
  const operands = operandsOf(args, kubectlTable.valued)
  const [verb = '', second = ''] = operands
  const inner = kubectlInner[verb]
  if (verb === 'cluster-info') return operands.length === 1
  if (inner !== undefined && !(inner.includes(second) && second !== '')) return false
  if (verb === 'config') return !unknown && !names.some((name) => 'raw'.startsWith(name) || name === 'flatten')
  if (verb === 'get' && names.includes('raw')) return false
  if (verb !== 'get') return true
  const isFromFile = names.some((name) => /^(f|filename|k|kustomize)$/.test(name))
  const isSecret =
    isFromFile || operands.slice(1).some((word) => word.split(',').some((one) => /^secrets?([./]|$)/i.test(one)))
  const mayBeSecret = args.some((word) => word.unresolved === true && !word.value.startsWith('-'))
  if (isSecret && (unknown || args.some(mayBeOption))) return false
  const output =
    names.includes('o') || names.includes('output') || names.includes('template') || names.includes('watch')
  return !(isSecret && output && !showsNamesOnly(args)) && !(mayBeSecret && output && !showsNamesOnly(args))
}

/** Dry runs of kubectl. Not of secrets, whose values would be printed. */
function isDryRun({ args }: Call): boolean {
  const end = args.findIndex(({ value }) => value === '--')
  const own = end === -1 ? args : args.slice(0, end)
  const [verb = '', kind = ''] = operandsOf(own, kubectlTable.valued)
  const tries = own.filter(({ value }) => value.startsWith('--dry'))
  return (
    /^(?:apply|create|delete|label|annotate|scale|patch|replace|run|expose|autoscale)$/.test(verb) &&
    !/^(?:secrets?|token)\b/.test(kind) &&
    !own.some(mayBeOption) &&
    tries.length === 1 &&
    tries.every(({ value }) => /^--dry-run=(?:client|server)$/.test(value))
  )
}

const showsNamesOnly = (args: Call['args']): boolean =>
  args.some(
    (word, at) =>
      /^(-o=?|--output=)(name|wide)$/.test(word.value) ||
      (/^(-o|--output)$/.test(word.value) && /^(name|wide)$/.test(args[at + 1]?.value ?? '')),
  )

function operandsOf(args: Call['args'], valued: readonly string[]): readonly string[] {
  const operands: string[] = []
  for (let at = 0; at < args.length; at++) {
    const value = args[at]?.value ?? ''
    if (!value.startsWith('-')) operands.push(value)
    else if (valued.includes(value.replace(/^--?/, ''))) at++
  }
  return operands
}

const helmTable = tableOf(
  prepareLines,
  `
list,ls,status,history,hist,get,show,inspect,search,env,version,completion,lint,verify,template,help
repo,plugin,dependency,dep,dependencies list,ls
install,upgrade +dry-run
uninstall,delete,un,del,rollback +dry-run
`,
  'o output n namespace kube-context kubeconfig kube-apiserver kube-token kube-as-user registry-config repository-cache repository-config burst-limit qps',
  'debug kube-insecure-skip-tls-verify',
  'post-renderer output-dir',
)

/** Helm: what shows, and what only tries. */
export const helm: Judge = (call) => matchesTable(call, helmTable)

export const minor: Readonly<Record<string, Table>> = {
  kubectx: { lines: '\n<0 ~c ~current\n' },
  kubens: { lines: '\n<0 ~c ~current\n' },
  k9s: { lines: '\nversion,info\n' },
  stern: { lines: '\n!kubeconfig\n' },
  minikube: {
    valued: 'p profile',
    lines: '\nstatus,version,ip,logs\naddons,image,node,profile list,ls\n',
  },
  kustomize: {
    lines:
      '\nversion\nbuild !o !output !enable-helm !enable-exec !enable-alpha-plugins !helm-command !load-restrictor\n',
  },
  kubeval: { lines: '\n>0\n' },
  kubeconform: { oneDash: true, lines: '\n!cache >-1\n' },
  'kube-score': { lines: '\nscore,list,version\n' },
  'kube-linter': { lines: '\nlint,version !config\nchecks,templates list\n' },
  eksctl: { lines: '\nget,version,info\n' },
  kops: {
    lines: '\nversion\nget cluster,clusters,ig,instancegroup,instancegroups,instances !o !output\nvalidate cluster\n',
  },
  velero: {
    valued: 'n namespace kubeconfig kubecontext',
    lines: '\nbackup,restore,schedule,backup-location,snapshot-location,plugin get,describe,logs\nget *\nversion\n',
  },
  linkerd: { valued: 'n namespace context kubeconfig', lines: '\ncheck,version\nviz stat,top,edges,routes,check\n' },
  kind: { lines: '\nget clusters,nodes\nversion\n' },
  k3d: { lines: '\ncluster,node,registry list,ls\nversion\n' },
  skopeo: { lines: '\ninspect,list-tags\n' },
  crane: { lines: '\nls,manifest,digest,config,catalog,version\n' },
  argocd: {
    valued: 'server auth-token',
    lines: '\napp,proj,cluster,repo,account list,get,history,diff,manifests,logs\nversion\n',
  },
  flux: { valued: 'n namespace context', lines: '\nget,logs,events,tree,stats,version,check,trace,diff\n' },
  istioctl: { valued: 'n namespace context', lines: '\nversion,proxy-status,ps,analyze,validate\nproxy-config,pc *\n' },
  crictl: { lines: '\nps,pods,images,inspect,inspecti,inspectp,logs,stats,statsp,info,version\n' },
  ctr: {
    valued: 'n namespace a address',
    lines: '\ncontainers,c,images,i,tasks,t,namespaces,ns,snapshots ls,list,info\nversion\n',
  },
}
