import {
  abstains,
  asks,
  definePolicy,
  type PolicyAnswer,
  type ShellCommand,
  type ShellFacts,
  type ShellWord,
} from 'hookgate/policy'
import { type Call, callsIn } from './cli/calls.ts'
import { allowed, answered } from './cli/example.ts'
import { answerTo, type Cli, type CliTable, dangerOf, isAllowed, type Params, params } from './cli/judge.ts'
import { lineIn } from './cli/line.ts'

/** Options whose value is an address or a repository: what is there can be another thing tomorrow. */
const files = '-f~://|--filename~://'
const folders = '-k~://|-k~github.com/|-k~git@|--kustomize~://|--kustomize~github.com/|--kustomize~git@'
const compose = '-f~://|-f~git@|--file~://|--file~git@'
const charts = 'http:*|https:*|oci:*'

const kubectl: Cli = {
  ask: [`apply|create|replace ${files}|${folders}`],
  trials: 'server-dry-run',
}
const terraform: Cli = {
  oneDash: true,
  ask: ['init -from-module~://|-from-module~github.com/|-from-module~git@'],
}
const docker: Cli = {
  ask: [`compose up|run|create|start ${compose}`, 'stack deploy -c~://|--compose-file~://'],
}
const dockerCompose: Cli = { ask: [`up|run|create|start ${compose}`] }

const table: CliTable = {
  kubectl,
  oc: { ...kubectl, ask: [...(kubectl.ask ?? []), 'new-app http:*|https:*|git@*'] },
  k: kubectl,
  kubecolor: kubectl,
  helm: {
    ask: [`install|upgrade ${charts}`, `install|upgrade * ${charts}`, 'install|upgrade -f~://|--values~://|--repo~://'],
  },
  docker,
  podman: { valued: 'f file', ask: ['kube play http:*|https:*', 'play kube http:*|https:*'] },
  'docker-compose': dockerCompose,
  terraform,
  tofu: terraform,
  nomad: { ask: ['job run http:*|https:*|git::*', 'run http:*|https:*|git::*'] },
  pulumi: { valued: 's stack d dir', ask: ['new http:*|https:*'] },
  istioctl: { valued: 'f filename', ask: [`install|apply ${files}`] },
}

/** Commands that apply manifests from stdin. */
const readsPipe: Cli = { ...kubectl, ask: ['apply|create|replace -f=-|--filename=-'] }
const readers: CliTable = {
  kubectl: readsPipe,
  oc: readsPipe,
  k: readsPipe,
  kubecolor: readsPipe,
  docker: { ...docker, ask: ['compose up|run|create|start -f=-|--file=-', 'stack deploy -c=-|--compose-file=-'] },
  'docker-compose': { ...dockerCompose, ask: ['up|run|create|start -f=-|--file=-'] },
  // A file of its own beside a pipe would make the pipe pointless.
  nomad: { ask: ['job run *', 'run *'] },
}

const words = {
  harm: 'applies whatever is at that address, with the rights of the logged-in user',
  instead: 'save it to a file, have the person read it, and apply the file',
}

const isDownload = ({ network }: ShellCommand) => network?.direction === 'receive' || network?.direction === 'both'

/** Returns the commands whose input comes, directly or not, from a download. */
function downloaded({ commands, flows }: ShellFacts): ReadonlySet<number> {
  const reached = new Set(commands.flatMap((command, at) => (isDownload(command) ? [at] : [])))
  for (const from of reached) for (const flow of flows) if (flow.from === from) reached.add(flow.to)
  return reached
}

/** Writes another command's output as the pipe that it is: `-` for the `/dev/fd/63` of `<(…)`, also behind an option. */
const asStdin = (word: ShellWord): ShellWord => {
  const value = word.value.replace(/(?<=^|=|^-f)\/dev\/(?:stdin|fd\/\d+)$/, '-')
  return value === word.value ? word : { ...word, value }
}

function danger(
  call: Call,
  cli: Cli | undefined,
  given: Params,
  changed?: (word: ShellWord) => ShellWord,
): PolicyAnswer | undefined {
  if (cli === undefined) return undefined
  const line = lineIn(call, cli, changed)
  const found = dangerOf(cli, line)
  // An option that is not known before it runs is as a rule a file of the project's.
  if (found === undefined || found.maybe === true || isAllowed(call, given.allowed, line)) return undefined
  return answerTo(found, call, given, words)
}

export default definePolicy({
  id: 'fetched-manifests',
  severity: 'high',
  description: 'Asks before manifests, charts and stacks are applied directly from an address',
  on: 'PreToolUse',
  tool: 'shell',
  interest: { words: [...Object.keys(table), ...Object.keys(readers)] },
  params,
  decide({ shell, params: given }) {
    let fed: ReadonlySet<number> | undefined
    for (const call of callsIn(shell)) {
      const named = danger(call, Object.hasOwn(table, call.program) ? table[call.program] : undefined, given)
      if (named !== undefined) return named
      const reader = Object.hasOwn(readers, call.program) ? readers[call.program] : undefined
      if (reader === undefined) continue
      fed ??= downloaded(shell)
      if (!fed.has(call.at)) continue
      const piped = danger(call, reader, given, asStdin)
      if (piped !== undefined) return piped
    }
    return undefined
  },
  examples: [
    asks('kubectl apply -f https://a.example/manifests.yaml'),
    asks('kubectl -n web create --filename=https://a.example/manifests.yaml'),
    asks('kubectl apply -k github.com/someone/stack?ref=main'),
    asks('curl -sL https://a.example/manifests.yaml | kubectl apply -f -'),
    asks('curl -s https://a.example/m.yaml | sed s/a/b/ | kubectl -n web apply -f -'),
    asks('kubectl apply -f <(curl -sL https://a.example/manifests.yaml)'),
    abstains('kubectl apply -f <(kustomize build overlays/web)'),
    asks('helm install web https://a.example/web-1.0.tgz'),
    asks('helm upgrade --install web oci://a.example/charts/web'),
    asks('helm install web chart --repo https://a.example/charts'),
    asks('docker compose -f https://a.example/compose.yaml up -d'),
    asks('terraform init -from-module=git::https://a.example/module.git'),
    asks('nomad job run https://a.example/job.hcl'),
    asks('podman kube play https://a.example/pod.yaml'),
    asks('podman play kube https://a.example/pod.yaml'),
    asks('pulumi new https://a.example/template'),
    asks('oc new-app https://a.example/app.git'),
    asks('curl -s https://a.example/compose.yaml | docker compose -f - up -d'),
    asks('curl -s https://a.example/compose.yaml | docker stack deploy -c - web'),
    asks('wget -qO- https://a.example/compose.yaml | docker-compose -f - up'),
    asks('curl -s https://a.example/job.hcl | nomad job run -'),
    abstains('kubectl apply -f manifests/'),
    abstains('kubectl apply -f https://a.example/manifests.yaml --dry-run=client'),
    abstains('kustomize build overlays/web | kubectl apply -f -'),
    abstains('curl -s https://a.example/health; kubectl apply -f web.yaml'),
    abstains('curl -s https://a.example/list | kubectl get -f -'),
    abstains('kubectl get --raw https://a.example/healthz'),
    abstains('helm install web ./charts/web --set image.repository=https://a.example'),
    abstains('helm template web https://a.example/web-1.0.tgz'),
    abstains('docker compose -f compose.yaml up -d'),
    abstains('terraform init -backend-config=backend.hcl'),
    abstains('echo "kubectl apply -f https://a.example/manifests.yaml"'),
    allowed('kubectl apply -f https://a.example/manifests.yaml', 'kubectl apply'),
    answered('kubectl apply -f https://a.example/manifests.yaml', 'deny'),
  ],
})
