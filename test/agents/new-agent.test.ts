import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'

const project = fileURLToPath(new URL('../..', import.meta.url))
const copy = mkdtempSync(join(tmpdir(), 'hookgate-new-agent-'))
afterAll(() => rmSync(copy, { recursive: true, force: true }))

/** Adds a copy of Windsurf under another name: its folder, and its lines in the two lists. */
function addAgent(name: string): void {
  const agents = join(copy, 'src', 'agents')
  const renamed = (text: string) => text.replaceAll('windsurf', name)
  cpSync(join(agents, 'windsurf'), join(agents, name), { recursive: true })
  for (const file of ['index.ts', 'wire.ts']) {
    const path = join(agents, name, file)
    writeFileSync(path, renamed(readFileSync(path, 'utf8')))
  }
  const registry = join(agents, 'registry.ts')
  const lines = readFileSync(registry, 'utf8').split('\n')
  const more = lines.flatMap((line) => (line.includes('windsurf') ? [line, renamed(line)] : [line]))
  writeFileSync(registry, more.join('\n'))
  const table = join(agents, 'last-resort-table.ts')
  const row = /^ {2}windsurf: \{[^]*?^ {2}\},\n/m
  writeFileSync(
    table,
    readFileSync(table, 'utf8').replace(row, (text) => text + renamed(text)),
  )
}

const script = `
  const { dialectOf } = await import('./src/agents/index.ts')
  const { agentNames } = await import('./src/agents/registry.ts')
  const { lastResort } = await import('./src/agents/last-resort.ts')
  const { toolKind } = await import('./src/agents/tool-names.ts')
  const { listedAgent } = await import('./src/install/hooks-file/described.ts')
  const { descriptorOf } = await import('./src/agents/registry.ts')
  const descriptor = descriptorOf('newcomer')
  const dialect = await dialectOf('newcomer')
  const wire = { agent_action_name: 'pre_run_command', trajectory_id: 't', tool_info: { command_line: 'ls', cwd: '/' } }
  const event = dialect.decodeEvent(wire, { nowMs: 0, env: {}, cwd: '/' })
  const verdict = { decision: 'deny', cancel: true, reason: 'no', context: '', obligations: [], notices: [], evaluations: [], agentFields: {} }
  console.log(JSON.stringify({
    named: agentNames.includes('newcomer'),
    event: [event.agent, event.name, event.tool.command],
    answer: dialect.encodeVerdict(event, verdict),
    lastResort: lastResort('newcomer', JSON.stringify(wire), 'why').exitCode,
    tool: toolKind('newcomer', 'run_command'),
    enabled: listedAgent(descriptor, descriptor.install).onlyBy,
  }))
`

describe('adding an agent', () => {
  it('takes a folder and its lines in the registry and the last resort: the rest is derived', () => {
    cpSync(join(project, 'src'), join(copy, 'src'), { recursive: true })
    cpSync(join(project, 'package.json'), join(copy, 'package.json'))
    symlinkSync(join(project, 'node_modules'), join(copy, 'node_modules'))
    addAgent('newcomer')
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      cwd: copy,
      encoding: 'utf8',
    })
    expect(stderr).toBe('')
    expect(JSON.parse(stdout)).toEqual({
      named: true,
      event: ['newcomer', 'PreToolUse', 'ls'],
      answer: { stdout: '', stderr: 'no\n', exitCode: 2 },
      lastResort: 2,
      tool: 'shell',
      enabled: 'Windsurf calls its hooks as commands',
    })
  })
})
