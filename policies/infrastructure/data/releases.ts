import type { ShellWord } from 'hookgate/policy'
import type { Call } from '../cli/calls.ts'
import { isOneOf } from '../cli/line.ts'

/** Verbs that change a running system: those that are refused, and those that are asked about. */
const verbs: Readonly<Record<string, 'deny' | 'ask'>> = {
  deploy: 'deny',
  deployment: 'deny',
  redeploy: 'deny',
  migrate: 'deny',
  migration: 'deny',
  migrations: 'deny',
  release: 'deny',
  promote: 'deny',
  rollback: 'deny',
  undo: 'deny',
  ship: 'deny',
  apply: 'deny',
  up: 'deny',
  publish: 'deny',
  destroy: 'deny',
  delete: 'deny',
  remove: 'deny',
  rm: 'deny',
  down: 'deny',
  drop: 'deny',
  reset: 'deny',
  wipe: 'deny',
  purge: 'deny',
  truncate: 'deny',
  seed: 'deny',
  restore: 'deny',
  provision: 'deny',
  cutover: 'deny',
  failover: 'deny',
  upgrade: 'deny',
  uninstall: 'deny',
  teardown: 'deny',
  drain: 'deny',
  submit: 'ask',
  sync: 'ask',
  install: 'ask',
  restart: 'ask',
  scale: 'ask',
  stop: 'ask',
  set: 'ask',
  unset: 'ask',
  patch: 'ask',
  edit: 'ask',
  replace: 'ask',
  create: 'ask',
  update: 'ask',
  exec: 'ask',
  run: 'ask',
}

/** Words that only look: as the first or second word of a program, nothing happens. */
const looking =
  'status list ls get show describe view info inspect diff plan validate logs log history help version preview pull whoami lint check verify tail search explain template print export ps events top wait url open docs cat dry-run'

/** Programs whose subcommands act on what runs somewhere. */
const releasing =
  'railway vercel netlify ntl flyctl fly heroku firebase serverless sls sam cdk cdktf sst eb gcloud aws az azd kubectl oc k helm helmfile ' +
  'terraform tofu terragrunt terramate pulumi ansible-playbook cap mup kamal dep argocd argo flux skaffold wrangler supabase prisma alembic ' +
  'knex rails rake flyway liquibase eas fastlane render copilot gh glab ecs ecs-deploy ecs-cli dokku docker podman docker-compose nomad ' +
  'waypoint garden atmos doctl sequelize sequelize-cli artisan flask mix dbmate goose migrate drizzle-kit typeorm sqlx diesel atlas ' +
  'chalice zappa amplify cf scalingo clever render platform upsun terminus pm2 shopify databricks dbt appwrite convex modal octo spinnaker ' +
  'spin harness bundle django-admin manage pscale neonctl turso hasura apex up architect arc copilot porter qovery kustomize kapp werf nixops morph colmena'

/** Programs that run a named task of the project. */
const runners =
  'make gmake just task npm pnpm yarn bun rake invoke inv fab gradle gradlew mage mise grunt gulp ant composer poe deno nx turbo lerna rush cap doit thor sbt lein mvn mvnw pants bazel'

/** Programs that run a file of code. */
const interpreters =
  'bash sh zsh dash ksh fish python python3 python2 node deno bun tsx ts-node ruby perl php go pwsh powershell source'

/** Options whose value is no target, though it may be called production. */
const notTargets = 'mode build-mode configuration message m title body description notes t reason'

/** Variables that say which environment is meant. */
const sayingWhere =
  /(?:^|_)(?:ENV|ENVIRONMENT|STAGE|TARGET|TIER|CONTEXT|WORKSPACE|PROFILE|PROJECT|NAMESPACE|CLUSTER|DATABASE_URL|DB_URL|DB_HOST|SETTINGS_MODULE|KUBECONFIG|HOST)$/

const tokensOf = (text: string) =>
  text
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)

const isScript = (word: string) => /\.(?:sh|bash|zsh|py|js|ts|mjs|cjs|rb|pl|php|ps1|go)$/.test(word)

/** Words of task runners that say nothing of the task. */
const runnersOwn = 'run exec install update create'

/** A playbook changes what its inventory names, whatever it is called; `vercel` alone deploys. */
const isReleaseItself = (program: string, words: readonly string[]) =>
  program === 'ansible-playbook' || (program === 'vercel' && words.length === 0)

/** A release, and what it says where it goes. */
export interface Release {
  readonly effect: 'deny' | 'ask'
  readonly verb: string
  readonly target: string
}

/** Returns the change that a command makes to a production system, if it names one of `targets`. */
export function releaseIn(
  { program, args, command, environment }: Call,
  targets: readonly string[],
): Release | undefined {
  const kind = kindOf(program, command.written, args)
  if (kind === undefined) return undefined
  const isTarget = (text: string) => tokensOf(text).some((token) => targets.includes(token))
  const words: string[] = kind === 'script' ? [command.written?.value.split('/').at(-1) ?? ''] : []
  const places: string[] = []
  for (let at = 0; at < args.length; at++) {
    const text = args[at]?.value ?? ''
    if (text === '--' && kind !== 'runner') break
    if (/^--?(?:dry-run|dryrun|check|diff|plan|preview|preview-only|help|h|list|what-if)(?:=|$)/.test(text))
      return undefined
    if (text === '-n' && /^g?make$/.test(program)) return undefined
    if (!text.startsWith('-')) {
      words.push(text)
      continue
    }
    const equals = text.indexOf('=')
    const name = text.slice(0, equals === -1 ? undefined : equals).replace(/^-+/, '')
    const isFlag = targets.includes(name)
    if (isFlag) places.push(text)
    if (isOneOf(name, notTargets)) {
      if (equals === -1) at += 1
      continue
    }
    if (equals !== -1) places.push(text.slice(equals + 1))
    const next = args[at + 1]?.value ?? ''
    // A word behind an option may be its value; as one, it is a place and no verb.
    if (equals === -1 && !isFlag && isTarget(next) && !next.startsWith('-')) {
      places.push(next)
      at += 1
    }
  }
  for (const { name, value } of environment) if (sayingWhere.test(name)) places.push(value.value, value.variable ?? '')
  for (const arg of args) if (arg.variable !== undefined) places.push(arg.variable)
  const named = words.filter((word) => !/^[A-Z_]+=/.test(word))
  places.push(...words.filter((word) => /^[A-Z_]+=/.test(word)).map((word) => word.slice(word.indexOf('=') + 1)))

  if (named.slice(0, 2).some((word) => isOneOf(word.toLowerCase(), looking))) return undefined
  // The name of a task or a script says both, a subcommand says what is done and the words behind it where.
  const doing =
    kind === 'program' ? named.slice(0, 4).flatMap((word) => word.toLowerCase().split(':')) : named.flatMap(tokensOf)
  const known = doing.filter((one) => Object.hasOwn(verbs, one) && !(kind === 'runner' && isOneOf(one, runnersOwn)))
  const verb = known.find((one) => verbs[one] === 'deny') ?? known[0]
  const implied = verb ?? (isReleaseItself(program, named) ? 'deploy' : undefined)
  const effect = implied === undefined ? undefined : verbs[implied]
  if (implied === undefined || effect === undefined) return undefined
  const target =
    places.find(isTarget) ??
    named.find((word) => (kind !== 'program' || isOneOf(program, positional)) && isTarget(word))
  if (target === undefined) return undefined
  const isLocal =
    program === 'docker' ||
    program === 'podman' ||
    program === 'docker-compose' ||
    program === 'gh' ||
    program === 'glab'
  return { effect: isLocal ? 'ask' : effect, verb: implied, target }
}

/** Programs where an operand is what is meant: `cap production deploy`, `eb deploy shop-prod`, `vercel env rm KEY production`. */
const positional =
  'cap eb vercel rake rails kamal dep ansible-playbook mup helm helmfile pulumi ecs ecs-deploy up pm2 shopify terminus sls cf heroku'

function kindOf(
  program: string,
  written: ShellWord | undefined,
  args: readonly ShellWord[],
): 'program' | 'runner' | 'script' | undefined {
  const script = args.find((word) => !word.value.startsWith('-'))?.value ?? ''
  if (isOneOf(program, releasing)) return 'program'
  if (isOneOf(program, interpreters) && isScript(script)) return 'runner'
  if (program === 'php' || program.startsWith('python'))
    return script === 'artisan' || script.endsWith('manage.py') ? 'runner' : undefined
  if (isOneOf(program, runners)) return 'runner'
  const isOwn = written !== undefined && (isScript(written.value) || /^(?:\.{1,2}\/|[\w-]+\/)/.test(written.value))
  return isOwn ? 'script' : undefined
}
