import { describe, expect, it } from 'vitest'
import { isOpening } from '../../../policies/infrastructure/mcp-access.ts'
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
]

const neighbours: readonly Case[] = [
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
]

describe('an MCP call that opens access', () => {
  it.each(dangers)('is %s with such arguments', (tool, input) => {
    expect(isOpening(tool.split(' '), input)).toBe(true)
  })

  it.each(neighbours)('is not %s with harmless ones', (tool, input) => {
    expect(isOpening(tool.split(' '), input)).toBe(false)
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
