import { type Call, isOneOf, namesOneOf, onlyTries, type ShellWord, tokensOf } from 'hookgate/policy'

/** Verbs that change a running system: those that are refused, and those that are asked about. */
export const verbs: Readonly<Record<string, 'deny' | 'ask'>> = {
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
  reload: 'ask',
  boot: 'ask',
  reboot: 'ask',
  scale: 'ask',
  stop: 'ask',
  set: 'ask',
  unset: 'ask',
  patch: 'ask',
  edit: 'ask',
  replace: 'ask',
  create: 'ask',
  add: 'ask',
  put: 'ask',
  setenv: 'ask',
  update: 'ask',
  send: 'ask',
  exec: 'ask',
  run: 'ask',
}

/** Verbs by which every later command acts on what they name. */
const choosing = 'use use-context select activate target link switch get-credentials'

/** Verbs in front of a noun, as clouds have them: `update-function-code`. */
const compound =
  /^(?:update|create|put|start|run|publish|deploy|modify|set|restart|reboot|stop|send|execute|register)(?=-)/

/** Verbs that bring files to the last word. */
export const transfers = 'cp copy mv sync rsync'

/** Words that only look, or write about it: among the first words of a program, nothing happens. */
const looking =
  'pr mr issue gist new generate g make dev init download status list ls get show describe view info inspect diff plan validate logs log history help version preview pull whoami lint check verify tail search explain template print export ps events top wait url open docs cat dry-run'

/** Options with which the programs below only say what they would do. */
const trials = 'dry-run dryrun check plan preview preview-only help h list what-if syntax-check pretend'.split(' ')

/** Programs whose subcommands act on what runs somewhere. */
export const releasing =
  'func kubectx kubens circleci jenkins-cli gitlab-runner railway vercel netlify ntl flyctl fly heroku firebase serverless sls sam cdk cdktf sst eb gcloud aws az azd kubectl oc k helm helmfile ' +
  'terraform tofu terragrunt terramate pulumi ansible-playbook cap mup kamal dep argocd argo flux skaffold wrangler supabase prisma alembic ' +
  'knex rails rake flyway liquibase eas fastlane render copilot gh glab ecs ecs-deploy ecs-cli dokku docker podman docker-compose nomad ' +
  'waypoint garden atmos doctl sequelize sequelize-cli artisan flask dbmate goose migrate drizzle-kit typeorm sqlx diesel atlas ' +
  'chalice zappa amplify cf scalingo clever render platform upsun terminus pm2 shopify databricks dbt appwrite convex modal octo spinnaker ' +
  'forge cast hardhat truffle anchor solana near spin harness django-admin manage pscale neonctl turso hasura apex up architect arc copilot porter qovery kustomize kapp werf nixops morph colmena'

/** Programs that run a named task of the project. */
export const runners =
  'make gmake just task npm pnpm yarn bun rake invoke inv fab gradle gradlew mage mise grunt gulp ant composer poe deno nx turbo lerna rush cap doit thor sbt lein mvn mvnw pants bazel'

/** Programs that run a file of code. */
const interpreters =
  'bash sh zsh dash ksh fish python python3 python2 node deno bun tsx ts-node ruby perl php go pwsh powershell source'

/** Programs of this machine's containers, which mostly run what is tried here. */
const containers = 'docker podman docker-compose'

/** Options whose value is no target, though it may be called production. */
const notTargets = 'mode build-mode configuration message m title body description notes t reason'

/** Variables that say which environment is meant. */
const sayingWhere =
  /(?:^|_)(?:ENV|ENVIRONMENT|STAGE|TARGET|TIER|CONTEXT|WORKSPACE|PROFILE|PROJECT|NAMESPACE|CLUSTER|DATABASE_URL|DB_URL|DB_HOST|SETTINGS_MODULE|KUBECONFIG|HOST)$/

const isScript = (word: string) => /\.(?:sh|bash|zsh|py|js|ts|mjs|cjs|rb|pl|php|ps1|go)$/.test(word)

/** Words of task runners that say nothing of the task. */
const runnersOwn = 'run exec install update create add'

/** A playbook changes what its inventory names, whatever it is called; `vercel`, alone or with a folder, deploys. */
const verbOf = (program: string, words: readonly string[]) => {
  if (program === 'kubectx' || program === 'kubens') return 'use'
  const isVercel = program === 'vercel' && words[0] !== 'build'
  return program === 'ansible-playbook' || isVercel ? 'deploy' : undefined
}

/** A change of production: what is done, and what says where. */
export interface Release {
  readonly effect: 'deny' | 'ask'
  readonly verb: string
  readonly target: string
  /** It only makes production what later commands act on. */
  readonly isChoice?: true
}

/** Returns the change that a command makes to a production system, if it names one of `targets`. */
export function releaseIn(
  { program, args, command, environment }: Call,
  targets: readonly string[],
): Release | undefined {
  const kind = kindOf(program, command.written, args)
  if (kind === undefined) return undefined
  const isTarget = (text: string) => namesOneOf(text, targets)
  const words: string[] = kind === 'script' ? [command.written?.value.split('/').at(-1) ?? ''] : []
  const places: string[] = []
  const end = kind === 'runner' ? -1 : args.findIndex(({ value }) => value === '--')
  if (onlyTries(end === -1 ? args : args.slice(0, end), ...trials)) return undefined
  for (let at = 0; at < args.length; at++) {
    const text = args[at]?.value ?? ''
    if (text === '--' && kind !== 'runner') break
    if (text === '-n' && /^g?make$/.test(program)) return undefined
    if (!text.startsWith('-')) {
      words.push(text)
      continue
    }
    const equals = text.indexOf('=')
    const name = text.slice(0, equals === -1 ? undefined : equals).replace(/^-+/, '')
    const isFlag = targets.includes(name)
    if (isFlag) places.push(text)
    if (isOneOf(name, notTargets) || (isOneOf(name, 'e env') && isOneOf(program, containers))) {
      if (equals === -1) at += 1
      continue
    }
    if (equals !== -1) places.push(text.slice(equals + 1))
    const next = args[at + 1]?.value ?? ''
    // A text of its own: `-f body='What runs in production …'`.
    if (equals === -1 && isOneOf(/^(\w+)=/.exec(next)?.[1] ?? '-', notTargets)) {
      at += 1
      continue
    }
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

  if (named.slice(0, kind === 'program' ? 4 : 2).some(onlyLooks)) return undefined
  // The name of a task or a script says both, a subcommand says what is done and the words behind it where.
  const doing = kind === 'program' ? named.slice(0, 4).flatMap(subcommandsIn) : named.flatMap(tokensOf)
  const isKnown = (one: string) => Object.hasOwn(verbs, one) || (kind === 'program' && compound.test(one))
  const known = doing.filter((one) => isKnown(one) && !(kind === 'runner' && isOneOf(one, runnersOwn)))
  const choice = kind === 'program' ? named.slice(0, 3).find((word) => isOneOf(word, choosing)) : undefined
  const verb = known.find((one) => verbs[one] === 'deny') ?? choice ?? known[0] ?? verbOf(program, named)
  if (verb === undefined) return undefined
  const operands = named.slice(0, 3).some((word) => isOneOf(word, transfers)) ? named.slice(-1) : named
  const target =
    places.find(isTarget) ??
    (kind !== 'program' || namesPlaces(program, named) ? operands.find((word) => isTarget(word)) : undefined)
  if (target === undefined) return undefined
  if (isOneOf(verb, choosing)) return { effect: 'ask', verb, target, isChoice: true }
  return { effect: isOneOf(program, containers) ? 'ask' : (verbs[verb] ?? 'ask'), verb, target }
}

const onlyLooks = (word: string) => isOneOf(word.toLowerCase(), looking) || /^(?:get|list|describe)-(?!cred)/.test(word)

/** Verbs in a program's words: `env:set` sets, `update-function-code` updates, `deploy-prod.yml` deploys. */
function subcommandsIn(word: string): readonly string[] {
  const text = word.toLowerCase()
  return compound.test(text) ? [text, text.slice(0, text.indexOf('-'))] : text.split(':')
}

/** Programs whose operands name images, texts or new migrations. */
const otherNames =
  'docker podman gh glab docker-compose prisma alembic knex goose dbmate sqlx diesel atlas sequelize sequelize-cli typeorm drizzle-kit ' +
  'migrate flyway liquibase hasura django-admin manage flask artisan'

/** True if an operand is what is meant: `cap production deploy`, `eb deploy shop-prod`, `gh workflow run deploy-prod.yml`. */
const namesPlaces = (program: string, words: readonly string[]) =>
  !isOneOf(program, otherNames) || isOneOf(words[0] ?? '', 'context workflow ci')

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
