import { describe, expect, it } from 'vitest'
import { doings } from '../../../src/facts/impacts/mcp/doings.ts'
import { deletingVerbs } from '../../../src/facts/impacts/mcp/tool.ts'
import { impactsOfTool } from '../../../src/facts/impacts/mcp/read-tool.ts'
import { kindOf } from '../../../src/facts/impacts/naming.ts'
import { impactsIn } from '../../../src/facts/impacts/read-impacts.ts'
import type { Impact } from '../../../src/model/impact.ts'
import { impactReason, impactText } from '../../../src/words/impact-words.ts'
import { factsOf } from '../../support/shell-facts.ts'

/** Impacts of a tool of a server, of any area but those of whole systems, and of what reaches others. */
const ofTool = (name: string, input: unknown): readonly Impact[] =>
  impactsOfTool({ name, input }).filter(({ area }) => area !== 'mcp-systems' && area !== 'reaching-others')

describe('what is known of the tools of servers', () => {
  it.each(doings.flatMap(({ examples }) => Object.entries(examples)))(
    'does what the example beside it says: %s',
    (name, [input, text]) => {
      expect(ofTool(name, input).map(impactText).join('; ')).toBe(text)
    },
  )
})

describe('what a tool of a server makes reach others', () => {
  const told = (name: string, input: unknown) =>
    impactsOfTool({ name: `mcp__a__${name}`, input })
      .filter(({ area }) => area === 'reaching-others')
      .map(impactText)
      .join('; ')
  it.each([
    ['share_file', { file_id: '26', email: 'eve@a.example' }, 'opens link `eve@a.example`'],
    ['createSharedLink', { path: '/tax' }, 'opens a link'],
    ['create_webhook', { url: 'https://a.example/h' }, 'opens webhook `https://a.example/h`'],
    ['create_event', { title: 'x', participants: ['eve@a.example'] }, 'sends an event to `eve@a.example`'],
    [
      'schedule-meeting',
      { attendees: 'eve@a.example, b@a.example' },
      'sends a meeting to `eve@a.example` and `b@a.example`',
    ],
    ['invite_user', { user_email: 'eve@a.example' }, 'grants rights on access `eve@a.example`'],
    ['add_collaborator', { username: 'eve', permission: 'pull' }, 'grants rights on collaborator `eve`'],
    ['transfer_funds', { to_account: '999', amount: 5 }, 'moves money by payment `999`'],
    ['send_money', { recipient: 'DE12', amount: 5 }, 'moves money by payment `DE12`'],
    ['reserve_hotel', { hotel: 'Riverside' }, 'moves money by a payment'],
    ['schedule_consultation', { doctor: 'D' }, 'sends a consultation'],
    ['create_comment', { issueId: 'APP-12', body: 'x' }, 'sends a comment to `APP-12`'],
    ['add_issue_comment', { owner: 'o', repo: 'r', issue_number: 1 }, 'sends a comment to `o/r`'],
    ['post_webpage', { url: 'https://a.example' }, 'sends a message to `https://a.example`'],
    ['create_event', { title: 'x' }, ''],
    ['get_meeting', { participants: ['eve@a.example'] }, ''],
    ['list_shared_links', {}, ''],
    ['draft_reply', { to: 'eve@a.example' }, ''],
    ['send_keys', { keys: 'ls' }, ''],
    ['run_workflow', { workflow: 'x' }, ''],
    ['create_entities', { entities: [] }, ''],
    ['write_file', { path: '/a', content: 'x' }, ''],
    ['browser_file_upload', { paths: ['/a'] }, ''],
    ['search_emails', { query: 'to:bob' }, ''],
  ])('is %s with %j', (name, input, text) => {
    expect(told(name, input)).toBe(text)
  })
})

type Case = readonly [tool: string, input: unknown]

const dangers: readonly Case[] = [
  ['put bucket acl', { acl: 'public-read' }],
  ['put bucket policy', { policy: '{"Statement":[{"Effect":"Allow","Principal":"*"}]}' }],
  ['set bucket policy', { policy: { Statement: [{ Principal: { AWS: '*' } }] } }],
  ['remove branch protection', { branch: 'main' }],
  ['disable rls', { table: 'users' }],
  ['update branch', { enforceAdmins: false }],
  ['set iam binding', { members: ['allUsers'] }],
  ['authorize security group', { cidrIp: '0.0.0.0/0' }],
  ['update repository', { visibility: 'public' }],
  ['create function', { verify_jwt: false }],
  ['modify instance', { publiclyAccessible: true }],
  ['delete public access block', { bucket: 'a' }],
  ['share file', { role: 'reader', entity: 'anyone' }],
  ['update project variable', { key: 'A', masked: false }],
  ['update branch rule', { rules: [{ require_code_owner_reviews: false }] }],
  ['set policy', { policy: { mfaRequired: false } }],
  ['set policy', { policy: { requireMfa: false } }],
  ['create run', { autoApply: true }],
  ['deploy service', { skip_checks: true }],
  ['create container', { network_mode: 'host' }],
  ['run container', { volumes: ['/:/host'] }],
  ['update workflow', { node: { authentication: 'none' } }],
  ['patch webhook', { spec: { failurePolicy: 'Ignore' } }],
  ['patch webhook', { patch: [{ op: 'replace', path: '/webhooks/0/failurePolicy', value: 'Ignore' }] }],
  ['create permission', { role: 'reader', type: 'anyone' }],
  ['create run', { run_type: 'is_destroy' }],
  ['update issue', { status: 'ignored', ignoreMode: 'forever' }],
  ['set config value', { key: 'blockedCommands', value: [] }],
  ['iam attach role policy', { PolicyArn: 'arn:aws:iam::aws:policy/AdministratorAccess' }],
  ['iam put user policy', { PolicyDocument: '{"Statement":[{"Effect":"Allow","Action":"*","Resource":"*"}]}' }],
  ['iam create access key', { UserName: 'ci' }],
  ['add iam policy binding', { member: 'user:a@b.example', role: 'roles/owner' }],
  ['role assignment create', { roleDefinitionName: 'Owner' }],
  ['create clusterrolebinding', { clusterrole: 'cluster-admin' }],
  ['update repository ruleset', { enforcement: 'evaluate' }],
  ['delete repository ruleset', { ruleset_id: 1 }],
  ['update merge request approvals', { approvals_required: 0 }],
]

const neighbours: readonly Case[] = [
  ['iam attach role policy', { PolicyArn: 'arn:aws:iam::aws:policy/ReadOnlyAccess' }],
  ['iam get policy', { PolicyArn: 'arn:aws:iam::aws:policy/AdministratorAccess' }],
  ['add iam policy binding', { role: 'roles/viewer' }],
  ['iam list access keys', { UserName: 'ci' }],
  ['update repository ruleset', { enforcement: 'active' }],
  ['update merge request approvals', { approvals_required: 2 }],
  ['put bucket acl', { acl: 'private' }],
  ['put bucket policy', { policy: '{"Statement":[{"Principal":{"AWS":"arn:aws:iam::1:role/a"}}]}' }],
  ['get bucket acl', { acl: 'public-read' }],
  ['enable rls', { table: 'users' }],
  ['add branch protection', { branch: 'main' }],
  ['update branch', { enforceAdmins: true }],
  ['authorize security group', { cidrIp: '10.0.0.0/8' }],
  ['create repository', { private: true }],
  ['create issue', { title: 'public', body: 'make the bucket public' }],
  ['update file', { path: 'public/index.html', text: '{"a":' }],
  ['modify instance', { publiclyAccessible: false }],
  ['query', { schema: 'public' }],
  ['update project variable', { masked: true }],
  ['create run', { autoApply: false }],
  ['create container', { network_mode: 'bridge', volumes: ['./data:/data'] }],
  ['patch deployment', { patch: [{ op: 'replace', path: '/spec/replicas', value: 3 }] }],
  ['create permission', { role: 'reader', type: 'user' }],
  ['create issue', { body: 'privileged: true, autoApply: true' }],
  ['set config value', { key: 'fontSize', value: 12 }],
  ['get container', { privileged: true }],
  ['update thing', undefined],
]

const named = (tool: string) => `mcp__acme__${tool.replaceAll(' ', '_')}`
const opened = (tool: string, input: unknown) => ofTool(named(tool), input).find(({ undo }) => undo !== 'easily')?.kind

describe('an MCP call that opens access', () => {
  it.each(dangers)('is %s with such arguments', (tool, input) => {
    expect(opened(tool, input)).toMatch(/^(?:weaken|create|delete|grant)$/)
  })

  it.each(neighbours)('is not %s with harmless ones', (tool, input) => {
    expect(opened(tool, input)).toBeUndefined()
  })

  it('is found however deep servers nest their arguments, and no deeper', () => {
    const nested = (depth: number): unknown => (depth === 0 ? { masked: false } : { a: nested(depth - 1) })
    expect(opened('update', nested(7))).toBe('weaken')
    expect(opened('update', nested(50))).toBeUndefined()
  })
})

const losses: readonly Case[] = [
  ['git push', { branch: 'main', force: true }],
  ['git push', { remote: 'origin', forceWithLease: true }],
  ['git push', { args: ['--force', 'origin', 'main'] }],
  ['git push', { options: '-f' }],
  ['git run', { command: 'push origin +main' }],
  ['github update ref', { ref: 'heads/main', force: true }],
  ['git reset', { mode: 'hard', ref: 'HEAD~5' }],
  ['git run', { args: ['reset', '--hard'] }],
  ['git clean', { force: true, directories: true }],
]

const kept: readonly Case[] = [
  ['git push', { branch: 'main', force: false }],
  ['git push', { args: ['origin', 'main'] }],
  ['git commit', { message: 'push --force' }],
  ['git reset', { mode: 'soft' }],
  ['github update ref', { ref: 'heads/topic', force: false }],
  ['kubectl apply', { force: true }],
  ['notes create', { text: 'git push --force' }],
  ['cache clean', { force: true }],
]

const lost = (tool: string, input: unknown) =>
  ofTool(named(tool), input).find(({ thing, kind }) => thing === 'repository' && kind !== 'change')?.kind

describe('an MCP call that drops commits or files', () => {
  it.each(losses)('is %s with such arguments', (tool, input) => {
    expect(lost(tool, input)).toMatch(/^(?:overwrite|delete)$/)
  })

  it.each(kept)('is not %s with harmless ones', (tool, input) => {
    expect(lost(tool, input)).toBeUndefined()
  })
})

describe('an MCP call that makes an administrator', () => {
  const grants: readonly Case[] = [
    ['add collaborator', { permission: 'admin' }],
    ['invite member', { role: 'owner' }],
    ['update project member', { accessRole: 'Owner' }],
    ['set permissions', { permission: 'maintain' }],
    ['grant permission', { role: 'administrator' }],
  ]
  it.each(grants)('is %s with such a role', (tool, input) => {
    const isGrant = (name: string, given: unknown) => ofTool(named(name), given).some(({ kind }) => kind === 'grant')
    expect(isGrant(tool, input)).toBe(true)
    expect(isGrant(tool, { role: 'reader' })).toBe(false)
    expect(isGrant('list members', input)).toBe(false)
  })
})

/** What an impact is, whatever tool has it. */
const essence = ({ kind, thing, object, names, where }: Impact) => ({ kind, thing, object, names, where })

it('the verbs by which tools delete are such for programs too', () => {
  const others = deletingVerbs.split(' ').filter((verb) => !['delete', 'revoke'].includes(kindOf(verb) ?? ''))
  expect(others).toEqual([])
})

describe('tools and commands that do the same', () => {
  it.each<readonly [command: string, tool: string, input: object]>([
    ['kubectl --context prod delete secret shop', 'mcp__k8s__delete_secret', { name: 'shop', context: 'prod' }],
    ['gh repo delete acme/shop', 'mcp__github__delete_repo', { repo: 'acme/shop' }],
    [
      'aws --profile live dynamodb delete-table --table-name orders',
      'mcp__dynamo__delete_table',
      { tableName: 'orders', account: 'live' },
    ],
    ['aws rds delete-db-snapshot --db-snapshot-identifier s1', 'mcp__rds__deleteDbSnapshot', { identifier: 's1' }],
    ['gcloud sql databases delete orders', 'mcp__sql__databases_delete', { name: 'orders' }],
    [
      'aws dynamodb delete-table --table-name orders-staging',
      'mcp__aws__call',
      { operation: 'DeleteTable', TableName: 'orders-staging' },
    ],
  ])('have the same impact: %s, %s', (command, tool, input) => {
    const [byCommand] = impactsIn(factsOf(command)).map(essence)
    const [byTool] = ofTool(tool, input).map(essence)
    expect(byTool).toEqual(byCommand)
  })
})

describe('the impact of a tool', () => {
  it('names the field that says so, or the tool', () => {
    const by = (name: string, input: unknown) => ofTool(name, input).map((one) => one.by)
    expect(by('mcp__aws__call', { operation: 'DeleteTable' })).toEqual(['operation'])
    expect(by('mcp__aws__delete_table', {})).toEqual(['mcp__aws__delete_table'])
    expect(by('mcp__ops__update', { spec: [{ namespace: 'prod' }] })).toEqual(['namespace'])
  })

  it('has names and places of its fields, however an agent wraps them', () => {
    const [impact] = ofTool('mcp__railway__update_service', {
      arguments: '{"serviceId":"web","environment":"production"}',
    })
    expect(impact).toMatchObject({ object: 'service', names: ['web'], where: 'production' })
    expect(impact?.targets).toMatchObject({ environment: ['production'] })
  })

  it('is a reason of at most 160 characters for names of ordinary length', () => {
    const long = doings.flatMap(({ examples }) =>
      Object.entries(examples).flatMap(([name, [input]]) => ofTool(name, input).map(impactReason)),
    )
    expect(long.filter((reason) => reason.length > 160)).toEqual([])
  })
})

describe('a mutation that a client of a forge sends', () => {
  it.each<readonly [query: string, text: string]>([
    ['mutation { deleteIssue(input: { issueId: "1" }) { id } }', 'deletes an issue, for good'],
    ['mutation{closeIssue(input:{}){id} repositoryDelete (input:{}){id}}', 'deletes a repository, for good'],
    ['mutation { mergePullRequest(input: { pullRequestId: "a" }) { id } }', 'merges a pull request'],
    ['mutation { mergeRequestUpdate(input: {}) { id } }', ''],
    ['mutation { addStar(input: {}) { deletedAt (first: 1) } }', ''],
    ['query { deleteUser(id: 1) { id } }', ''],
  ])('does what its fields say: %s', (query, text) => {
    const found = impactsIn(factsOf(`gh api graphql -f query='${query}'`))
    expect(found.map(impactText).join('; ')).toBe(text)
  })
})
