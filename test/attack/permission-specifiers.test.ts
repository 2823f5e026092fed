import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { agentNames } from '../../src/agents/registry.ts'
import type { Json } from '../../src/model/json.ts'
import { permissionEntry } from '../../src/rules/load/permissions.ts'
import { parseCondition } from '../../src/rules/match/condition.ts'
import { permitted } from '../support/permissions.ts'

// A permission rule that no call can match is a guard that its author believes in. It is an error, whichever tool it is
// about; a rule about one parameter of a tool, as Claude Code and Qwen Code write it, is understood.

const never: readonly (readonly [rule: string, remedy: RegExp])[] = [
  // Commands
  ['Bash(command:rm *)', /write `Bash\(rm \*\)`/],
  ['Bash(domain:example.com)', /write `Bash\(domain \*\)`/],
  ['Bash(git:push)', /write `Bash\(git \*\)`/],
  ['shell(path:/etc/**)', /write `shell\(path \*\)`/],
  ['run_shell_command(url:https://example.com)', /write `run_shell_command\(url \*\)`/],
  ['Bash( )', /write `Bash` for every call/],
  ['Bash(:*)', /write `Bash` for every call/],
  ['shell(:push)', /write `shell` for every call/],
  ['run_shell_command(\t)', /write `run_shell_command` for every call/],
  // Files
  ['Read(  )', /write `Read` for every call/],
  ['Edit(\n)', /write `Edit` for every call/],
  ['Read(domain:example.com)', /write `WebFetch\(…\)`/],
  ['Read(file_path:/etc/**)', /write `Read\(\/etc\/\*\*\)`/],
  ['Edit(path:src/**)', /write `Edit\(src\/\*\*\)`/],
  ['Write(content:secret)', /for a file of that name, write `Write\(\.\/content:secret\)`/],
  ['Read(https://example.com/x)', /write `Read\(\.\/https:/],
  ['Grep(command:rm)', /write `Grep\(\.\/command:rm\)`/],
  ['LS(url:x)', /write `LS\(\.\/url:x\)`/],
  // Addresses
  ['WebFetch(example.com)', /write `WebFetch\(domain:example\.com\)`/],
  ['WebFetch(url:https://example.com/*)', /write `WebFetch\(domain:example\.com\)`/],
  ['WebFetch(domain:https://evil.com/x)', /write `WebFetch\(domain:evil\.com\)`/],
  ['WebFetch(domain:evil.com:8080)', /write `WebFetch\(domain:evil\.com\)`/],
  ['WebFetch(domain:evil.com/*)', /write `WebFetch\(domain:evil\.com\)`/],
  ['WebFetch(domain:evil.com.)', /write `WebFetch\(domain:evil\.com\)`/],
  ['WebFetch(domain:bücher.example)', /write `WebFetch\(domain:xn--bcher-kva\.example\)`/],
  ['WebFetch(domain:evil.com, other.com)', /write `WebFetch\(domain:/],
  ['WebFetch(domain:)', /write `WebFetch\(domain:/],
  // Other tools
  ['WebSearch(domain:example.com)', /write `WebFetch\(…\)`/],
  ['Agent(domain:example.com)', /write `WebFetch\(…\)`/],
  ['WebSearch(channel:C*)', /write `WebSearch` for every call/],
  ['WebSearch(:*)', /write `WebSearch` for every call/],
  ['Agent(foo bar:x)', /write `Agent` for every call/],
  ['Agent(:x)', /write `Agent` for every call/],
  ['Task(my agent:*)', /write `Task` for every call/],
  ['WebFetch( )', /write `WebFetch` for every call/],
  // MCP
  ['mcp__slack__send_message( )', /write `mcp__slack__send_message` for every call/],
  [
    'mcp__slack__send_message(C*)',
    /write one parameter and its value, as in `mcp__slack__send_message\(name:value\*\)`/,
  ],
  ['mcp__slack__send_message(C123, C124)', /write one parameter/],
  ['mcp__slack(#general)', /write one parameter/],
  ['mcp__fs__*(/etc/**)', /write one parameter/],
  ['mcp__fs__read(:x)', /write one parameter/],
  ['mcp__fs__read(path:)', /write one parameter/],
  ['mcp(rm *)', /write one parameter/],
]

describe('a permission rule that never matches is an error, with its remedy:', () => {
  it.each(never)('%s', (rule, remedy) => {
    for (const effect of ['deny', 'ask'] as const) {
      expect(permissionEntry(rule, effect, '/home/someone')).toMatchObject({
        kind: 'refused',
        remedy: expect.stringMatching(remedy),
      })
    }
    expect(parseCondition(rule, ['PreToolUse'], '/home/someone')).toMatchObject({ kind: 'refused' })
  })
})

const usual = [
  'Bash()',
  'Bash(: *)',
  'Read(*)',
  'WebSearch(query:secret*)',
  'WebSearch(how to: a guide)',
  'Bash(git:*)',
  'Bash(npm run test:*)',
  'Bash(timeout:*)',
  'Bash(npm run test:unit)',
  'Bash(scp a host:*)',
  'PowerShell(Get-Content:*)',
  'Read(~/.ssh/**)',
  'Read(//etc/**)',
  'Read(C:/Users/**)',
  'Read(./a:b)',
  'WebFetch(domain:*.example.com)',
  'WebFetch(domain:*)',
  'WebFetch(domain:[::1])',
  'WebFetch(domain:127.0.0.1)',
  'Agent(Explore)',
  'Agent(plugin:reviewer)',
  'mcp__slack',
  'mcp__slack__*',
  'mcp__slack__send_message(*)',
]
it.each(usual)('%s is no mistake', (rule) => {
  expect(permissionEntry(rule, 'deny', '/home/someone')).toMatchObject({ text: rule })
})

type Row = readonly [rule: string, tool: string, input: Readonly<Record<string, Json>>, decision: string]

const slack = 'mcp__slack__send_message'
const rows: readonly Row[] = [
  [`${slack}(channel:C*)`, slack, { channel: 'C123', text: 'x' }, 'deny'],
  [`${slack}(channel:C*)`, slack, { channel: 'D123', text: 'C1' }, 'abstain'],
  [`${slack}(channel:C*)`, slack, { text: 'channel:C1' }, 'abstain'],
  [`${slack}(channel:C1)`, slack, { channel: 'C12' }, 'abstain'],
  [`${slack}(channel: C1 )`, slack, { channel: 'C1' }, 'deny'],
  [`${slack}(channel:*)`, slack, { channel: '' }, 'deny'],
  [`${slack}(channel:*)`, slack, { channel: null }, 'abstain'],
  ['mcp__slack(channel:C*)', slack, { channel: 'C123' }, 'deny'],
  ['mcp__slack__*(channel:C*)', slack, { channel: 'C123' }, 'deny'],
  ['mcp__github(channel:C*)', slack, { channel: 'C123' }, 'abstain'],
  // Where Cline wraps the arguments
  [`${slack}(channel:C*)`, slack, { server_name: 'slack', arguments: '{"channel": "C1"}' }, 'deny'],
  // What is no text of its own can only not be ruled out
  [`${slack}(channel:C*)`, slack, { channel: ['C123'] }, 'ask'],
  [`${slack}(channel:C*)`, slack, { channel: { id: 'C123' } }, 'ask'],
  [`${slack}(channel:C*)`, slack, { channel: 'C'.repeat(2_000_000) }, 'ask'],
  ['mcp__db__query(write:true)', 'mcp__db__query', { write: true }, 'deny'],
  ['mcp__db__query(limit:1*)', 'mcp__db__query', { limit: 1000 }, 'deny'],
  ['mcp__db__query(__proto__:*)', 'mcp__db__query', { limit: 1 }, 'abstain'],
  ['mcp__db__query(toString:*)', 'mcp__db__query', { limit: 1 }, 'abstain'],
  ['Agent(model:opus)', 'Agent', { model: 'opus', prompt: 'x' }, 'deny'],
  ['Agent(model:opus)', 'Agent', { model: 'haiku', prompt: 'opus' }, 'abstain'],
  ['Agent(model:*)', 'Agent', { prompt: 'x' }, 'abstain'],
  ['Agent(isolation:work*)', 'Agent', { isolation: 'worktree', prompt: 'x' }, 'deny'],
  ['Agent(plugin:reviewer)', 'Agent', { subagent_type: 'plugin:reviewer' }, 'deny'],
  ['Agent(plugin:reviewer)', 'Agent', { subagent_type: 'other:reviewer' }, 'abstain'],
  ['Bash(run_in_background:true)', 'Bash', { command: 'ls', run_in_background: true }, 'deny'],
  ['Bash(run_in_background:true)', 'Bash', { command: 'ls', run_in_background: false }, 'abstain'],
  ['Bash(run_in_background:*)', 'Bash', { command: 'ls' }, 'abstain'],
  ['Bash(dangerouslyDisableSandbox:true)', 'Bash', { command: 'ls', dangerouslyDisableSandbox: true }, 'deny'],
  ['Read(limit:*)', 'Read', { file_path: '/x', limit: 5 }, 'deny'],
  ['Edit(replace_all:true)', 'Edit', { file_path: '/x', replace_all: true }, 'deny'],
  ['WebFetch(prompt:*token*)', 'WebFetch', { url: 'https://x.org', prompt: 'find the token' }, 'deny'],
]

describe('a permission rule about one parameter', () => {
  it.each(rows)('%s of %s with %j', async (rule, name, input, decision) => {
    const command = name === 'Bash' ? { command: 'ls' } : {}
    expect((await permitted({ deny: [rule] }, { name, input, ...command })).decision).toBe(decision)
  })

  it.each(['Agent(model:haiku)', 'Bash(run_in_background:false)', `${slack}(channel:C1)`, 'Read(limit:1)'])(
    'cannot allow: %s',
    (rule) => {
      expect(permissionEntry(rule, 'allow', '/home/someone')).toMatchObject({
        kind: 'refused',
        message: expect.stringContaining('allows more than it says'),
      })
    },
  )

  it('refuses exactly the calls whose parameter is the value, for every agent', async () => {
    const value = fc.stringMatching(/^[a-z]{1,4}$/)
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...agentNames), value, value, async (agent, wanted, given) => {
        const call = { name: slack, agent, input: { channel: given, text: wanted } }
        const { decision } = await permitted({ deny: [`${slack}(channel:${wanted})`] }, call)
        expect(decision).toBe(wanted === given ? 'deny' : 'abstain')
      }),
      { numRuns: 60 },
    )
  })
})
