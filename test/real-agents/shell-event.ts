import type { KnownAgent } from '../../src/agents/registry.ts'
import type { HookEvent } from '../../src/model/event.ts'

/** A shell command that an agent is about to run, as far as what the agent can be told of it depends on it. */
export function shellEvent(agent: KnownAgent): HookEvent {
  return {
    name: 'PreToolUse',
    agent,
    session: { id: '', cwd: '/' },
    workspaceRoots: ['/'],
    atMs: 0,
    tool: { kind: 'shell', name: 'shell', input: { command: 'true' }, paths: [], command: 'true' },
    // Cline has three engines: its program runs that of the SDK.
    raw: agent === 'cline' ? { hookName: 'tool_call' } : {},
  }
}
