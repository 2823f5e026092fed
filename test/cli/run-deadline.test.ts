import { expect, it } from 'vitest'
import { answerMsFor, answerMsLeast } from '../../src/agents/last-resort.ts'
import { limits } from '../../src/model/limits.ts'
import { answersLaterBy } from '../support/answer-wait.ts'
import { hookgate } from '../support/cli.ts'
import { policyText } from '../support/policies.ts'
import { claudeShell, clineTool } from '../support/wire.ts'
import { folderWith, rulesWith } from '../support/workspace.ts'

async function decided(
  agent: readonly string[],
  event: (root: string) => object,
  files: Parameters<typeof folderWith>[0],
) {
  const root = folderWith(files)
  return hookgate(['run', ...agent, '--rules', root], {
    stdin: JSON.stringify(event(root)),
    env: { HOME: root, ...answersLaterBy(folderWith({}), -24_000).env },
  })
}

const slow = {
  'hook.sh': { script: '#!/bin/sh\nsleep 8\n' },
  'hooks.json': rulesWith('PreToolUse', './hook.sh', { timeout: 60 }),
}
const fromCline = (root: string) => clineTool('execute_command', { command: 'ls' }, root)
const fromClaude = (root: string) => claudeShell('ls', root)

it.each([
  ['Cline', ['--agent', 'cline']],
  ['an agent that is Cline by its event', []],
])('hookgate run refuses before %s stops waiting', async (_, agent) => {
  const { stdout } = await decided(agent, fromCline, slow)
  expect(JSON.parse(stdout)).toMatchObject({
    cancel: true,
    errorMessage: expect.stringContaining('timed out after 27 s'),
  })
})

it('hookgate run refuses in time while it compiles policies for minutes', async () => {
  const weight = `let o\n${'o=1;'.repeat(200_000)}`
  const policies = Array.from(
    { length: 40 },
    (_, n) => [`policies/p${n}.policy.js`, `${weight}\n${policyText(`p${n}`)}`] as const,
  )
  const { stdout } = await decided(['--agent', 'cline'], fromCline, Object.fromEntries<string>(policies))
  expect(JSON.parse(stdout)).toMatchObject({
    cancel: true,
    errorMessage: expect.stringContaining('timed out after 27 s'),
  })
})

it('hookgate run waits for hooks as long as the agent does', async () => {
  expect(await decided(['--agent', 'claude-code'], fromClaude, slow)).toMatchObject({ stdout: '', exitCode: 0 })
})

it('`hookgate run` and the thin clients assume the same timeout for Cline', () => {
  expect([answerMsFor('cline', ''), answerMsLeast]).toEqual([limits.clientAnswerMs, limits.clientAnswerMs])
})
