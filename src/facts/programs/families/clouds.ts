import type { Family } from '../program.ts'
import type { ShellWord } from '../../../model/shell.ts'
import { sshOption } from './containers.ts'
import type { EffectRecorder } from '../effects.ts'
import { hostOf } from './http.ts'
import { prefixedFile } from './remote.ts'
import { type Line, type Row, setup } from '../row.ts'
import type { Starts } from '../starts.ts'

const deployer: Row = {
  options: 'dir=read d=read config=read c=read app a token t project env-file=read cwd=names',
  effects(line, recorder) {
    if (line.operands.some(({ value }) => /^(?:deploy|publish|up|push|secrets|upload)$/.test(value)))
      recorder.network({ kind: 'service', direction: 'send' })
  },
}

const storeOptions =
  'project format filter account region zone c=read config=read o h m? data-file=read flags-file=read quiet? source-dir=names profile namespace bucket-name file=read name key-file=read'
const storeClient: Row = {
  options: storeOptions,
  effects(line, recorder) {
    const words = line.operands
    const verb = words.findIndex(({ value }) =>
      /^(?:cp|mv|rsync|sync|put|get|copy|mirror|upload|download|rm|cat|ls|upload-file|scp)$/.test(value),
    )
    if (verb === -1) return recorder.network({ kind: 'service', direction: line.has('data-file') ? 'both' : 'receive' })
    const name = words[verb]?.value ?? ''
    const places = words.slice(verb + 1)
    if (name === 'scp') return copiedToMachine(places, recorder)
    stored(places, name, true, recorder, onlyTries(line))
  },
}

/** Starts the remote script of a cloud's own ssh, which is the value of an option. */
function startOverSsh(line: Line, starts: Starts, option: string): void {
  const text = line.value(option)
  const verbs = new Set(['ssh', 'run-command', 'send-command'])
  if (text !== undefined && line.operands.some(({ value }) => verbs.has(value)))
    starts.script(text, { elsewhere: true, cwd: undefined })
}

const charts: Row = {
  options: 'f=read values=read set set-file n namespace kubeconfig=read version repo kube-context',
  operands: 'none',
}
const helmOptions =
  'n namespace kubeconfig kube-context kube-apiserver kube-as-group kube-as-user kube-ca-file kube-tls-server-name kube-token registry-config repository-cache repository-config burst-limit qps f values filter set set-string set-file set-json set-literal version repo username password ca-file cert-file key-file keyring timeout post-renderer post-renderer-args description name-template history-max m max offset o output output-dir l labels selector s show-only kube-version api-versions revision d destination untardir app-version key passphrase-file time-format cascade dry-run?'

/** Clients of cloud providers: files uploaded and downloaded, and scripts run on their machines. */
export const clouds: Family = {
  programs: {
    aws: {
      obeys: { when: /\b(?:deploy|create-stack|update-stack|put-bucket-policy|create-function)\b/ },
      options:
        'region profile output query endpoint-url ca-bundle=read cli-input-json cli-input-yaml body=read acl sse storage-class exclude include content content-type content-encoding content-disposition content-language cache-control expires metadata-directive metadata function-name zip-file payload bucket key name value secret-id secret-string secret-binary parameters template-body template-file=read stack-name policy-document user-data',
      effects(line, recorder) {
        for (const { value } of line.given) prefixedFile(value, recorder)
        const [service, verb, ...places] = line.operands
        if (service?.value === 's3' && verb !== undefined && /^(?:cp|mv|sync|rm|presign|ls)$/.test(verb.value)) {
          stored(
            places,
            verb.value,
            line.has('recursive') || verb.value === 'sync',
            recorder,
            onlyTries(line),
            'amazonaws.com',
          )
          if (verb.value === 'sync' && line.has('delete'))
            for (const word of places.slice(1)) if (!isStore(word)) recorder.touch(word, 'delete', { recursive: true })
          return
        }
        const sends = line.has('body', 'zip-file', 'payload', 'secret-string', 'secret-binary', 'user-data')
        recorder.network({ kind: 'service', direction: sends ? 'both' : 'receive', host: endpoint(line) })
      },
    },
    'gsutil s3cmd s4cmd s5cmd mc azcopy b2 linode-cli doctl ossutil coscmd oci ibmcloud': storeClient,
    gcloud: {
      obeys: { when: /\bdeployments (?:create|update)\b/, looks: 'preview' },
      ...storeClient,
      options: `${storeOptions} command`,
      starts: (line, starts) => startOverSsh(line, starts, 'command'),
    },
    az: {
      options:
        'f=read file=read source=read s=read destination=into d=into src=read template-file=read parameters p g resource-group n name account-name c container-name account-key connection-string subscription value secret o output scripts',
      starts: (line, starts) => startOverSsh(line, starts, 'scripts'),
      effects(line, recorder) {
        const verbs = line.operands.map(({ value }) => value)
        const sends = verbs.some((verb) => /^(?:upload|upload-batch|set|create|deploy)$/.test(verb))
        recorder.network({ kind: 'service', direction: sends ? 'both' : 'receive', host: 'azure.com' })
      },
    },
    helm: {
      ...charts,
      output: setup(/^completion \w+$/),
      subcommands: {
        'install, upgrade, template, lint, uninstall, delete, del, un, rollback, list, ls, status, history, test, show, search, pull, package, push, get, repo, plugin, registry, dependency, dep, env, create, verify, version, diff, secrets':
          { options: helmOptions, wholeNames: true },
      },
    },
    helmfile: charts,
    'terraform tofu tf terragrunt': {
      obeys: { when: /(?:^| )apply\b/, files: /\.tf(?:\.json|vars)?$/ },
      options: 'var-file=read var state=edit out=write backend-config chdir=names target parallelism',
      oneDash: true,
      subcommands: {
        'apply, destroy, plan, refresh, import, init, taint, untaint, force-unlock, state, workspace, cloud, output, show':
          {
            options:
              'var var-file target exclude replace backend-config from-module plugin-dir out parallelism lock-timeout state state-out backup backup-out config generate-config-out test-directory',
            oneDash: true,
            wholeNames: true,
          },
      },
    },
    heroku: {
      ...deployer,
      subcommands: { 'run, run:detached': { options: 'a app r remote s size e env', starts: { elsewhere: true } } },
    },
    'fly flyctl': { ...deployer, subcommands: { 'ssh console': sshOption('a app s r region', 'C command') } },
    railway: { ...deployer, subcommands: { run: { options: 's service e environment', starts: {} } } },
    'serverless sls': { ...deployer, obeys: { when: /^deploy\b/, files: /^serverless\.(?:ya?ml|ts|js)$/ } },
    pulumi: { ...deployer, obeys: { when: /^(?:up|destroy)\b/, files: /^Pulumi\.ya?ml$/ } },
    sam: { obeys: { when: /^(?:deploy|build)\b/, files: /^template\.ya?ml$/ } },
    'vercel netlify firebase surge wrangler render eb cf cdk': deployer,
  },
}

const onlyTries = (line: Line): boolean => line.surely('dry-run', 'dryrun')

const isStore = ({ value }: ShellWord): boolean => /^[a-z0-9]+:\/\//i.test(value)

function endpoint(line: Line): string {
  const url = line.value('endpoint-url')
  return (url === undefined ? undefined : hostOf(url.value)) ?? 'amazonaws.com'
}

/** Records a copy between this machine and an object store: `s3://…`, `gs://…`. */
function stored(
  places: readonly ShellWord[],
  verb: string,
  recursive: boolean,
  recorder: EffectRecorder,
  isTrial: boolean,
  host?: string,
): void {
  const named = host === undefined ? {} : { host }
  const local = places.filter((word) => !isStore(word))
  if (local.length === places.length && verb !== 'put' && verb !== 'upload') {
    if (places.length > 0) recorder.network({ kind: 'store', direction: 'both', ...named })
    for (const word of places.slice(0, 1))
      if (word.value.includes('/') || word.value.includes('.')) recorder.touch(word, 'read', { recursive })
    return
  }
  const to = places.at(-1)
  const sends = verb === 'put' || verb.startsWith('upload') || (to !== undefined && isStore(to) && places.length > 1)
  recorder.network({ kind: 'store', direction: sends && !isTrial ? 'send' : 'receive', ...named })
  if (sends) {
    for (const word of local) {
      recorder.touch(word, 'read', { recursive })
      if (verb === 'mv') recorder.touch(word, 'delete', { recursive })
    }
    // An upload reads stdin only with the operand `-`.
    if (!local.some(({ value }) => value === '-')) recorder.readsNoStdin()
  } else {
    const target = verb === 'get' ? local.at(-1) : to
    if (target !== undefined && !isStore(target)) recorder.touch(target, recursive ? 'into' : 'write')
  }
}

function copiedToMachine(places: readonly ShellWord[], recorder: EffectRecorder): void {
  const to = places.at(-1)
  const sends = to?.value.includes(':') === true
  recorder.network({ kind: 'copy', direction: sends ? 'send' : 'receive' })
  for (const word of places.slice(0, -1))
    if (!word.value.includes(':')) recorder.touch(word, 'read', { recursive: true })
  if (!sends) recorder.touch(to, 'into')
}
