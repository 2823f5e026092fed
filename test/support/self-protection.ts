import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { createGate } from '../../src/library/index.ts'
import { toolKind } from '../../src/agents/tool-names.ts'
import type { KnownAgent } from '../../src/agents/registry.ts'
import type { HookEvent, ToolUse } from '../../src/model/event.ts'
import { folderWith, writeFiles } from './workspace.ts'

const ruleId = 'hookgate:self-protection'

/** The process id of the resident gate that the state file names. */
export const gatePid = 471_147
/** The port at which it listens for HTTP hooks. */
export const gatePort = 47_113

/** Makes the event before a tool is used in a project. */
export const callOf = (agent: string, tool: ToolUse, project: string, cwd = project): HookEvent => ({
  name: 'PreToolUse',
  agent,
  session: { id: 's', cwd },
  workspaceRoots: [project],
  atMs: 0,
  tool,
  raw: {},
})

/** A person's home with hookgate's folders, and a project in it. Claude Code and Codex are enabled. */
export function protectedUser(files: Parameters<typeof folderWith>[0] = {}, agent: KnownAgent = 'claude-code') {
  const folder = folderWith({
    'home/.claude/settings.json': '{}',
    'home/.config/hookgate/trust.json': '{}',
    'home/.local/state/hookgate/token': 'x',
    'home/work/project/src/a.ts': '',
    ...files,
  })
  const at = (name: string) => join(folder, name)
  const home = at('home')
  const project = at('home/work/project')
  const stateFolder = at('home/.local/state/hookgate')
  const record = (name: KnownAgent, file: string) => ({ version: 1, agent: name, file: at(file) })
  writeFiles(folder, {
    'home/.local/state/hookgate/gate.json': {
      json: { pid: gatePid, socket: join(stateFolder, 'gate.sock'), http: `http://127.0.0.1:${gatePort}` },
    },
    'home/.local/state/hookgate/enabled/1.json': { json: record('claude-code', 'home/.claude/settings.json') },
    'home/.local/state/hookgate/enabled/2.json': { json: record('codex', 'home/elsewhere/hooks.json') },
  })
  const gate = createGate({
    placement: 'caller',
    home,
    env: { HOME: home },
    managedFolder: at('managed'),
    state: stateFolder,
    keeps: false,
  })
  onTestFinished(() => gate.close())

  async function judge(tool: ToolUse, cwd: string) {
    const verdict = await gate.decide(callOf(agent, tool, project, cwd))
    return { decision: verdict.decision, by: verdict.determining, reason: verdict.reason }
  }

  return {
    at,
    gate,
    home,
    project,
    /** Judges a shell command. */
    command: (command: string, more: ToolUse['input'] = {}) =>
      judge({ name: 'Bash', kind: 'shell', command, input: { command, ...more } }, project),
    /** Judges a call as it was decoded. */
    tool: (tool: ToolUse) => judge(tool, project),
    /** Judges the call of a tool of an MCP server. */
    mcp: (name: string, input: ToolUse['input']) => judge({ name, kind: 'mcp', input }, project),
    /** Judges the call of a tool that names one file. */
    file: (name: string, path: string) =>
      judge({ name, kind: toolKind(agent, name), path, paths: [path], input: { file_path: path } }, project),
  }
}

export const refused = { decision: 'deny', by: [ruleId], reason: expect.stringContaining('a person can do this') }
