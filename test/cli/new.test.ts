import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { agentNames, eventSpellings } from '../../src/agents/registry.ts'
import { hookgateHere as hookgate, hookgate as spawned } from '../support/cli.ts'
import { withoutPrivileges } from '../support/without-privileges.ts'
import { claudeShell, clineTool } from '../support/wire.ts'
import { folderWith } from '../support/workspace.ts'

const tsc = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url))

const testOf = (file: string, ...flags: string[]) => {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  return spawnSync(process.execPath, [...flags, file], { encoding: 'utf8', env })
}

const clineEvents = eventSpellings('cline').filter((event) => event !== 'PreToolUse')

describe('hookgate new hook', () => {
  it.each(['node', 'bash', 'python'])(
    'creates a hook in %s that passes its own test and `hookgate check`',
    async (language) => {
      const root = folderWith()
      const made = await hookgate(['new', 'hook', 'no-force-push', '--language', language], { cwd: root })
      expect(made).toMatchObject({ exitCode: 0, stderr: '' })
      const test = testOf(join(root, '.hookgate/hooks/no-force-push.test.mjs'), '--test')
      expect([test.status, test.stdout]).toEqual([0, expect.stringContaining('pass 2')])
      expect((await hookgate(['check'], { cwd: root })).stdout).toContain('no mistakes found in 1 hook\n')
    },
  )

  it.each(agentNames.filter((agent) => agent !== 'cline'))(
    'creates one in the protocol of %s that passes its own test, and is denied through Claude Code',
    async (agent) => {
      const root = folderWith()
      const made = await hookgate(['new', 'hook', 'no-force-push', '--agent', agent], { cwd: root })
      expect(made).toMatchObject({ exitCode: 0, stderr: '' })
      const test = testOf(join(root, '.hookgate/hooks/no-force-push.test.mjs'))
      expect([test.status, test.stdout]).toEqual([0, expect.stringContaining('pass 2')])
      expect((await hookgate(['check'], { cwd: root })).stdout).toContain('no mistakes found in 1 hook\n')
      const ended = await hookgate(['run', '--trust-workspace'], {
        stdin: JSON.stringify(claudeShell('cd sub && git -C . push -f origin main', root)),
      })
      expect(ended).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--force-with-lease') })
    },
  )

  it.each(['node', 'bash', 'python'])(
    'creates an executable file named after the event for Cline (%s)',
    async (language) => {
      const root = folderWith()
      await hookgate(['new', 'hook', 'PreToolUse', '--agent', 'cline', '--language', language], { cwd: root })
      expect(testOf(join(root, '.clinerules/hooks/PreToolUse.test.mjs')).status).toBe(0)
      const ended = await hookgate(['run', '--trust-workspace'], {
        stdin: JSON.stringify(clineTool('execute_command', { command: 'git push --force' }, root)),
      })
      expect(JSON.parse(ended.stdout)).toMatchObject({ cancel: true })
    },
  )

  it('overwrites nothing, and shows the rule to add to an existing rules file', async () => {
    const root = folderWith({ '.hookgate/hooks.json': '{"hooks":{}}' })
    const made = await hookgate(['new', 'hook', 'mine'], { cwd: root })
    expect(made.stdout).toContain('add to .hookgate/hooks.json:')
    expect(made.stdout).toContain('"id": "mine"')
    const other = await hookgate(['new', 'hook', 'My.Hook'], { cwd: root })
    expect(other.stdout).not.toContain('"id"')
    expect(readFileSync(join(root, '.hookgate/hooks.json'), 'utf8')).toBe('{"hooks":{}}')
    expect(await hookgate(['new', 'hook', 'mine'], { cwd: root })).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('the file already exists'),
    })
  })

  it.each([
    [['hook'], 'takes one name'],
    [['gate', 'x'], 'cannot create a `gate`'],
    [['hook', '../x'], 'not a valid file name'],
    [['hook', 'third', '--agent', 'cline'], 'Cline calls a hook by its event: name it `PreToolUse`, not `third`'],
    ...clineEvents.map((event) => [
      ['hook', event, '--agent', 'cline'],
      `there is no template for \`${event}\`, only for \`PreToolUse\``,
    ]),
    [['hook', 'x', '--agent', 'emacs'], 'is not an agent that hookgate knows'],
    [['hook', 'x', '--language', 'cobol'], '`node`, `bash` or `python`'],
  ] as [string[], string][])('refuses %j and says why', async (argv, why) => {
    const root = folderWith()
    expect(await hookgate(['new', ...argv], { cwd: root })).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining(why),
    })
  })
})

describe('hookgate new policy', () => {
  it.each([
    [[], 'no-generated-files.policy.ts'],
    [['--js'], 'no-generated-files.policy.js'],
    [['--tool', 'shell'], 'no-generated-files.policy.ts'],
  ])('with %j creates a policy whose examples cover it completely and kill every mutant', async (argv, file) => {
    const root = folderWith()
    const made = await hookgate(['new', 'policy', 'no-generated-files', ...argv], { cwd: root })
    expect(made).toMatchObject({ exitCode: 0, stderr: '' })
    expect(made.stdout).toContain(`next: hookgate test .hookgate/policies/${file}`)
    const tested = await hookgate(['test', '--strict', '--json'], { cwd: root })
    const mutants = { made: expect.any(Number), survived: 0 }
    expect(JSON.parse(tested.stdout)).toMatchObject({ passed: true, totals: { policies: 1, failed: 0, mutants } })
    expect(tested.exitCode).toBe(0)
  })

  it('can be type-checked where hookgate is not a dependency', async () => {
    const root = folderWith()
    await hookgate(['new', 'policy', 'a', '--dir', 'project'], { cwd: root })
    await hookgate(['new', 'policy', 'b', '--dir', 'project', '--js', '--tool', 'shell'], { cwd: root })
    const folder = join(root, 'project/.hookgate/policies')
    const check = () => spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' })
    expect(check()).toMatchObject({ stdout: '', status: 0 })
    const text = readFileSync(join(folder, 'a.policy.ts'), 'utf8').replace('params.folder', 'params.folders')
    writeFileSync(join(folder, 'a.policy.ts'), text)
    expect(check().stdout).toContain('folders')
  })

  it('adds no types where hookgate is a dependency, and leaves a tsconfig.json unchanged', async () => {
    const dependency = {
      'node_modules/hookgate/package.json': { json: { exports: { './policy': './policy.js' } } },
      'node_modules/hookgate/policy.js': '',
    }
    const installed = folderWith(dependency)
    await hookgate(['new', 'policy', 'a'], { cwd: installed })
    expect(existsSync(join(installed, '.hookgate/policies/tsconfig.json'))).toBe(false)
    const own = folderWith({ '.hookgate/policies/tsconfig.json': '{}' })
    await hookgate(['new', 'policy', 'a'], { cwd: own })
    expect(readFileSync(join(own, '.hookgate/policies/tsconfig.json'), 'utf8')).toBe('{}')
  })

  it('overwrites nothing', async () => {
    const root = folderWith({ '.hookgate/policies/a.policy.js': '// mine' })
    const again = await hookgate(['new', 'policy', 'a'], { cwd: root })
    expect(again).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('the file already exists') })
    expect(readdirSync(join(root, '.hookgate/policies'))).toEqual(['a.policy.js'])
  })

  it.each([
    [['policy'], 'takes one name'],
    [['policy', 'A_b'], '`A_b` is not a valid policy name; write it like `no-force-push`'],
    [['policy', '../x'], 'is not a valid policy name'],
    [['policy', 'x', '--tool', 'mcp'], '--tool must be `write` or `shell`, not `mcp`'],
  ])('refuses %j and says why', async (argv, why) => {
    const root = folderWith()
    expect(await hookgate(['new', ...argv], { cwd: root })).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining(why),
    })
  })
})

describe('hookgate new where it cannot write', () => {
  const making = [
    ['policy', 'x'],
    ['hook', 'x'],
    ['hook', 'PreToolUse', '--agent', 'cline'],
  ]
  const dropped = withoutPrivileges()

  it.each(making)('names the folder and a remedy: new %s %s', async (...argv) => {
    const root = folderWith({ 'open/.hookgate': 'a file', 'open/.clinerules': 'a file' })
    const ended = await hookgate(['new', ...argv], { cwd: join(root, 'open') })
    expect(ended).toMatchObject({ exitCode: 1, stdout: '' })
    expect(ended.stderr).toMatch(
      /^hookgate: \/.*\/open\/\.(hookgate|clinerules)\/[a-z]+: the folder cannot be created \(E[A-Z]+\); .*\n$/,
    )
  })

  it.runIf(process.platform === 'linux').each(making)(
    'where the system cannot create folders: new %s %s',
    async (...argv) => {
      const ended = await hookgate(['new', ...argv, '--dir', '/proc/none'])
      expect(ended).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('cannot be created (ENOENT)') })
    },
  )

  it.skipIf(dropped === undefined)('names the permission that is missing', async () => {
    const root = folderWith({ x: '' })
    chmodSync(root, 0o555)
    const ended = await spawned(['new', 'hook', 'x'], { cwd: root, env: { HOME: root }, behind: dropped ?? [] })
    expect(ended).toMatchObject({ exitCode: 1, stdout: '' })
    expect(ended.stderr).toMatch(
      /: the folder cannot be created \(EACCES\); check that you may write there, or choose another/,
    )
  })
})
