import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { hookgate } from '../support/cli.ts'
import { policyText } from '../support/policies.ts'
import { processTag, survivors } from '../support/processes.ts'
import { claudeShell } from '../support/wire.ts'
import { folderWith, rulesWith } from '../support/workspace.ts'

const rules = 'home/.config/hookgate'
const policy = `${rules}/policies/a.policy.js`

/** A user with a policy about shell commands, and runs that all begin in one folder with the same arguments. */
function user() {
  const root = folderWith({
    'work/x': '',
    [`${rules}/hooks.json`]: rulesWith('PreToolUse', 'exit 0'),
    [policy]: policyText('a', "tool: 'shell', examples: []", "return deny('not this')"),
  })
  const state = join(root, 'state')
  const { tag, env } = processTag()
  const run = async (event: object = claudeShell('git push', join(root, 'work')), home = state) => {
    const ended = await hookgate(['run', '--agent', 'claude-code'], {
      stdin: JSON.stringify(event),
      cwd: join(root, 'work'),
      env: { ...env, HOME: join(root, 'home'), HOOKGATE_HOME: home },
    })
    expect(await survivors(tag)).toEqual([])
    return ended
  }
  const remembered = () => {
    const folder = join(state, 'sandboxed')
    return existsSync(folder) ? readdirSync(folder).length : 0
  }
  return { root, run, remembered }
}

it('a run that asked policies is remembered, until one has none; the next ones answer the same and leave no process', async () => {
  const { root, run, remembered } = user()
  const silent = { ...claudeShell('', root), tool_name: 'Read', tool_input: { file_path: join(root, 'work/x') } }
  expect((await run()).stdout).toContain('not this')
  expect(remembered()).toBe(1)
  expect((await run()).stdout).toContain('not this')
  // This event asks no policy, but the next may.
  await run(silent)
  expect(remembered()).toBe(1)
  rmSync(join(root, policy))
  expect(await run()).toMatchObject({ stdout: '', exitCode: 0 })
  expect(remembered()).toBe(0)
})

it('without a folder to remember it in, a run answers all the same', async () => {
  const { run } = user()
  expect((await run(undefined, '/dev/null/none')).stdout).toContain('not this')
})
