import { describe, expect, it } from 'vitest'
import { openedBy } from '../../../policies/infrastructure/mcp-access.ts'
import { gitLoss, isGrant } from '../../../policies/infrastructure/mcp-doings.ts'

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

describe('an MCP call that opens access', () => {
  it.each(dangers)('is %s with such arguments', (tool, input) => {
    expect(openedBy(tool.split(' '), input)).toBeDefined()
  })

  it.each(neighbours)('is not %s with harmless ones', (tool, input) => {
    expect(openedBy(tool.split(' '), input)).toBeUndefined()
  })

  it('is found however deep servers nest their arguments, and no deeper', () => {
    const nested = (depth: number): unknown => (depth === 0 ? { masked: false } : { a: nested(depth - 1) })
    expect(openedBy(['update'], nested(7))).toBe('masked: false')
    expect(openedBy(['update'], nested(50))).toBeUndefined()
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

describe('an MCP call that drops commits or files', () => {
  it.each(losses)('is %s with such arguments', (tool, input) => {
    expect(gitLoss(tool.split(' '), input)).toBeDefined()
  })

  it.each(kept)('is not %s with harmless ones', (tool, input) => {
    expect(gitLoss(tool.split(' '), input)).toBeUndefined()
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
    expect(isGrant(tool.split(' '), input)).toBe(true)
    expect(isGrant(tool.split(' '), { role: 'reader' })).toBe(false)
    expect(isGrant(['list', 'members'], input)).toBe(false)
  })
})
