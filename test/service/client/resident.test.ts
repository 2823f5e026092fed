import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { entryFile, version } from '../../../src/files/program-files.ts'
import { callIn, clientsIn, runHook, standaloneScript } from '../../support/thin-client.ts'
import { folderWith } from '../../support/workspace.ts'

const bin = entryFile('cli/bin')
const clients = await clientsIn()

const policy = `import { definePolicy, deny } from 'hookgate/policy'

export default definePolicy({
  id: 'no-force-push',
  description: 'Refuses a forced push',
  on: 'PreToolUse',
  decide: ({ tool }) => (/--force/.test(tool.command ?? '') ? deny('no forced push') : undefined),
})
`

const shownEnvironment = fileURLToPath(
  new URL('../../../policies/secrets/shown-environment.policy.ts', import.meta.url),
)

function eventFor(command: string, cwd: string, more = ''): string {
  return JSON.stringify({
    session_id: 's',
    transcript_path: '',
    cwd,
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: { command, description: more },
  })
}

/** Starts a real gate with one policy. @returns it and its clients' call */
async function resident() {
  const rules = folderWith({ 'policies/no-force-push.policy.ts': policy })
  const call = { ...callIn(standaloneScript), agent: 'claude-code', version: version(), aliveMs: 10_000 }
  chmodSync(call.folder, 0o700)
  const args = ['serve', '--rules', join(rules, 'policies'), '--rules', shownEnvironment, '--no-discover']
  const env = { PATH: process.env['PATH'] ?? '', HOME: call.folder, HOOKGATE_HOME: call.folder }
  const gate = spawn(process.execPath, [bin, ...args], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(async () => {
    if (gate.exitCode !== null || gate.signalCode !== null) return
    gate.kill()
    await once(gate, 'exit')
  })
  await once(gate.stdout, 'data')
  return { gate, call }
}

describe.each(clients)('the $kind client', (client) => {
  it('prints a resident gate’s decision, for small and large events', async () => {
    const { call } = await resident()
    const refused = await runHook(client, call, eventFor('git push --force', call.folder))
    expect(JSON.parse(refused.stdout.toString())).toMatchObject({
      hookSpecificOutput: {
        permissionDecision: 'deny',
        permissionDecisionReason: expect.stringContaining('no forced') as unknown,
      },
    })
    expect([refused.exitCode, refused.stderr.toString()]).toEqual([2, expect.stringContaining('no forced push')])
    const allowed = await runHook(client, call, eventFor('npm test', call.folder, 'é'.repeat(200_000)))
    expect([allowed.exitCode, allowed.stdout.toString()]).toEqual([0, ''])
  })

  it('sends the environment of its agent, whose secrets a resident gate asks about by name', async () => {
    const { call } = await resident()
    const own = { HOME: call.folder, HOOKGATE_HOME: call.folder }
    const event = eventFor('env', call.folder)
    const asked = await runHook(client, call, event, { env: { ...own, DEPLOY_TOKEN: 'q7-horse' } })
    expect(JSON.parse(asked.stdout.toString())).toMatchObject({
      hookSpecificOutput: {
        permissionDecision: 'ask',
        permissionDecisionReason: expect.stringContaining('DEPLOY_TOKEN') as unknown,
      },
    })
    expect(asked.stdout.toString()).not.toContain('q7-horse')
    const passed = await runHook(client, call, event, { env: own })
    expect([passed.exitCode, passed.stdout.toString()]).toEqual([0, ''])
  })

  it('starts its own process where the gate has another version', async () => {
    const { call } = await resident()
    const event = eventFor('git push --force', call.folder)
    const ended = await runHook(client, { ...call, version: '0.0.0' }, event)
    expect(ended.stdout.toString()).toBe(`alone:${event}`)
  })

  it('gives every event one answer while the gate is killed', async () => {
    const { gate, call } = await resident()
    const event = eventFor('git push --force', call.folder)
    const runs = Array.from({ length: 40 }, async (_each, at) => {
      if (at === 20) gate.kill('SIGKILL')
      return runHook(client, call, event)
    })
    const outputs = (await Promise.all(runs)).map(({ stdout }) => stdout.toString())
    const byGate = outputs.filter((text) => text.includes('"permissionDecision":"deny"') && !text.startsWith('alone:'))
    const alone = outputs.filter((text) => text === `alone:${event}`)
    expect(byGate.length + alone.length).toBe(40)
    expect(alone.length).toBeGreaterThan(0)
  })
})
