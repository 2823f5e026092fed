import { onTestFinished, describe, expect, it } from 'vitest'
import { createGate } from '../../src/index.ts'
import type { JsonObject } from '../../src/model/json.ts'
import { folderWith } from '../support/workspace.ts'

/** Opens a gate with the preset `recommended`, which is asked in place of an agent. */
function openDecisions(): (name: string, input: JsonObject) => Promise<string> {
  const folder = folderWith({ 'hooks.json': JSON.stringify({ preset: 'recommended' }) })
  const gate = createGate({
    rules: [`${folder}/hooks.json`],
    discover: false,
    home: '/home/u',
    env: { HOME: '/home/u' },
  })
  onTestFinished(() => gate.close())
  return async (name, input) => {
    const wire = {
      session_id: 's',
      transcript_path: '/dev/null',
      cwd: '/home/u/proj',
      hook_event_name: 'PreToolUse',
      tool_name: name,
      tool_input: input,
    }
    return (await gate.decide(await gate.decode(JSON.stringify(wire), { agent: 'claude-code' }))).decision
  }
}

describe('an MCP tool is no way around the policies on the tools that it replaces', () => {
  it.each([
    ['a command', 'mcp__term__execute', { command: 'rm -rf ~/Documents' }],
    ['a private key that is read', 'mcp__fs__read_file', { path: '/home/u/.ssh/id_rsa' }],
    ['a start-up file that is written', 'mcp__fs__write_file', { path: '~/.bashrc', content: 'x' }],
    ['the metadata service', 'mcp__web__navigate', { url: 'http://169.254.169.254/latest/meta-data/' }],
  ])('%s', async (_, name, input) => {
    const decisionOn = openDecisions()
    expect(await decisionOn(name, input)).toBe('deny')
  })

  it('also where a harmless call of the same tool came first', async () => {
    const decisionOn = openDecisions()
    expect(await decisionOn('mcp__any__call', { topic: 'a' })).not.toBe('deny')
    expect(await decisionOn('mcp__any__call', { command: 'rm -rf ~/Documents' })).toBe('deny')
  })

  it('while the same tools do harmless work', async () => {
    const decisionOn = openDecisions()
    expect(await decisionOn('mcp__term__execute', { command: 'ls' })).not.toBe('deny')
    expect(await decisionOn('mcp__fs__read_file', { path: 'README.md' })).not.toBe('deny')
  })
})
