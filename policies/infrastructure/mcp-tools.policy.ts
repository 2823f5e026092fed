import { abstains, asks, definePolicy, denies, type Impact, namesOneOf, namesTrial } from 'hookgate/policy'
import { params, targets } from './cli/judge.ts'
import { judge } from './impacts.ts'

/** True for what anybody may do where nobody's work depends on it. */
const isTry = ({ kind, thing, undo, targets: places }: Impact) =>
  undo === 'work' &&
  thing !== 'money' &&
  ['delete', 'revoke', 'stop', 'restart', 'rollback', 'deploy'].includes(kind) &&
  Object.values(places).flat().some(namesTrial)

/** True for a change that is easily undone, in no place that counts as production. */
const isNothing = ({ undo, targets: places }: Impact, production: readonly string[]) =>
  undo === 'easily' &&
  !Object.entries(places).some(([field, texts]) =>
    texts.some((text) => (field === 'branch' ? production.includes(text) : namesOneOf(text, production))),
  )

export default definePolicy({
  id: 'mcp-tools',
  severity: 'high',
  description: 'Stops MCP tools that delete what lasts; asks about other deletions, payments and changes of production',
  on: 'PreToolUse',
  tool: 'mcp',
  interest: { impacts: ['mcp-tools'] },
  params: { ...params, targets },
  decide: ({ impacts, params: given }) =>
    judge(impacts, 'mcp-tools', given, (impact) => isTry(impact) || isNothing(impact, given.targets)),
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
