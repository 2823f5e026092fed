import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { policyText } from '../support/policies.ts'
import { blocksOf } from './pages.ts'
import { type World, openWorld } from './world.ts'

let world: World
beforeAll(() => {
  world = openWorld()
})
afterAll(() => world.close())

const call = (command: string) =>
  JSON.stringify({
    hook_event_name: 'PreToolUse',
    session_id: 's',
    transcript_path: '/t',
    cwd: '/work',
    tool_name: 'Bash',
    tool_input: { command },
  })
const policy = (word: string) =>
  policyText(
    'no-word',
    `tool: 'shell',
    examples: [
      { name: 'with it', given: { tool: 'shell', input: { command: 'say ${word}' } }, want: 'deny' },
      { name: 'without', given: { tool: 'shell', input: { command: 'say' } }, want: 'abstain' },
    ],`,
    `if (tool.command === 'say ${word}') return deny('no')`,
  )

/** The commands of the workflow that the page shows, in order. */
const commands = blocksOf('docs/policy-ci.md')
  .filter(({ language }) => language === 'yaml')
  .flatMap(({ text }) => [...text.matchAll(/^ +- run: (hookgate .*)$/gm)].map(([, command = '']) => command))

describe('the workflow of docs/policy-ci.md', () => {
  const run = (folder: string) =>
    commands.map((command) => {
      const { status, stdout, stderr } = world.run(`export GITHUB_SHA=0123abc; ${command}`, folder)
      return { command: command.split(' ').slice(0, 2).join(' '), status, text: stdout + stderr }
    })

  function rulesFolder(): string {
    const folder = world.projectWith({
      'rules/hooks.json': JSON.stringify({ permissions: { deny: ['Bash(rm *)'] } }),
      'rules/policies/no-word.policy.ts': policy('xyzzy'),
      'calls.jsonl': `${call('ls')}\n${call('npm test')}\n`,
      '.gitignore': 'node_modules\n',
    })
    const git = 'git -c user.name=a -c user.email=a@b'
    // As `actions/checkout` leaves it: a commit, and no branch but the server's.
    const checkout = `git init -qb main && git add . && ${git} commit -qm rules && git remote add origin . &&
      git fetch -q && git checkout -q --detach && git branch -qD main`
    expect(world.run(checkout, folder).status).toBe(0)
    return folder
  }

  it('has four commands, which pass for good rules and make a bundle', () => {
    const steps = run(rulesFolder())
    expect(steps.map(({ command, status, text }) => [command, status, status === 0 ? '' : text])).toEqual([
      ['hookgate check', 0, ''],
      ['hookgate test', 0, ''],
      ['hookgate replay', 0, ''],
      ['hookgate bundle', 0, ''],
    ])
    expect(steps[3]?.text).toMatch(/acme\.bundle\.json\.gz: the rules and 1 file/)
  })

  it('fails for a change that refuses what has worked', () => {
    const folder = rulesFolder()
    writeFileSync(join(folder, 'rules/hooks.json'), JSON.stringify({ permissions: { deny: ['Bash(npm *)'] } }))
    expect(run(folder).map(({ status }) => status === 0)).toEqual([true, true, false, true])
  })

  it('fails for a policy that does not load', () => {
    const folder = rulesFolder()
    writeFileSync(join(folder, 'rules/policies/no-word.policy.ts'), policy('xyzzy').replace("'deny'", "'allow'"))
    expect(run(folder).map(({ status }) => status === 0)).toEqual([false, false, false, false])
  })
})
