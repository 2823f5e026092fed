import type { Family } from '../program.ts'
import { type Judge, matchesTable, mayBeOption, readLook, type Table } from '../looks/look.ts'

/** Commands of `docker compose` that only look. `config` needs an option that shows a part: all of it has variables. */
export const compose: Table = {
  options:
    'f file p project-name profile env-file project-directory parallel ansi progress H host context c +verbose +compatibility +D +debug',
  lines: `
    ps|logs|ls|images|top|port|version|events|stats|volumes|help !-o|--output
    config|convert --services|--images|--volumes|--networks|--profiles|--hash|--quiet|-q|--no-interpolate !--environment|-o|--output|--lock-image-digests`,
}

const engine: Table = {
  options:
    'H host context c config log-level l tlscacert tlscert tlskey connection url +D +debug +tls +tlsverify +remote +r',
  lines: `
    ps|images|inspect|logs|port|stats|top|version|info|events|history|diff|search
    container ls|list|ps|inspect|logs|port|stats|top|diff|exists
    image ls|list|inspect|history|exists|tree|search
    volume|network|plugin|secret|config|node|service|stack|context|machine|pod|manifest ls|list|ps|inspect|exists
    network|volume|pod|kube inspect
    service|stack|node logs|ps|services|tasks
    stack services
    context show
    system df|info|events|connection
    system connection list|ls ..0
    pod ps|stats|top|logs
    manifest inspect
    trust inspect
    buildx ls|inspect|du|version !--bootstrap
    buildx imagetools inspect
    help`,
}

/** Judges `docker`. Options may stand between `docker` and `compose`. */
export const docker: Judge = (look) => {
  const at = look.args.findIndex(({ value }) => value === 'compose')
  const before = look.args.slice(0, at)
  if (at !== -1 && readLook(before, 'H host context c l log-level').operands.length === 0)
    return matchesTable({ ...look, args: look.args.slice(at + 1) }, compose)
  // Options that write a file, and formats that show the variables of a container.
  return !look.args.some(({ value }) => /^--[ci]idfile|\.Env\b/.test(value)) && matchesTable(look, engine)
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
export const kubectl: Judge = (look) => {
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

/** Commands of Helm that only look, or that are dry runs. */
export const helm: Table = {
  options:
    'o output n namespace kube-context kubeconfig kube-apiserver kube-token kube-as-user registry-config repository-cache repository-config burst-limit qps +debug +kube-insecure-skip-tls-verify',
  never: '--post-renderer|--output-dir',
  lines: `
    list|ls|status|history|hist|get|show|inspect|search|env|version|completion|lint|verify|template|help
    repo|plugin|dependency|dep|dependencies list|ls
    install|upgrade|uninstall|delete|un|del|rollback --dry-run`,
}

/** Containers and clusters. */
export const containers: Family = {
  programs: {},
}
