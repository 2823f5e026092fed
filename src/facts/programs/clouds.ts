import type { ShellWord } from '../../model/shell.ts'
import type { Doing } from './doing.ts'
import { hostOf } from './http.ts'
import type { Line } from './line.ts'
import { isUrl } from './looks.ts'
import { prefixedFile } from './remote-copies.ts'
import type { Rows } from './row.ts'

/** Clouds, containers and clusters: files that go up, come down or are mounted. */
export const clouds: Rows = {
  aws: {
    options:
      'region profile output query endpoint-url ca-bundle=read cli-input-json cli-input-yaml body=read body? acl sse storage-class exclude include content-type metadata function-name zip-file payload bucket key name value secret-id secret-string secret-binary parameters template-body template-file=read stack-name policy-document user-data',
    also(line, doing) {
      for (const { value } of line.given) if (value !== undefined) prefixedFile(value, doing)
      const [service, verb, ...places] = line.operands
      if (service?.value === 's3' && verb !== undefined && /^(?:cp|mv|sync|rm|presign|ls)$/.test(verb.value)) {
        stored(places, verb.value, line.has('recursive') || verb.value === 'sync', doing, 'amazonaws.com')
        if (verb.value === 'sync' && line.has('delete'))
          for (const word of places.slice(1)) if (!isStore(word)) doing.touch(word, 'delete', { recursive: true })
        return
      }
      const sends = line.has('body', 'zip-file', 'payload', 'secret-string', 'secret-binary', 'user-data')
      doing.network({ direction: sends ? 'both' : 'receive', host: endpoint(line) })
    },
  },
  'gsutil gcloud s3cmd s4cmd s5cmd mc azcopy b2 linode-cli doctl ossutil coscmd oci ibmcloud': {
    options:
      'project format filter account region zone c=read config=read o h m? data-file=read flags-file=read quiet? source-dir=names profile namespace bucket-name file=read name key-file=read',
    also(line, doing) {
      const words = line.operands
      const verb = words.findIndex(({ value }) =>
        /^(?:cp|mv|rsync|sync|put|get|copy|mirror|upload|download|rm|cat|ls|upload-file|scp)$/.test(value),
      )
      if (verb === -1) return doing.network({ direction: line.has('data-file') ? 'both' : 'receive' })
      const name = words[verb]?.value ?? ''
      const places = words.slice(verb + 1)
      if (name === 'scp') return copiedToMachine(places, doing)
      stored(places, name, true, doing, undefined)
    },
  },
  az: {
    options:
      'f=read file=read source=read s=read destination=into d=into src=read template-file=read parameters p g resource-group n name account-name c container-name account-key connection-string subscription value secret o output',
    also(line, doing) {
      const verbs = line.operands.map(({ value }) => value)
      const sends = verbs.some((verb) => /^(?:upload|upload-batch|set|create|deploy)$/.test(verb))
      doing.network({ direction: sends ? 'both' : 'receive', host: 'azure.com' })
    },
  },
  'docker podman nerdctl': { words: ({ args }) => [{ value: '--' }, ...args], also: contained },
  'docker-compose': { options: 'f=read file=read env-file=read project-directory=names p project-name' },
  'kubectl oc kubecolor': {
    options:
      'f=read filename=read k=read kustomize=read kubeconfig=read n namespace context cluster c container l selector o output p patch patch-file=read from-file=none from-env-file=read template type field-selector s server token user as',
    also(line, doing) {
      const [verb, ...rest] = line.operands
      if (verb?.value === 'cp') {
        const [from, to] = rest
        if (from === undefined || to === undefined) return
        if (from.value.includes(':')) doing.touch(to, 'into')
        else doing.touch(from, 'read', { recursive: true })
      }
      for (const { name, value } of line.given) {
        if (name !== 'from-file' || value === undefined) continue
        const equals = value.value.indexOf('=')
        doing.touch({ ...value, value: value.value.slice(equals + 1) }, 'read')
      }
    },
  },
  'helm helmfile': {
    options: 'f=read values=read set set-file n namespace kubeconfig=read version repo kube-context',
    operands: 'none',
  },
  'terraform tofu terragrunt': {
    options: 'var-file=read var state=edit out=write backend-config chdir=names target parallelism',
    oneDash: true,
  },
  'heroku fly flyctl vercel netlify firebase surge wrangler railway render eb cf serverless sls pulumi cdk': {
    options: 'dir=read d=read config=read c=read app a token t project env-file=read cwd=names',
    also(line, doing) {
      if (line.operands.some(({ value }) => /^(?:deploy|publish|up|push|secrets|upload)$/.test(value)))
        doing.network({ direction: 'send' })
    },
  },
}

const isStore = ({ value }: ShellWord): boolean => /^[a-z0-9]+:\/\//i.test(value)

function endpoint(line: Line): string {
  const url = line.value('endpoint-url')
  return (url === undefined ? undefined : hostOf(url.value)) ?? 'amazonaws.com'
}

/** A copy between this machine and a store: `s3://…`, `gs://…`. */
function stored(
  places: readonly ShellWord[],
  verb: string,
  recursive: boolean,
  doing: Doing,
  host: string | undefined,
): void {
  const named = host === undefined ? {} : { host }
  const local = places.filter((word) => !isStore(word))
  if (local.length === places.length && verb !== 'put' && verb !== 'upload') {
    if (places.length > 0) doing.network({ direction: 'both', ...named })
    for (const word of places.slice(0, 1))
      if (word.value.includes('/') || word.value.includes('.')) doing.touch(word, 'read', { recursive })
    return
  }
  const to = places.at(-1)
  const sends = verb === 'put' || verb.startsWith('upload') || (to !== undefined && isStore(to) && places.length > 1)
  doing.network({ direction: sends ? 'send' : 'receive', ...named })
  if (sends) {
    for (const word of local) {
      doing.touch(word, 'read', { recursive })
      if (verb === 'mv') doing.touch(word, 'delete', { recursive })
    }
    // What is read from stdin goes up.
    if (!local.some(({ value }) => value === '-')) doing.deaf()
  } else {
    const target = verb === 'get' ? local.at(-1) : to
    if (target !== undefined && !isStore(target)) doing.touch(target, recursive ? 'into' : 'write')
  }
}

function copiedToMachine(places: readonly ShellWord[], doing: Doing): void {
  const to = places.at(-1)
  const sends = to?.value.includes(':') === true
  doing.network({ direction: sends ? 'send' : 'receive' })
  for (const word of places.slice(0, -1)) if (!word.value.includes(':')) doing.touch(word, 'read', { recursive: true })
  if (!sends) doing.touch(to, 'into')
}

const mounts = new Set(['-v', '--volume', '--mount'])
const files: Readonly<Record<string, 'read' | 'write'>> = {
  '--env-file': 'read',
  '--cidfile': 'write',
  '--iidfile': 'write',
}

/** `docker cp`, `docker run -v HERE:THERE`, `docker build DIR`, `docker save -o f`. */
function contained({ operands }: Line, doing: Doing): void {
  const words = operands.map(({ value }) => value)
  const verbAt = words.findIndex((value) => !value.startsWith('-') && value !== 'container' && value !== 'image')
  const verb = words[verbAt]
  const rest = operands.slice(verbAt + 1)
  for (let at = 0; at < rest.length; at++) {
    const word = rest[at]
    if (word === undefined) break
    const equals = word.value.indexOf('=')
    const name = equals === -1 || !word.value.startsWith('--') ? word.value : word.value.slice(0, equals)
    const value = name === word.value ? rest[at + 1] : { ...word, value: word.value.slice(equals + 1) }
    if (value === undefined) break
    const file = files[name]
    if (mounts.has(name)) mounted(value, doing)
    else if (word.value.startsWith('-v/') || word.value.startsWith('-v.'))
      mounted({ ...word, value: word.value.slice(2) }, doing)
    else if (file !== undefined) doing.touch(value, file)
    else if ((name === '-f' || name === '--file') && (verb === 'build' || verb === 'buildx' || verb === 'compose'))
      doing.touch(value, 'read')
    else if ((name === '-o' || name === '--output') && (verb === 'save' || verb === 'export'))
      doing.touch(value, 'write')
    else if ((name === '-i' || name === '--input') && verb === 'load') doing.touch(value, 'read')
  }
  const plain = rest.filter(({ value }) => !value.startsWith('-'))
  if (verb === 'cp') {
    const [from, to] = plain
    if (from !== undefined && !from.value.includes(':')) doing.touch(from, 'read', { recursive: true })
    if (to !== undefined && !to.value.includes(':')) doing.touch(to, 'into')
  } else if (verb === 'build') {
    const context = plain.at(-1)
    if (context !== undefined && !isUrl(context.value)) doing.touch(context, 'read', { recursive: true })
  } else if (verb === 'push') doing.network({ direction: 'send' })
  else if (verb === 'pull') doing.network({ direction: 'receive' })
  // It sends the password that it is given.
  else if (verb === 'login') doing.network({ direction: 'send' })
  else if (verb === 'import') doing.touch(plain[0], 'read')
}

/** `HERE:THERE:ro`, `type=bind,source=HERE,target=THERE,readonly`. A name without a slash is a volume. */
function mounted(word: ShellWord, doing: Doing): void {
  const { value } = word
  const bound = /(?:^|,)(?:source|src)=([^,]*)/.exec(value)?.[1]
  const here = bound ?? value.split(':', 1)[0] ?? ''
  if (bound === undefined && (value.startsWith('type=') || !/^[./~\uFDD0]/.test(here))) return
  const readOnly = /:(?:[a-zA-Z]*,)*ro(?:,|$)|,(?:readonly|ro)(?:,|=true|=1|$)/.test(value)
  doing.touch({ ...word, value: here }, readOnly ? 'read' : 'edit', { recursive: true })
}
