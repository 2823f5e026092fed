import { abstains, asks, definePolicy, denies, setOf, toolWords } from 'hookgate/policy'
import { answerTo, params, targets } from './cli/judge.ts'
import { namesTarget, namesTrial } from './data/targets.ts'
import { textsIn } from './data/tool-input.ts'
import { destroysByGraph } from './data/graphql.ts'
import { openedBy } from './mcp-access.ts'
import {
  gitLoss,
  isBulk,
  isCancelled,
  isDear,
  isGrant,
  isInterrupted,
  isMerge,
  isMergedByStatus,
  isPublished,
  isPushToMain,
} from './mcp-doings.ts'
import { isLook, places, toolOf } from './mcp-names.ts'

/** Verbs after which something is gone. */
const destroys = setOf(
  'delete destroy drop purge wipe truncate terminate uninstall erase flush flushall flushdb revoke deprovision decommission nuke teardown dispose expunge'.split(
    ' ',
  ),
)
/** Things that come back with difficulty, if at all. */
const lasting = setOf(
  'repository repo project projects database databases db table tables schema collection collections bucket buckets namespace namespaces cluster clusters instance instances server servers service services volume volumes disk snapshot backup backups stack environment environments organization org account user users team workspace zone domain deployment app application index topic queue branch release records rows customer customers'.split(
    ' ',
  ),
)
/** Things that nobody misses, or that are the agent's own. */
const passing = setOf(
  'reaction reactions bookmark tab tabs draft drafts node nodes entity entities observation observations relation relations memory memories filter breakpoint cursor selection element gameobject gameobjects layer layers shape shapes mesh meshes cell cells todo todos thought session'.split(
    ' ',
  ),
)
const movesMoney = setOf(
  'refund refunds payout payouts transfer transfers charge charges pay purchase withdraw'.split(' '),
)
const changes = setOf(
  'deploy redeploy update apply patch set create restart rollback scale exec execute run migrate promote publish release remove put edit write replace modify stop start reset restore sync'.split(
    ' ',
  ),
)
/** Fields that name what is done, where one tool does many things. */
const operations = /^(?:operation|operation_?name|action|verb|command|subcommand|method)$/i
/** Servers of tools that change whole infrastructures at once. */
/** Servers of platforms where what is deployed is what everybody gets, with no preview between. */
const goesLiveAtOnce = /supabase|cloudflare|wrangler|^fly|railway|render|firebase|heroku|convex/i
const appliers = /terraform|tofu|pulumi|cdk|cloudformation/i

const isDestroying = (text: string) =>
  /^[\w:.-]{1,64}$/.test(text) && toolWords(text).some((word) => destroys.has(word))

/** A label is removed from something; a container is gone. */
const isRemoval = (parts: readonly string[], at: number) =>
  /^(?:remove|rm|kill)$/.test(parts[at] ?? '') &&
  parts.some((part) => lasting.has(part) || /^(?:containers?|images?|pods?)$/.test(part))

/** True if a task's name says that it releases: `deploy-production`, which a tool only builds or triggers. */
const isRelease = (text: string) => toolWords(text).some((word) => releases.has(word))
/** Verbs that make the tool's own name say what runs in production: `deploy_production`. */
const releases = setOf('deploy redeploy apply rollback migrate promote publish release restart'.split(' '))

const deletion = {
  harm: 'takes away what the server keeps for others',
  instead: 'look at it first, and have the person delete it',
}
const merging = {
  harm: 'merges a change into a branch that others build on',
  instead: 'name the pull request and have the person merge it',
}
const publishing = {
  harm: 'publishes what everybody gets who uses the project',
  instead: 'make it a draft, and have the person publish it',
}
const opening = {
  harm: 'opens to everybody what was closed, or takes a guard away',
  instead: 'name who is to have access, and have the person open it',
}
const pushing = {
  harm: 'commits to a branch that others build on, with no review between',
  instead: 'commit to a branch of its own and open a pull request, or have the person do it',
}
const interruption = {
  harm: 'stops or resets what others may use',
  instead: 'do it in a preview of your own, or have the person do it',
}
const loss = {
  harm: 'replaces or drops commits or files of which there may be no other copy',
  instead: 'do it without force, on a branch of its own, or have the person do it',
}
const bulk = {
  harm: 'changes many things at once that others see or pay',
  instead: 'change one, show it to the person, and have them change the rest',
}
const cost = { harm: 'makes the account pay more, or lets it', instead: 'say what it costs, and have the person do it' }
const payment = { harm: 'moves money', instead: 'have the person do it' }
const release = {
  harm: 'changes what runs in production, for everybody who uses it',
  instead: 'do it in a staging or preview environment, and have the person release it',
}

export default definePolicy({
  id: 'mcp-tools',
  severity: 'high',
  description: 'Stops MCP tools that delete what lasts; asks about other deletions, payments and changes of production',
  on: 'PreToolUse',
  tool: 'mcp',
  params: { ...params, targets },
  decide({ tool, params: given }) {
    const { server, parts } = toolOf(tool.name)
    if (given.allowed.some((one) => one === tool.name || one === `mcp__${server}`)) return undefined
    const onlyLooks = isLook(parts)
    const operation = textsIn(tool.input).find(({ key, text }) => operations.test(key) && isDestroying(text))
    if (operation !== undefined)
      return answerTo({ effect: 'ask', words: `… ${operation.text}` }, { program: tool.name }, given, deletion)
    const verb = onlyLooks ? undefined : parts.find((part, at) => destroys.has(part) || isRemoval(parts, at))
    if (verb !== undefined && !parts.some((part) => passing.has(part))) {
      const what = parts.find((part) => lasting.has(part))
      const effect = what === undefined ? 'ask' : 'deny'
      const isTrial = textsIn(tool.input).some(({ key, text }) => places.test(key) && namesTrial(text))
      if (effect === 'ask' && isTrial) return undefined
      return answerTo({ effect, words: '' }, { program: tool.name }, given, deletion)
    }
    if (!onlyLooks && (isMerge(parts) || isMergedByStatus(parts, tool.input)))
      return answerTo({ effect: 'ask', words: '' }, { program: tool.name }, given, merging)
    if (!onlyLooks && (isCancelled(parts) || parts.some((part) => movesMoney.has(part))))
      return answerTo({ effect: 'ask', words: '' }, { program: tool.name }, given, payment)
    if (isPublished(parts, tool.input))
      return answerTo({ effect: 'ask', words: '' }, { program: tool.name }, given, publishing)
    const isOnTrial = () =>
      textsIn(tool.input).some(
        ({ key, text }) => (places.test(key) || /^(?:branch|id|name)|_id$/.test(key)) && namesTrial(text),
      )
    if (!onlyLooks && isPushToMain(parts, tool.input))
      return answerTo({ effect: 'ask', words: '' }, { program: tool.name }, given, pushing)
    if (!onlyLooks && isInterrupted(parts) && !isOnTrial())
      return answerTo({ effect: 'ask', words: '' }, { program: tool.name }, given, interruption)
    if (!onlyLooks && isBulk(parts)) return answerTo({ effect: 'ask', words: '' }, { program: tool.name }, given, bulk)
    if (!onlyLooks && isDear(parts, tool.input))
      return answerTo({ effect: 'ask', words: '' }, { program: tool.name }, given, cost)
    const lost = gitLoss([...toolWords(server), ...parts], tool.input)
    if (!onlyLooks && lost !== undefined)
      return answerTo({ effect: 'ask', words: `… ${lost}` }, { program: tool.name }, given, loss)
    if (textsIn(tool.input).some(({ text }) => destroysByGraph(text)))
      return answerTo({ effect: 'ask', words: '… mutation' }, { program: tool.name }, given, deletion)
    const opened = onlyLooks ? undefined : isGrant(parts, tool.input) ? '' : openedBy(parts, tool.input)
    if (opened !== undefined)
      return answerTo({ effect: 'ask', words: opened && `… ${opened}` }, { program: tool.name }, given, opening)
    const isPromoted = parts.includes('promote') && parts.some((part) => /^deployments?$/.test(part))
    const isLive = goesLiveAtOnce.test(server) && parts.some((part) => /^(?:deploy|redeploy|publish)$/.test(part))
    const isTry = textsIn(tool.input).some(({ key, text }) => places.test(key) && namesTrial(text))
    if (
      isPromoted ||
      (isLive && !isTry) ||
      (appliers.test(server) && parts.some((part) => /^(?:apply|up|deploy)$/.test(part)))
    )
      return answerTo({ effect: 'ask', words: '' }, { program: tool.name }, given, release)
    const isChange = parts.some((part) => changes.has(part))
    const place = textsIn(tool.input).find(({ key, text }) =>
      key === 'branch'
        ? isChange && given.targets.includes(text)
        : places.test(key) && namesTarget(text, given.targets) && (isChange || (!onlyLooks && isRelease(text))),
    )
    const own = parts.some((part) => releases.has(part))
      ? parts.find((part) => given.targets.includes(part))
      : undefined
    const where = place?.text ?? own
    if (where === undefined) return undefined
    return answerTo({ effect: 'ask', words: `… ${where}` }, { program: tool.name }, given, release)
  },
  examples: [
    denies('a repository', { tool: 'mcp__github__delete_repository', input: { repo: 'app' } }),
    asks('a function that everybody calls', { tool: 'mcp__supabase__deploy_edge_function', input: { name: 'charge' } }),
    abstains('one that is looked at', { tool: 'mcp__supabase__list_edge_functions', input: {} }),
    asks('rights to everything', {
      tool: 'mcp__aws__iam_attach_role_policy',
      input: { PolicyArn: 'arn:aws:iam::aws:policy/AdministratorAccess' },
    }),
    abstains('rights to read', {
      tool: 'mcp__aws__iam_attach_role_policy',
      input: { PolicyArn: 'arn:aws:iam::aws:policy/ReadOnlyAccess' },
    }),
    asks('rules that no longer hold', {
      tool: 'mcp__github__update_repository_ruleset',
      input: { enforcement: 'disabled' },
    }),
    denies('in another spelling', { tool: 'mcp__neon__deleteProject', input: { projectId: 'a' } }),
    denies('the object in front', { tool: 'mcp__railway__service-delete', input: { serviceId: 'a' } }),
    asks('what is in its input', { tool: 'mcp__kubernetes__kubectl_delete', input: { resourceType: 'pod' } }),
    abstains('one of a preview', {
      tool: 'mcp__kubernetes__kubectl_delete',
      input: { resourceType: 'pod', namespace: 'preview-12' },
    }),
    asks('rights of a container', { tool: 'mcp__docker__create_container', input: { privileged: true } }),
    abstains('a container of its own', { tool: 'mcp__docker__create_container', input: { image: 'postgres' } }),
    asks('an operation that its input names', { tool: 'mcp__aws__call', input: { operation: 'TerminateInstances' } }),
    abstains('another operation', { tool: 'mcp__aws__call', input: { operation: 'DescribeInstances' } }),
    denies('a service that is removed', { tool: 'mcp__railway__remove_service', input: {} }),
    asks('a container', { tool: 'mcp__docker__remove_container', input: { id: 'a' } }),
    abstains('a label', { tool: 'mcp__github__remove_label', input: { name: 'a' } }),
    asks('a whole infrastructure', { tool: 'mcp__terraform__apply', input: {} }),
    abstains('its plan', { tool: 'mcp__terraform__plan', input: {} }),
    asks('anything else', { tool: 'mcp__cms__purge_pages', input: {} }),
    abstains('what only looks', { tool: 'mcp__github__list_deleted_items', input: {} }),
    abstains('a look with such a word in it', { tool: 'mcp__git__get_drop_policy', input: {} }),
    abstains('what is the agent’s own', { tool: 'mcp__memory__delete_entities', input: { entityNames: ['a'] } }),
    abstains('a tool that is called like its server', { tool: 'mcp__drop__upload', input: {} }),
    asks('a merge', { tool: 'mcp__github__merge_pull_request', input: { pull_number: 3 } }),
    asks('a merge by its status', {
      tool: 'mcp__azure__update_pull_request',
      input: { pullRequestId: 3, status: 'Completed' },
    }),
    asks('a release', { tool: 'mcp__github__create_release', input: { tag_name: 'v1' } }),
    abstains('a draft of one', { tool: 'mcp__github__create_release', input: { tag_name: 'v1', draft: true } }),
    asks('a merge by another word', { tool: 'mcp__gitlab__acceptMergeRequest', input: { iid: 3 } }),
    abstains('a request for a merge', { tool: 'mcp__gitlab__create_merge_request', input: { title: 'a' } }),
    abstains('a merge here', { tool: 'mcp__git__merge', input: { branch: 'main' } }),
    asks('a contract', { tool: 'mcp__shop__cancel_subscription', input: { id: 'a' } }),
    abstains('a task', { tool: 'mcp__queue__cancel_task', input: { id: 'a' } }),
    asks('a push that overwrites', { tool: 'mcp__git__git_push', input: { branch: 'main', force: true } }),
    abstains('a push that does not', { tool: 'mcp__git__git_push', input: { branch: 'main', force: false } }),
    asks('a commit for everybody', { tool: 'mcp__github__push_files', input: { branch: 'main', files: [] } }),
    abstains('a commit on a branch', { tool: 'mcp__github__push_files', input: { branch: 'fix', files: [] } }),
    asks('a project that stops', { tool: 'mcp__supabase__pause_project', input: { project_id: 'a' } }),
    abstains('a player that stops', { tool: 'mcp__player__pause_playback', input: {} }),
    asks('work thrown away', { tool: 'mcp__git__git_reset', input: { mode: 'hard' } }),
    abstains('work kept', { tool: 'mcp__git__git_reset', input: { mode: 'soft' } }),
    asks('an administrator', { tool: 'mcp__github__add_collaborator', input: { permission: 'admin' } }),
    abstains('a reader', { tool: 'mcp__github__add_collaborator', input: { permission: 'pull' } }),
    asks('a mutation', { tool: 'mcp__gql__send', input: { query: 'mutation { deleteRepository(id: 1) { id } }' } }),
    asks('a deployment promoted', { tool: 'mcp__vercel__promote_deployment', input: { id: 'a' } }),
    asks('a release that is called a job', { tool: 'mcp__ci__build_job', input: { jobName: 'deploy-production' } }),
    abstains('a look at that job', { tool: 'mcp__ci__get_job', input: { jobName: 'deploy-production' } }),
    asks('money', { tool: 'mcp__stripe__create_refund', input: { amount: 5 } }),
    abstains('a look at money', { tool: 'mcp__stripe__list_refunds', input: {} }),
    asks('a dear machine', { tool: 'mcp__aws__run_instances', input: { InstanceType: 'p5.48xlarge' } }),
    abstains('a cheap one', { tool: 'mcp__aws__run_instances', input: { InstanceType: 't3.micro' } }),
    asks('a public bucket', { tool: 'mcp__s3__put_bucket_acl', input: { acl: 'public-read' } }),
    abstains('a private one', { tool: 'mcp__s3__put_bucket_acl', input: { acl: 'private' } }),
    asks('production', { tool: 'mcp__railway__deploy', input: { environment: 'production' } }),
    asks('deep in the input', { tool: 'mcp__ops__update', input: { spec: [{ namespace: 'prod' }] } }),
    asks('in arguments as JSON', { tool: 'mcp__ops__update', input: { arguments: '{"stage":"PROD"}' } }),
    abstains('arguments of no use', { tool: 'mcp__ops__update', input: { arguments: '{' } }),
    asks('a task of that name', { tool: 'mcp__ci__run_workflow', input: { workflow_id: 'deploy-prod.yml' } }),
    abstains('another task', { tool: 'mcp__ci__run_workflow', input: { workflow_id: 'products.yml' } }),
    asks('a tool of that name', { tool: 'mcp__ops__deploy_production', input: {} }),
    abstains('a branch with such a word in it', { tool: 'mcp__git__create', input: { branch: 'fix-prod' } }),
    abstains('another environment', { tool: 'mcp__railway__deploy', input: { environment: 'preview' } }),
    abstains('a look at production', { tool: 'mcp__railway__logs', input: { environment: 'production' } }),
    abstains('a text about it', { tool: 'mcp__linear__create_issue', input: { title: 'production', seen: null } }),
    asks('a name of one’s own', {
      tool: 'mcp__ops__deploy',
      input: { env: 'blue' },
      params: { targets: ['blue'] },
    }),
    abstains('where it is allowed', {
      tool: 'mcp__neon__delete_branch',
      input: {},
      params: { allowed: ['mcp__neon__delete_branch'] },
    }),
    abstains('where its server is', {
      tool: 'mcp__neon__delete_branch',
      input: {},
      params: { allowed: ['mcp__neon'] },
    }),
    {
      name: 'where the answer is to ask',
      given: { tool: 'mcp__github__delete_repository', input: {}, params: { answer: 'ask' } },
      want: 'ask',
    },
  ],
})
