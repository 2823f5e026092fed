import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createGate, type Gate, type GateOptions } from '../../src/library/index.ts'
import { emptyHome, missing } from '../support/own-folder.ts'
import { claudeEvent, claudeShell } from '../support/wire.ts'
import { folderWith } from '../support/workspace.ts'

function gateWith(options: GateOptions): Gate {
  const gate = createGate({ home: emptyHome, managedFolder: missing, ...options })
  onTestFinished(() => gate.close())
  return gate
}

const policy = (id: string, state: string, body: string, more = '') => `
import { ask, budget, count, definePolicy, deny, label, last, since, streak } from 'hookgate/policy'
export default definePolicy({
  id: '${id}',
  description: 'part of a test',
  on: 'PreToolUse',
  ${more}
  state: { ${state} },
  decide({ tool, state }) { ${body} },
})
`

const limited = policy(
  'limited',
  `fetched: count({ command: 'curl' })`,
  `if (state.fetched >= 2) return deny(String(state.fetched))`,
)

/** Decides shell commands one after the other. */
async function decisions(
  gate: Gate,
  root: string,
  commands: readonly string[],
  more: object = {},
): Promise<readonly string[]> {
  const said: string[] = []
  for (const command of commands) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const verdict = await gate.decide(await gate.decode({ ...claudeShell(command, root), ...more }))
    said.push(verdict.decision === 'abstain' ? '-' : `${verdict.decision} ${verdict.reason.split('\n')[0]}`)
  }
  return said
}

const event = (root: string, command: string, name: string, more: object = {}) =>
  claudeEvent(name, root, {
    session_id: claudeShell('', root).session_id,
    tool_name: 'Bash',
    tool_input: { command },
    ...more,
  })

describe('a policy with a state', () => {
  it('sees the calls of its session that were let through before, and no refused ones', async () => {
    const root = folderWith({ 'limited.policy.ts': limited })
    const gate = gateWith({ rules: [join(root, 'limited.policy.ts')] })
    expect(await decisions(gate, root, ['curl a.dev', 'ls', 'curl b.dev', 'curl c.dev', 'curl c.dev'])).toEqual([
      '-',
      '-',
      '-',
      expect.stringContaining('2'),
      expect.stringContaining('2'),
    ])
    expect(await decisions(gate, root, ['curl a.dev'], { session_id: 'another' })).toEqual(['-'])
  })

  it('does not let five calls at once each see what is left for one', async () => {
    const root = folderWith({ 'limited.policy.ts': limited })
    const gate = gateWith({ rules: [join(root, 'limited.policy.ts')] })
    const events = await Promise.all(
      ['a', 'b', 'c', 'd', 'e'].map((host) => gate.decode(claudeShell(`curl ${host}.dev`, root))),
    )
    const verdicts = await Promise.all(events.map((one) => gate.decide(one)))
    expect(verdicts.map(({ decision }) => decision).toSorted()).toEqual(['abstain', 'abstain', 'deny', 'deny', 'deny'])
  })

  it('shares its past with the next gate of the same state folder', async () => {
    const root = folderWith({ 'limited.policy.ts': limited })
    const state = folderWith()
    const options = { rules: [join(root, 'limited.policy.ts')], state, record: false } as const
    const first = createGate({ home: emptyHome, managedFolder: missing, ...options })
    expect(await decisions(first, root, ['curl a.dev', 'curl b.dev'])).toEqual(['-', '-'])
    await first.close()
    expect(await decisions(gateWith(options), root, ['curl c.dev'])).toEqual([expect.stringContaining('deny')])
  })

  it('is told by the agent that a call has failed or run', async () => {
    const failing = policy(
      'failing',
      `failed: streak({ outcome: 'failed' }, { by: 'call' })`,
      `if (state.failed >= 2) return deny('again')`,
    )
    const root = folderWith({ 'failing.policy.ts': failing })
    const gate = gateWith({ rules: [join(root, 'failing.policy.ts')] })
    const fail = async (command: string, name = 'PostToolUseFailure') =>
      gate.decide(await gate.decode(event(root, command, name, { error: 'Exit code 1', tool_response: {} })))
    await fail('npm test')
    expect(await decisions(gate, root, ['npm test'])).toEqual(['-'])
    await fail('npm test')
    expect(await decisions(gate, root, ['npm test', 'npm run build'])).toEqual([expect.stringContaining('deny'), '-'])
    await fail('npm test', 'PostToolUse')
    expect(await decisions(gate, root, ['npm test'])).toEqual(['-'])
  })

  it('takes a refused call for refused, also where its agent then reports that it has failed', async () => {
    const refusing = policy(
      'refusing',
      `refused: streak({ outcome: 'refused' }, { by: 'call' }), failed: count({ outcome: 'failed' })`,
      `return deny(state.refused + ' refused, ' + state.failed + ' failed')`,
    )
    const root = folderWith({ 'refusing.policy.ts': refusing })
    const gate = gateWith({ rules: [join(root, 'refusing.policy.ts')] })
    const refusedAndReported = async (tool_use_id: string) => {
      const [said] = await decisions(gate, root, ['npm publish'], { tool_use_id })
      await gate.decide(
        await gate.decode(event(root, 'npm publish', 'PostToolUseFailure', { tool_use_id, error: 'no' })),
      )
      return said
    }
    expect(await refusedAndReported('a')).toContain('0 refused, 0 failed')
    expect(await refusedAndReported('b')).toContain('1 refused, 0 failed')
    expect(await refusedAndReported('c')).toContain('2 refused, 0 failed')
  })

  it('may fold steps by a function of its own', async () => {
    const custom = policy(
      'custom',
      `words: { initial: [], reduce: (words, step) => [...words, ...step.commands].slice(-3) }`,
      `if (state.words.includes('echo stop')) return deny(state.words.join())`,
    )
    const root = folderWith({ 'custom.policy.ts': custom })
    const gate = gateWith({ rules: [join(root, 'custom.policy.ts')] })
    expect(await decisions(gate, root, ['ls', 'echo stop', 'ls', 'pwd', 'id', 'ls'])).toEqual([
      '-',
      '-',
      expect.stringContaining('ls,echo stop'),
      expect.stringContaining('echo stop,ls'),
      expect.stringContaining('echo stop,ls,pwd'),
      '-',
    ])
  })

  it.each([
    ['a label', "label({ impact: 'show secret', outcome: 'done' })", 'state.seen !== undefined'],
    ['a count of an area', "count({ impact: 'secret-searches', outcome: ['failed', 'done'] })", 'state.seen === 1'],
    [
      'one of several conditions',
      "last([{ tool: 'agent' }, { impact: 'secret', outcome: 'done' }])",
      'state.seen !== undefined',
    ],
    [
      'what clears a label',
      "label({ outcome: 'done' }, { clearedBy: { impact: 'show', outcome: 'done' } })",
      'state.seen === undefined',
    ],
    [
      'a function of its own',
      'custom({ initial: 0, reduce: (sum, step) => sum + step.impacts.length })',
      'state.seen === 1',
    ],
  ])('sees by %s that an output has shown a secret, and keeps nothing of the secret', async (_, state, condition) => {
    const source = policy('shown', `seen: ${state}`, `if (${condition}) return deny('seen')`).replace(
      'budget,',
      'budget, custom,',
    )
    const root = folderWith({ 'shown.policy.ts': source })
    const folder = folderWith()
    const gate = gateWith({ rules: [join(root, 'shown.policy.ts')], state: folder, record: false })
    const shown = (stdout: string) => ({ tool_response: { stdout, stderr: '' } })
    const report = async (more: object) => gate.decide(await gate.decode(event(root, 'cat a.txt', 'PostToolUse', more)))
    await report(shown('Ada Lovelace'))
    const before = await decisions(gate, root, ['ls'])
    await report(shown('password=Vq7rT2mK9xW4zBn6'))
    expect([before, await decisions(gate, root, ['ls'])]).toEqual([['-'], [expect.stringContaining('seen')]])
    const { DatabaseSync } = process.getBuiltinModule('node:sqlite')
    const database = new DatabaseSync(join(folder, 'past.db'), { readOnly: true })
    expect(database.prepare('SELECT count(*) AS kept FROM seen_windows').get()).toEqual({ kept: 0 })
    database.close()
  })

  it('fails, and so refuses, where what happened before cannot be read', async () => {
    const root = folderWith({ 'limited.policy.ts': limited })
    const state = folderWith({ 'past.db': 'no database' })
    const gate = gateWith({ rules: [join(root, 'limited.policy.ts')], state, record: false })
    expect(await decisions(gate, root, ['ls'])).toEqual([
      expect.stringMatching(/deny .*past\.db: the file of earlier calls cannot be read/),
    ])
  })

  it('is tried by examples that say what happened before', async () => {
    const examples = (want: string) => `examples: [
      { name: 'a third fetch', given: { tool: 'shell', input: { command: 'curl a.dev' }, before: [{ tool: 'shell', input: { command: 'curl b.dev' }, times: 2 }] }, want: '${want}' },
      { name: 'a first', given: { tool: 'shell', input: { command: 'curl a.dev' } }, want: 'abstain' },
    ],`
    const body = `if (state.fetched >= 2) return deny('enough')`
    const made = (want: string) => policy('limited', `fetched: count({ command: 'curl' })`, body, examples(want))
    const right = folderWith({ 'a.policy.ts': made('deny') })
    await expect(
      gateWith({ rules: [join(right, 'a.policy.ts')] }).rulesFor({ workspaceRoots: [] }),
    ).resolves.toBeDefined()
    const wrong = folderWith({ 'a.policy.ts': made('abstain') })
    await expect(gateWith({ rules: [join(wrong, 'a.policy.ts')] }).rulesFor({ workspaceRoots: [] })).rejects.toThrow(
      /a third fetch/,
    )
  })
})
