/* oxlint-disable unicorn/no-thenable -- a word of the settings; nothing of it is awaited */
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createGate, type Gate } from '../../src/library/index.ts'
import { emptyHome, missing } from '../support/own-folder.ts'
import { claudeEvent, claudeShell } from '../support/wire.ts'
import { folderWith } from '../support/workspace.ts'

interface World {
  readonly gate: Gate
  readonly root: string
}

/** A gate whose only rules are these. */
function world(rules: object): World {
  const root = folderWith({ 'hooks.json': { json: rules } })
  const gate = createGate({ home: emptyHome, managedFolder: missing, rules: [join(root, 'hooks.json')] })
  onTestFinished(() => gate.close())
  return { gate, root }
}

const session = { session_id: claudeShell('', '/').session_id }

async function say({ gate, root }: World, command: string, more: object = {}): Promise<string> {
  const verdict = await gate.decide(await gate.decode({ ...claudeShell(command, root), ...more }))
  const isEnded = verdict.obligations.some(({ kind }) => kind === 'stop')
  return verdict.decision === 'abstain' ? 'passed' : `${isEnded ? 'stop' : verdict.decision}: ${verdict.reason}`
}

async function tool({ gate, root }: World, name: string, input: object, event = 'PreToolUse'): Promise<string> {
  const wire = claudeEvent(event, root, {
    ...session,
    tool_name: name,
    tool_input: input,
    tool_response: {},
    error: 'Exit code 1',
  })
  return (await gate.decide(await gate.decode(wire))).decision
}

async function prompt({ gate, root }: World): Promise<void> {
  await gate.decide(await gate.decode(claudeEvent('UserPromptSubmit', root, { ...session, prompt: 'go on' })))
}

async function fails(one: World, command: string): Promise<void> {
  await tool(one, 'Bash', { command }, 'PostToolUseFailure')
}

describe('limits on loops', () => {
  it('end the turn of an agent that repeats a refused call, until the person says something', async () => {
    const one = world({
      permissions: { deny: ['Bash(npm publish *)'] },
      limits: { refused: { times: 3, then: 'stop' } },
    })
    expect(await say(one, 'npm publish .')).toMatch(/^deny/)
    expect(await say(one, 'npm publish .')).toMatch(/^deny/)
    expect(await say(one, 'npm  publish .')).toMatch(/^deny/)
    expect(await say(one, 'npm publish .')).toMatch(
      /^stop: .*`npm publish \.` was refused 3 times in a row: change your approach/s,
    )
    expect(await say(one, 'npm test')).toBe('passed')
    await prompt(one)
    expect(await say(one, 'npm publish .')).toMatch(/^deny: .*permission rule/)
  })

  it('see through times, process ids and random names', async () => {
    const one = world({ limits: { repeated: { times: 3 } } })
    const tries = [1, 2, 3, 4].map((at) => `curl localhost:1/x?t=${1_795_791_600_000 + at} -o /tmp/f3a9c1${at}e`)
    const said: string[] = []
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    for (const command of tries) said.push(await say(one, command))
    expect(said.slice(0, 3)).toEqual(['passed', 'passed', 'passed'])
    expect(said[3]).toMatch(/^deny: `curl .*` ran 3 times, and no file was edited between/)
  })

  it('count two calls that take turns', async () => {
    const one = world({ limits: { repeated: { times: 2 } } })
    expect([await say(one, 'ls a'), await say(one, 'ls b'), await say(one, 'ls a'), await say(one, 'ls b')]).toEqual(
      Array.from({ length: 4 }, () => 'passed'),
    )
    expect(await say(one, 'ls a')).toMatch(/^deny/)
    expect(await say(one, 'ls b')).toMatch(/^deny/)
  })

  it('let a test that fails be tried again after each edit, and no more often than that', async () => {
    const one = world({ limits: { failed: { times: 2, then: 'ask' } } })
    await fails(one, 'npm test')
    await fails(one, 'npm test')
    expect(await say(one, 'npm test')).toMatch(/^ask: `npm test` failed 2 times in a row, and no file was edited/)
    expect(await tool(one, 'Edit', { file_path: join(one.root, 'a.ts'), old_string: 'a', new_string: 'b' })).toBe(
      'abstain',
    )
    expect(await say(one, 'npm test')).toBe('passed')
  })

  it('of the preset `recommended` end the turn of an agent that repeats a call which a pack refuses', async () => {
    const one = world({ preset: 'recommended' })
    const said: string[] = []
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    for (let tries = 0; tries < 6; tries += 1) said.push((await say(one, 'rm -rf ~')).slice(0, 5))
    expect(said).toEqual(['deny:', 'deny:', 'deny:', 'deny:', 'deny:', 'stop:'])
    expect(await say(one, 'npm test')).toBe('passed')
  })

  it('begin anew with what a person approves', async () => {
    const one = world({ permissions: { ask: ['Bash(make deploy)'] }, limits: { repeated: { times: 2 } } })
    const use = { tool_use_id: 'toolu_1' }
    expect([await say(one, 'ls a'), await say(one, 'ls a')]).toEqual(['passed', 'passed'])
    expect(await say(one, 'ls a')).toMatch(/^deny/)
    expect(await say(one, 'make deploy', use)).toMatch(/^ask/)
    await one.gate.decide(
      await one.gate.decode(
        claudeEvent('PostToolUse', one.root, {
          ...session,
          ...use,
          tool_name: 'Bash',
          tool_input: { command: 'make deploy' },
          tool_response: {},
        }),
      ),
    )
    expect(await say(one, 'ls a')).toBe('passed')
  })

  it('take the same command in another folder, as agents’ fields name it, for another call', async () => {
    const one = world({ limits: { repeated: { times: 2 } } })
    const inFolder = (field: object) => tool(one, 'Bash', { command: 'npm test', ...field })
    const folders = [{ directory: 'a' }, { directory: 'b' }, { workdir: 'c' }, { cwd: 'd' }, { dir_path: 'e' }]
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    for (const field of [...folders, ...folders]) expect(await inFolder(field)).toBe('abstain')
    expect(await inFolder({ directory: 'a' })).toBe('deny')
  })

  it('do not take pages of one file for the same call', async () => {
    const one = world({ limits: { repeated: { times: 2 } } })
    const said: string[] = []
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    for (const line of [1, 101, 201, 301]) said.push(await say(one, `sed -n ${line},${line + 99}p a.ts`))
    expect(said).toEqual(['passed', 'passed', 'passed', 'passed'])
  })
})

describe('limits on calls', () => {
  it('count a kind of tool, the tools of a server, a program and a host', async () => {
    const one = world({
      limits: {
        calls: [
          { tool: 'fetch', most: 1, then: 'ask' },
          { tool: 'mcp__mail__*', most: 1 },
          { command: 'gh', most: 1 },
          { host: '*.example.com', most: 1 },
        ],
      },
    })
    const fetch = { url: 'https://a.dev/', prompt: 'p' }
    expect([await tool(one, 'WebFetch', fetch), await tool(one, 'WebFetch', fetch)]).toEqual(['abstain', 'ask'])
    const mail = 'mcp__mail__send'
    expect([await tool(one, mail, { to: 'a' }), await tool(one, 'mcp__mail__list', {})]).toEqual(['abstain', 'deny'])
    expect([await say(one, 'gh pr list'), await say(one, 'gh pr view 1')]).toEqual([
      'passed',
      expect.stringMatching(/^deny: `gh` was called 1 time, which is its limit: ask the person/),
    ])
    expect([await say(one, 'curl https://a.example.com'), await say(one, 'curl https://b.example.com')]).toEqual([
      'passed',
      expect.stringMatching(/^deny/),
    ])
  })

  it('are said in words where they are on any host', async () => {
    const one = world({ limits: { calls: [{ host: '*', most: 1 }] } })
    expect([await say(one, 'curl a.dev'), await say(one, 'curl b.dev')]).toEqual([
      'passed',
      expect.stringMatching(/^deny: any host was called 1 time, which is its limit/),
    ])
  })

  it('hold for a session together with its sub-agents', async () => {
    const one = world({ limits: { calls: [{ command: 'curl', most: 2 }] } })
    expect(await say(one, 'curl a.dev', { agent_id: 'one' })).toBe('passed')
    expect(await say(one, 'curl b.dev', { agent_id: 'two' })).toBe('passed')
    expect(await say(one, 'curl c.dev')).toMatch(/^deny/)
  })

  it('hold for what runs at once, until one of it has ended', async () => {
    const one = world({ limits: { calls: [{ tool: 'agent', atOnce: 2 }] } })
    const task = (id: string) => ({ subagent_type: 'general', prompt: id, description: id })
    expect(await tool(one, 'Task', task('a'))).toBe('abstain')
    expect(await tool(one, 'Task', task('b'))).toBe('abstain')
    expect(await tool(one, 'Task', task('c'))).toBe('deny')
    await tool(one, 'Task', task('a'), 'PostToolUse')
    expect(await tool(one, 'Task', task('c'))).toBe('abstain')
  })

  it.each([
    [{ calls: [{ tool: 'fetchh', most: 1 }] }, /there is no known tool `fetchh`/],
    [{ calls: [{ tool: 'fetch' }] }, /`most` or `atOnce`/],
    [{ calls: [{ most: 3 }] }, /must name a `tool`, a `command` or a `host`/],
    [{ calls: [{ tool: 'fetch', most: 1, within: '5 minutes' }] }, /`10m`/],
    [{ refused: { times: 1 } }, /limits\.refused|times/],
    [{ refusd: { times: 3 } }, /unknown key `refusd`/],
    [{ refused: 5 }, /`refused` must be `false` or an object, not a number/],
    [{ failed: true }, /`failed` must be `false` or an object, not a boolean/],
    [{ tokens: 5_000_000 }, /`tokens` must be `false` or an object, not a number/],
    [{ calls: [{ tool: 'fetch', most: 1.5 }] }, /`most` must be a whole number, not 1\.5/],
    [{ calls: [{ tool: 7, most: 1 }] }, /`tool` must be a string or an array, not a number/],
  ])('%j is refused by name', async (limits, message) => {
    await expect(world({ limits }).gate.rulesFor({ workspaceRoots: [] })).rejects.toThrow(message)
  })
})
