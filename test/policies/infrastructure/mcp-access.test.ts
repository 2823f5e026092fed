import { describe, expect, it } from 'vitest'
import { isOpening } from '../../../policies/infrastructure/mcp-access.ts'

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
