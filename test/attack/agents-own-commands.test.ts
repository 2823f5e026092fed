import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/model/json.ts'
import { decoded } from '../support/agent-verdicts.ts'
import { protectedUser } from '../support/self-protection.ts'

/** A call of the tool by which OpenClaw's own helper changes its settings. */
const helped = (params: JsonObject) => {
  const { tool } = decoded('openclaw', {
    type: 'before_tool_call',
    agent: 'openclaw',
    clawSession: 'agent:openclaw:openclaw-1',
    cwd: '/home/someone/project',
    toolName: 'openclaw',
    toolCallId: 'c',
    params,
  })
  if (tool === undefined) throw new Error('there is no call')
  return tool
}

describe('an agent does not switch hookgate off by commands of its own program', () => {
  it.each([
    'openclaw plugins disable hookgate',
    'openclaw plugins uninstall --keep-files hookgate',
    'openclaw config set plugins.enabled false',
    'openclaw config set plugins.entries.hookgate.enabled false',
    'openclaw config set plugins.entries \'{"hookgate":{"enabled":false}}\'',
    'openclaw config set plugins.allow \'["telegram"]\'',
    'openclaw config set plugins \'{"enabled":false}\'',
    'openclaw config unset plugins.entries.hookgate',
    "openclaw config patch '{plugins:{enabled:false}}'",
    "openclaw gateway call config.patch --params '{}'",
    'openclaw --log-level error plugins disable hookgate',
    'openclaw reset --scope full',
    'openclaw backup restore x.tar',
  ])('OpenClaw: %s', async (command) => {
    const { decision, reason } = await protectedUser({}, 'openclaw').command(command)
    expect([decision, reason]).toEqual(['deny', expect.stringContaining('ask hookgate no longer')])
  })

  it('Codex: codex features disable hooks', async () => {
    expect((await protectedUser().command('codex features disable hooks')).decision).toBe('deny')
  })

  it.each<JsonObject>([
    { action: 'config_set', path: 'plugins.entries.hookgate.enabled', value: 'false', approved: true },
    { action: 'config_set', path: 'plugins', value: '{"enabled":false}' },
    { action: 'plugin_uninstall', pluginId: 'hookgate' },
    { action: 'config_set_ref', path: 'plugins.enabled', envVar: 'X' },
  ])('OpenClaw, by its helper: %j', async (params) => {
    expect((await protectedUser({}, 'openclaw').tool(helped(params))).decision).toBe('deny')
  })

  it.each([
    'openclaw config set agents.defaults.model x/y',
    'openclaw config get plugins.entries.hookgate',
    'openclaw config set channels.telegram.enabled true',
    'openclaw plugins list',
    'openclaw plugins disable telegram',
    'openclaw plugins disable hookgate --help',
    'openclaw status',
    'openclaw message send --to x --message "plugins disable hookgate"',
    'openclaw agent --message "reset"',
  ])('while this is not refused: %s', async (command) => {
    expect((await protectedUser({}, 'openclaw').command(command)).decision).toBe('abstain')
  })

  it.each<JsonObject>([
    { action: 'config_get', path: 'plugins' },
    { action: 'status' },
    { action: 'config_set', path: 'agents.defaults.model', value: 'x/y' },
    { message: 'what is set?' },
  ])('and neither is this of its helper: %j', async (params) => {
    expect((await protectedUser({}, 'openclaw').tool(helped(params))).decision).toBe('abstain')
  })
})
