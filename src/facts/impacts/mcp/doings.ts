import { setOf } from '../../../model/look-ups.ts'
import { toolWords } from '../../../words/names.ts'
import { hostOf, isLoopback } from '../../../words/request.ts'
import { deletedByGraph, thingAt } from '../apis.ts'
import { kindOf, objectIn, singular } from '../naming.ts'
import {
  deletingVerb,
  hasPart,
  isChanging,
  isDeleting,
  isLasting,
  isPassing,
  isReleasing,
  kindOfTool,
  namesRelease,
  objectOf,
  openingBy,
  type ServerCall,
  targetsOf,
  type ToolImpactFound,
} from './tool.ts'

/** One thing that tools do, recognised by the words of their names and the fields of their input. */
interface ToolDoing {
  readonly find: (call: ServerCall) => ToolImpactFound | undefined
  /** A tool that looks by its name may do it. */
  readonly whereOnlyLooked?: true
  /** Calls, and what they do in words. A test holds them. */
  readonly examples: Readonly<Record<string, readonly [input: object, text: string]>>
}

/** Fields that name what is done, where one tool does many things. */
const operations = /^(?:operation|operation_?name|action|verb|command|subcommand|method)$/i

const operated: ToolDoing = {
  whereOnlyLooked: true,
  find({ texts }) {
    const operation = texts.find(
      ({ key, text }) => operations.test(key) && /^[\w:.-]{1,64}$/.test(text) && toolWords(text).some(isDeleting),
    )
    if (operation === undefined) return undefined
    const { key: by, text: said } = operation
    // A tool that sends requests does what the request does.
    const url = texts.find(({ text }) => /^https?:\/\//i.test(text))?.text
    if (url !== undefined && /^delete$/i.test(said)) return { kind: 'delete', by, said, ...deletedAt(url) }
    return { kind: 'delete', by, said, ...objectIn(said) }
  },
  examples: {
    mcp__fetch__fetch: [
      { method: 'DELETE', url: 'https://shop.example.com/v2/carts/9' },
      'deletes `shop.example.com/v2/carts/9`, for good',
    ],
    mcp__aws__call: [{ operation: 'TerminateInstances', InstanceId: 'i-1' }, 'deletes instance `i-1`'],
    mcp__k8s__call: [{ verb: 'delete', kind: 'pod', name: 'web' }, 'deletes pod `web`'],
  },
}

const deletedAt = (url: string): Omit<ToolImpactFound, 'kind'> => ({
  thing: thingAt([url]),
  names: [url.replace(/[?#].*|^https?:\/\/(?:[^@/]*@)?/gi, '')],
  undo: isLoopback(url) ? 'work' : 'never',
  targets: { host: [hostOf(url)] },
})

const deleted: ToolDoing = {
  find(call) {
    const verb = deletingVerb(call)
    if (verb === undefined || call.parts.some(isPassing)) return undefined
    const object = objectOf(call, verb)
    return {
      kind: kindOf(verb) === 'revoke' ? 'revoke' : 'delete',
      ...(object !== undefined && { object }),
      // Only what nothing uses is pruned.
      undo: verb !== 'prune' && call.parts.some(isLasting) ? 'never' : 'work',
    }
  },
  examples: {
    mcp__github__delete_repository: [{ owner: 'acme', repo: 'shop' }, 'deletes repository `shop`, for good'],
    'mcp__railway__service-delete': [{ serviceId: 'a' }, 'deletes service `a`, for good'],
    mcp__neon__deleteProject: [
      { projectId: 'shop-prod' },
      'deletes project `shop-prod` and everything in it, for good, in production',
    ],
    mcp__kubernetes__kubectl_delete: [
      { resourceType: 'namespace', name: 'shop' },
      'deletes namespace `shop` and everything in it',
    ],
    mcp__docker__remove_container: [{ id: 'a' }, 'deletes container `a`'],
    mcp__docker__prune_images: [{}, 'deletes an image'],
    mcp__memory__delete_entities: [{ entityNames: ['a'] }, ''],
    mcp__github__remove_label: [{ name: 'a' }, ''],
  },
}

/** Words of tools that write about a request to merge. */
const aboutRequests = setOf('create open update edit comment comments note notes diff changes approve review status')

const merged: ToolDoing = {
  find(call) {
    const { parts, texts, input } = call
    // git's own merge is the agent's.
    const byName =
      (/^(?:merge|accept|automerge)$/.test(parts[0] ?? '') || parts.at(-1) === 'merge') &&
      hasPart(call, /^(?:pull|pullrequest|pr|mr|request)$/) &&
      !parts.some((part) => aboutRequests.has(part))
    const object = hasPart(call, /^(?:pull|pullrequest|pr)$/) ? 'pull request' : 'merge request'
    if (byName) return { kind: 'merge', thing: 'repository', object }
    if (!hasPart(call, /^(?:update|edit|set|patch)$/) || !hasPart(call, /^(?:pull|pullrequest|pr|mr)$/))
      return undefined
    const status = texts.find(
      ({ key, text }) => /^(?:status|state)$/i.test(key) && /^(?:completed|merged)$/i.test(text),
    )
    const by = status?.key ?? (isSet(input, 'autoComplete', true) ? 'autoComplete' : undefined)
    return by === undefined ? undefined : { kind: 'merge', thing: 'repository', object, by }
  },
  examples: {
    mcp__github__merge_pull_request: [{ repo: 'shop', pull_number: 812 }, 'merges pull request `812`'],
    mcp__azure__update_pull_request: [{ pullRequestId: 3, status: 'Completed' }, 'merges pull request `3`'],
    mcp__gitlab__create_merge_request: [{ title: 'a' }, ''],
  },
}

const isSet = (input: unknown, key: string, wanted: unknown) =>
  typeof input === 'object' &&
  input !== null &&
  Object.entries(input).some(([own, one]) => own === key && one === wanted)

const moves = /^(?:refunds?|payouts?|transfers?|charges?|pay|purchase|withdraw)$/

const paid: ToolDoing = {
  find(call) {
    const contract = call.parts.find((part) =>
      /^(?:subscriptions?|invoices?|payments?|orders?|plans?|contracts?|bookings?)$/.test(part),
    )
    // It ends a contract with somebody: a subscription, an order that is paid.
    if (contract !== undefined && hasPart(call, /^(?:cancel|void|terminate)$/))
      return { kind: 'stop', thing: 'money', object: singular(contract) }
    const moved = call.parts.find((part) => moves.test(part))
    return moved === undefined ? undefined : { kind: 'pay', thing: 'money', object: nounOf(moved) }
  },
  examples: {
    mcp__stripe__create_refund: [{ charge: 'ch_1', amount: 5 }, 'moves money by a refund'],
    mcp__bank__pay: [{ iban: 'DE00' }, 'moves money by a payment'],
    mcp__stripe__cancel_subscription: [{ subscription: 'sub_1' }, 'stops subscription `sub_1`'],
    mcp__stripe__list_refunds: [{}, ''],
  },
}
const nounOf = (word: string) => (word === 'pay' ? 'payment' : word === 'withdraw' ? 'withdrawal' : singular(word))

const published: ToolDoing = {
  whereOnlyLooked: true,
  find: (call) =>
    ((/^(?:create|publish|submit|upload)$/.test(call.parts[0] ?? '') &&
      hasPart(call, /^(?:release|releases|package|packages|listing)$/)) ||
      // To a store: what is submitted, or promoted to another track, is what all users get.
      (/^(?:submit|promote)$/.test(call.parts[0] ?? '') &&
        hasPart(call, /^(?:build|app|version|binary|release|track)$/))) &&
    !isSet(call.input, 'draft', true)
      ? { kind: 'publish', thing: 'package' }
      : undefined,
  examples: {
    mcp__github__create_release: [{ tag_name: 'v1' }, 'publishes release `v1`'],
    mcp__github__publish_release: [{ tag_name: 'v1', draft: true }, ''],
    mcp__appstore__submit_build: [{ app: 'shop', build: '41' }, 'publishes build `41`'],
    mcp__github__submit_review: [{ pull_number: 3 }, ''],
  },
}

const pushedToMain: ToolDoing = {
  find(call) {
    const branch = call.texts.find(
      ({ key, text }) =>
        /^(?:branch|branch_?name|target_?branch|ref)$/i.test(key) &&
        /^(?:refs\/heads\/)?(?:main|master|trunk)$/.test(text),
    )
    if (branch === undefined || !hasPart(call, /^(?:push|create|update|upsert|commit|edit|write|put)$/))
      return undefined
    return hasPart(call, /^(?:files?|commits?|contents?)$/)
      ? { kind: 'change', thing: 'repository', object: 'branch', names: [branch.text], by: branch.key, ...unreviewed }
      : undefined
  },
  examples: {
    mcp__github__push_files: [{ branch: 'main', files: [] }, 'changes branch `main`, with no review between'],
  },
}

const unreviewed = {
  consequence: 'with no review between',
  instead: 'commit to a branch of its own, and open a pull request',
}

/** Verbs after which something others use does not run, or is as it was before. */
const interrupting = /^(?:reset|pause|suspend|hibernate|shutdown|poweroff|failover|quarantine|deactivate)$/
const running =
  /^(?:branch|projects?|databases?|db|services?|servers?|instances?|clusters?|applications?|apps?|environments?|deployments?|campaigns?|ads?|subscriptions?|workspaces?|tables?|index|parent|account|users?|passwords?|credentials?|mfa|stack|queue|pipeline|warehouse|workflow|monitor|replica|node[_ ]?pool|site|domain|vm|machine)$/

const interrupted: ToolDoing = {
  find(call) {
    const verb = call.parts.find((part) => interrupting.test(part))
    if (verb === undefined || !hasPart(call, running)) return undefined
    const object = objectOf(call, verb)
    // A name with `preview` in it wins over the project's.
    const named = targetsOf(call, /^(?:branch|id|name)|_id$/)
    return {
      kind: kindOfTool(verb) ?? 'stop',
      ...(object !== undefined && { object }),
      targets: { ...targetsOf(call), ...named },
    }
  },
  examples: {
    mcp__supabase__pause_project: [{ project_id: 'a' }, 'stops project `a`'],
    mcp__supabase__reset_branch: [{ branch_id: 'b' }, 'rolls back branch `b`'],
    mcp__player__pause_playback: [{}, ''],
  },
}

const changedInBulk: ToolDoing = {
  find(call) {
    const thing = call.parts.find((part) =>
      /^(?:prices?|products?|customers?|users?|orders?|inventory|permissions?|contacts?)$/.test(part),
    )
    return thing !== undefined &&
      hasPart(call, /^(?:bulk|batch|mass|all)$/) &&
      hasPart(call, /^(?:update|edit|set|change|modify|import|overwrite)$/)
      ? { kind: 'change', thing: 'data', object: singular(thing), names: [], extent: 'all' }
      : undefined
  },
  examples: { mcp__shopify__bulk_update_prices: [{ percent: 50 }, 'changes all prices'] },
}

/** Machines whose hours cost as much as others' months. */
const dearMachine =
  /^(?:p[3-6]\w*\.(?:8|16|24|48)xlarge|g[56]\w*\.48xlarge|\w+\.metal|standard_nd\w+|a[23]-\w+gpu-(?:8|16)g)$/i

const madeDearer: ToolDoing = {
  find(call) {
    const { input, texts } = call
    const limit = call.parts.find((part) => /^(?:spend|spending|budget|budgets|billing|quota)$/.test(part))
    const off =
      limit === undefined || typeof input !== 'object' || input === null
        ? undefined
        : Object.entries(input).find(([key, one]) => /enabled|limit|cap/i.test(key) && (one === false || one === null))
    if (limit !== undefined && off !== undefined)
      return { kind: 'weaken', thing: 'guard', object: 'the limit of what is spent', by: off[0] }
    if (!hasPart(call, /^(?:run|create|launch|start|resize|scale)$/)) return undefined
    const machine = texts.find(({ key, text }) => /type|size|sku/i.test(key) && dearMachine.test(text))
    return machine && { kind: 'spend', thing: 'money', object: 'machine', names: [machine.text], by: machine.key }
  },
  examples: {
    mcp__aws__run_instances: [{ InstanceType: 'p5.48xlarge' }, 'pays for machine `p5.48xlarge`'],
    mcp__cloud__update_budget: [{ limit: null }, 'weakens the limit of what is spent'],
  },
}

/** Fields whose `true` makes git overwrite, and texts that do. */
const forcing = /^force$|^force(?:push|withlease|_push|_with_lease|d)$/i
const forced = /(?:^|\s)(?:-f|--force(?:-with-lease\S*)?|--mirror|\+\S+)(?:\s|$)/
/** Fields in which a tool takes the words of a command. */
const wordsKey = /^(?:command|cmd|args|arguments|options|flags|mode|action|operation|type)$/i

const hasForce = (value: unknown, depth = 0): boolean =>
  depth <= 4 &&
  typeof value === 'object' &&
  value !== null &&
  Object.entries(value).some(([key, one]) => (one === true && forcing.test(key)) || hasForce(one, depth + 1))

/** Harm of git's tools to commits or files of which there is no other copy, by the tool's name or by a subcommand. */
const lostWork: ToolDoing = {
  find({ server, parts: own, texts: all, input }) {
    const parts = [...server, ...own]
    const texts = all.flatMap(({ key, text }) => (wordsKey.test(key) ? [text] : []))
    const words = [...parts, ...texts.flatMap((text) => text.split(/\s+/))]
    const isForced = hasForce(input) || texts.some((text) => forced.test(text))
    if (isForced && (words.includes('push') || /\bupdate (?:git )?ref/.test(parts.join(' '))))
      return {
        kind: 'overwrite',
        thing: 'repository',
        object: 'branch',
        targets: {},
        said: 'push --force',
        instead: withoutForce,
      }
    if (words.includes('reset') && words.some((word) => /^(?:--)?hard$/i.test(word)))
      return { ...uncommitted, object: 'uncommitted change', said: 'reset --hard' }
    return isForced && parts.includes('git') && words.includes('clean')
      ? { ...uncommitted, object: 'untracked file', said: 'clean --force' }
      : undefined
  },
  examples: {
    mcp__git__git_push: [{ branch: 'topic', force: true }, 'overwrites branch `topic`'],
    mcp__git__git_reset: [{ mode: 'hard' }, 'deletes all uncommitted changes'],
    mcp__git__git_clean: [{ force: true }, 'deletes all untracked files'],
  },
}
const withoutForce = 'do it without force, on a branch of its own'
const uncommitted = { kind: 'delete', thing: 'repository', names: [], extent: 'all', targets: {} } as const

const mutated: ToolDoing = {
  whereOnlyLooked: true,
  find({ texts }) {
    for (const { key, text } of texts) {
      const field = deletedByGraph(text)
      if (field !== undefined)
        return { kind: 'delete', ...objectIn(field), names: [], by: key, said: `mutation ${field}` }
    }
    return undefined
  },
  examples: {
    mcp__gql__send: [{ query: 'mutation { deleteRepository(id: 1) { id } }' }, 'deletes a repository'],
    mcp__gql__ask: [{ query: 'query { deletedUsers { id } }' }, ''],
  },
}

/** Rights that let somebody do everything. */
const allRights = /^(?:admin|owner|maintain|administrator)$/i

const opened: ToolDoing = {
  find(call) {
    const role =
      hasPart(call, /^(?:add|invite|set|update|grant)$/) &&
      hasPart(call, /^(?:collaborators?|members?|invitation|permissions?)$/)
        ? call.texts.find(
            ({ key, text }) =>
              toolWords(key).some((word) => /^(?:role|permission)$/.test(word)) && allRights.test(text),
          )
        : undefined
    return role === undefined
      ? openingBy(call.parts, call.input)
      : { kind: 'grant', thing: 'account', object: 'permission', names: [role.text], by: role.key }
  },
  examples: {
    mcp__github__add_collaborator: [{ username: 'a', permission: 'admin' }, 'grants rights with permission `admin`'],
    mcp__s3__put_bucket_acl: [{ acl: 'public-read' }, 'weakens the protection'],
    mcp__github__update_file: [{ path: 'public/index.html' }, ''],
  },
}

/** Servers of platforms where what is deployed is what everybody gets, with no preview between. */
const goesLiveAtOnce = /supabase|cloudflare|wrangler|^fly|railway|render|firebase|heroku|convex/i
/** Servers of tools that change whole infrastructures at once. */
const appliers = /terraform|tofu|pulumi|cdk|cloudformation/i

const deployed: ToolDoing = {
  find(call) {
    const { serverName } = call
    if (appliers.test(serverName) && hasPart(call, /^(?:apply|up|deploy)$/))
      // It may change something shared, so the workspace's name does not count.
      return { kind: 'deploy', thing: 'infrastructure', object: 'the infrastructure', targets: {} }
    if (hasPart(call, /^promote$/) && hasPart(call, /^deployments?$/)) return { kind: 'publish', thing: 'deployment' }
    return goesLiveAtOnce.test(serverName) && hasPart(call, /^(?:deploy|redeploy|publish)$/)
      ? { kind: 'deploy', thing: 'deployment' }
      : undefined
  },
  examples: {
    mcp__terraform__apply: [{}, 'deploys the infrastructure'],
    mcp__vercel__promote_deployment: [{ id: 'a' }, 'publishes deployment `a`'],
    mcp__supabase__deploy_edge_function: [{ name: 'charge' }, 'deploys edge function `charge`'],
  },
}

/** Systems that keep secrets, by the words of a server's name, and what their secrets are called. */
const keepers: readonly (readonly [server: RegExp, object: string])[] = [
  [/^(?:vault|hashicorp|openbao)$/, 'Vault secret'],
  [/^(?:aws|secretsmanager)$/, 'AWS secret'],
  [/^(?:gcp|google|gcloud)$/, 'Google Cloud secret'],
  [/^(?:azure|keyvault)$/, 'Azure secret'],
  [/^(?:kubernetes|k8s|kubectl|openshift)$/, 'Kubernetes secret'],
  [/^(?:1password|onepassword)$/, '1Password secret'],
  [/^bitwarden$/, 'Bitwarden secret'],
  [/^doppler$/, 'Doppler secret'],
  [/^infisical$/, 'Infisical secret'],
]
/** Servers that keep nothing but secrets. */
const onlySecrets =
  /^(?:vault|openbao|1password|onepassword|bitwarden|doppler|infisical|keychain|secretsmanager|keyvault)$/
const revealing = /^(?:get|read|show|reveal|view|fetch|retrieve|export|decrypt|access|dump|lookup)$/
/** Words of tools that answer with names, counts and the like. */
const aboutSecrets =
  /^(?:list|search|names?|metadata|scan(?:ning)?|alerts?|count|status|polic(?:y|ies)|versions?|rotation|usage|describe|create|update|set|delete|put|write|rotate|health|capabilities|public|token|mounts?|vaults?|environments?|projects?)$/

const revealed: ToolDoing = {
  whereOnlyLooked: true,
  find(call) {
    const { parts, server, texts } = call
    const verb = parts.find((part) => revealing.test(part))
    const noun = parts.find((part) => /^(?:secrets?|passwords?|credentials?|apikey)$/.test(part))
    const isTyped =
      noun === undefined &&
      texts.some(({ key, text }) => /^(?:resource_?type|kind|resource)$/i.test(key) && /^secrets?$/i.test(text)) &&
      texts.some(({ key }) => /^name$/i.test(key))
    const isKeeper =
      server.some((word) => onlySecrets.test(word)) && hasPart(call, /^(?:kv|item|entry|login|secrets?)$/)
    if (verb === undefined || parts.some((part) => aboutSecrets.test(part))) return undefined
    if (noun === undefined && !isTyped && !isKeeper) return undefined
    const words = [...server, ...parts]
    const object = keepers.find(([own]) => words.some((word) => own.test(word)))?.[1] ?? singular(noun ?? 'secret')
    return { kind: 'show', thing: 'secret', object, ...namedByField(call) }
  },
  examples: {
    mcp__vault__read_secret: [{ mount: 'secret', path: 'shop/db' }, 'shows Vault secret `shop/db`'],
    mcp__aws__get_secret_value: [{ SecretId: 'shop/db' }, 'shows AWS secret `shop/db`'],
    mcp__k8s__kubectl_get: [{ resourceType: 'secret', name: 'db', output: 'yaml' }, 'shows Kubernetes secret `db`'],
    mcp__1password__item_get: [{ item: 'shop' }, 'shows 1Password secret `shop`'],
    mcp__keychain__get_password: [{ service: 'shop' }, 'shows a password'],
    mcp__vault__list_secrets: [{ path: 'shop' }, ''],
    mcp__github__list_secret_scanning_alerts: [{ repo: 'shop' }, ''],
    mcp__github__get_secret_scanning_alert: [{ number: 3 }, ''],
    mcp__k8s__get_resource: [{ kind: 'secret' }, ''],
  },
}

/** Returns the names of a secret: of its path, or of the field that is called like it. */
function namedByField({ texts }: ServerCall): Pick<ToolImpactFound, 'names'> {
  const names = texts.flatMap(({ key, text }) =>
    /^(?:path|name|key|item|title|secret_?(?:id|name|path|key)?)$/i.test(key) && text !== '' ? [text] : [],
  )
  return names.length === 0 ? {} : { names }
}

/** A change that another call takes back, in a place that the call names. */
const changedSomewhere: ToolDoing = {
  find(call) {
    const verb = call.parts.find(isChanging)
    const places = Object.entries(targetsOf(call)).flatMap(([key, all]) => {
      const texts = verb === undefined ? all.filter(namesRelease) : all
      return texts.length > 0 ? [[key, texts] as const] : []
    })
    const branches = call.texts.flatMap(({ key, text }) => (key === 'branch' ? [text] : []))
    const own = call.parts.some(isReleasing) ? call.parts.filter((part) => !isReleasing(part)) : []
    const targets = {
      ...(own.length > 0 && { name: own }),
      ...(verb !== undefined && branches.length > 0 && { branch: branches }),
      ...Object.fromEntries(places),
    }
    const last = Object.entries(targets).at(-1)
    if (last === undefined) return undefined
    const [by, [said = '']] = last
    const kind = kindOfTool(verb ?? '') ?? 'deploy'
    return { kind, thing: 'deployment', undo: 'easily', targets, ...(by !== 'name' && { by, said }) }
  },
  examples: {
    mcp__railway__update: [{ environment: 'production' }, 'changes what is deployed, in production'],
    mcp__ci__build_job: [{ jobName: 'deploy-production' }, 'deploys job `deploy-production`, in production'],
    mcp__linear__update_issue: [{ title: 'production' }, ''],
  },
}

/** The first that is found is what a tool does. */
export const doings: readonly ToolDoing[] = [
  operated,
  deleted,
  merged,
  paid,
  published,
  pushedToMain,
  interrupted,
  changedInBulk,
  madeDearer,
  lostWork,
  mutated,
  opened,
  deployed,
  revealed,
  changedSomewhere,
]
