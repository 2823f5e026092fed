import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, describe, expect, it } from 'vitest'
import { placesFor, readRules } from '../../src/rules/index.ts'
import { openToolFacts } from '../../src/facts/tool-call.ts'
import { openPolicyLoader } from '../../src/policy/compile/policy-loader.ts'
import { openSandbox } from '../../src/policy/open-sandbox.ts'
import { hookgateHere as hookgate } from '../support/cli.ts'
import { policyText } from '../support/policies.ts'
import { folderWith } from '../support/workspace.ts'
import { join } from 'node:path'
import { parseJsonObject } from '../../src/model/json.ts'

const own = policyText(
  'own',
  "params: { branches: { type: 'strings', default: ['main'], description: 'Guarded.' }, max: { type: 'number', default: 1, maximum: 9 } },",
)
const hook = (more: object) => ({ hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [more] }] } })
const command = (more: object = {}) => hook({ type: 'command', command: './guard.sh', ...more })
const policy = (more: object = {}) => hook({ type: 'policy', policy: './own.policy.ts', ...more })

const sandbox = openSandbox('process', openToolFacts())
const policies = openPolicyLoader(sandbox)
afterAll(() => sandbox.close())

let schema: Promise<(file: object) => boolean> | undefined
/** Whether the schema accepts a file. */
async function accepts(file: object): Promise<boolean> {
  schema ??= hookgate(['schema', join(folderOf({}), 'own.policy.ts')]).then(({ stdout }) =>
    new Ajv2020({ strict: false }).compile(parseJsonObject(stdout) ?? {}),
  )
  return (await schema)(file)
}

function folderOf(file: object): string {
  return folderWith({ 'hooks.json': { json: file }, 'own.policy.ts': own, 'other.policy.ts': policyText('other') })
}

/** Whether the loader accepts a file. */
async function loads(file: object): Promise<boolean> {
  const explicit = [join(folderOf(file), 'hooks.json')]
  const read = await readRules(placesFor({ explicit, discover: false, env: {} }), [], policies)
  read.release()
  return read.errors.length === 0
}

describe('the schema of the rules file', () => {
  it.each([
    [
      'a command with every key',
      command({ timeout: 5, onFailure: 'ask', if: 'Bash(git *)', dialect: 'cline', async: true, once: true }),
    ],
    ['one with arguments', command({ args: ['a'] })],
    ['$schema and a description', { $schema: './hooks.schema.json', description: 'x', hooks: {} }],
    ['nothing but a switch', { disableAllHooks: true }],
    ['the names that Cline has for events', { hooks: { TaskStart: [{ hooks: [{ type: 'command', command: 'x' }] }] } }],
    ['a policy', policy()],
    ['one with params', policy({ params: { branches: [], max: 9 }, onFailure: 'continue', if: 'Bash(x)' })],
    ['one that is shipped', hook({ type: 'policy', policy: 'hookgate/no-force-push' })],
    ['permissions, and nothing else', { permissions: { deny: ['Bash(curl *)'], allow: [] } }],
    ['a pack, and nothing else', { packs: [{ pack: 'git-safety' }] }],
    [
      'a pack with every key',
      {
        hooks: {},
        packs: [
          { pack: 'git-safety', params: { protectedBranches: ['x'] }, disable: ['force-push'], onFailure: 'ask' },
        ],
      },
    ],
    ['no packs', { packs: [] }],
    ['one that is not described', hook({ type: 'policy', policy: './other.policy.ts' })],
  ])('accepts what loads: %s', async (_, file) => {
    expect({ schema: await accepts(file), load: await loads(file) }).toEqual({ schema: true, load: true })
  })

  it.each([
    ['no rules', {}],
    ['an unknown key', { hooks: {}, hook: {} }],
    ['an unknown event', { hooks: { PreTolUse: [] } }],
    ['an event that only another agent has', { hooks: { PreToolUse: [], BeforeTool: [] } }],
    ['a group that is no list', { hooks: { PreToolUse: {} } }],
    ['a group without hooks', { hooks: { PreToolUse: [{ matcher: 'Bash' }] } }],
    ['a hook without a type', hook({ command: 'x' })],
    ['a hook of an agent alone', hook({ type: 'http', url: 'https://example.com' })],
    ['a misspelt key', command({ onfailure: 'ask' })],
    ['a misspelt word', command({ onFailure: 'blok' })],
    ['a command of nothing', command({ command: ' ' })],
    ['a timeout of nothing', command({ timeout: 0 })],
    ['a policy of nothing', policy({ policy: '' })],
    ['a policy with a command', policy({ command: 'x' })],
    ['a policy with a timeout', policy({ timeout: 1 })],
    ['a misspelt param', policy({ params: { branchs: [] } })],
    ['a param of another kind', policy({ params: { branches: 'main' } })],
    ['a param beyond its bounds', policy({ params: { max: 10 } })],
    ['a pack that is not shipped', { packs: [{ pack: 'none-of-the-kind' }] }],
    ['a pack of nothing', { packs: [{}] }],
    ['a pack by its name alone', { packs: ['git-safety'] }],
    ['a misspelt key of a pack', { packs: [{ pack: 'git-safety', parms: {} }] }],
    ['a misspelt param of a pack', { packs: [{ pack: 'git-safety', params: { protectedBranch: [] } }] }],
    ['a param of a pack of another kind', { packs: [{ pack: 'git-safety', params: { protectedBranches: 'main' } }] }],
    ['a rule that a pack does not have', { packs: [{ pack: 'git-safety', disable: ['force-pull'] }] }],
    ['a policy that is not shipped', hook({ type: 'policy', policy: 'hookgate/none-of-the-kind' })],
    [
      'a param that a shipped policy does not have',
      hook({ type: 'policy', policy: 'hookgate/no-force-push', params: { x: 1 } }),
    ],
  ])('rejects what does not load: %s', async (_, file) => {
    expect({ schema: await accepts(file), load: await loads(file) }).toEqual({ schema: false, load: false })
  })

  it('describes every key, and the params of policies', async () => {
    const { stdout } = await hookgate(['schema', join(folderOf({}), 'own.policy.ts')])
    expect(stdout).toMatch('"Guarded."')
    expect(stdout).toMatch('https://json-schema.org/draft/2020-12/schema')
    expect(stdout.match(/"description": "/g)?.length).toBeGreaterThan(20)
  })

  it('is refused for a policy that does not load', async () => {
    const folder = folderWith({ 'x.policy.ts': 'export default 1' })
    expect(await hookgate(['schema', join(folder, 'x.policy.ts')])).toMatchObject({
      exitCode: 1,
      stdout: '',
      stderr: expect.stringMatching(/x\.policy\.ts:1:1/),
    })
  })
})
