import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Json, JsonObject } from '../../../src/model/json.ts'
import type { Became, PastItem } from '../../../src/model/event.ts'
import { type Decider, openDecider } from '../../../src/review/replay/rule-sets.ts'
import { replay } from '../../../src/review/replay/replay.ts'
import { readEventLines } from '../../../src/review/replay/sessions.ts'
import { reportOf } from '../../../src/review/replay/report.ts'
import { ReplayTally } from '../../../src/review/replay/tally.ts'
import { claudeEvent, claudeShell } from '../../support/wire.ts'
import { folderWith } from '../../support/workspace.ts'

const token = 'ghp_Ab3dE5gH7jK9mN1pQ3sT5vW7yZ9aB1cD3eF5'
const out = (stdout: string) => ({ stdout, stderr: '' })

const policy = (
  on: string,
  body: string,
) => `import { context, definePolicy, deny, replaceOutput } from 'hookgate/policy'
export default definePolicy({ id: 'own', description: 'x', on: ${on}, tool: 'shell', examples: [],
  decide({ tool, event }) { ${body} } })`

/** Hides a word, comments on another and fails at a third. */
const judging = policy(
  "['PostToolUse', 'PostToolUseFailure']",
  `const text = JSON.stringify(event.result?.output ?? event.result?.error ?? null)
   if (text.includes('broken')) throw new Error('no')
   if (text.includes('odd')) return context('that is odd')
   if (text.includes('hidden-name')) return replaceOutput(JSON.parse(text.replaceAll('hidden-name', '[name]')), 'hides a name')`,
)
const refusing = policy("'PreToolUse'", "if (tool.command.startsWith('bad')) return deny('no')")

async function deciderOf(files: Readonly<Record<string, string>>): Promise<Decider> {
  const root = folderWith(files)
  const decider = await openDecider({
    rules: Object.keys(files).map((name) => join(root, name)),
    discover: false,
    env: { PATH: process.env['PATH'] },
  })
  onTestFinished(() => decider.close())
  return decider
}

let line = 0
/** A call, and what became of it if that is kept. */
function past(cwd: string, command: string, said?: Json, became: Became = 'done'): readonly PastItem[] {
  line += 1
  const wire = claudeShell(command, cwd, { tool_use_id: `t${line}` }) as JsonObject
  const call = { agent: 'claude-code', wire, atMs: line, cwd, file: 's.jsonl', line }
  return [{ kind: 'call', call }, ...(said === undefined ? [] : [{ kind: 'result', call, became, said } as const])]
}

async function outputsOf(now: Decider, items: AsyncIterable<PastItem> | readonly PastItem[], before?: Decider) {
  const tally = new ReplayTally()
  const { signal } = new AbortController()
  const each = async function* () {
    yield* items
  }
  await replay(each(), tally, { now, before, accepts: () => true, atOnce: 4, signal })
  return reportOf(tally, { isCompared: before !== undefined, isPartial: false, limit: 100, seconds: 1 }).outputs
}

const none = { changed: 0, withheld: 0, told: 0, masked: 0, noOpinion: 0, undecided: 0 }

/** Makes rules look back, which decides calls one after the other. */
const limits = JSON.stringify({ limits: { repeated: { times: 1000 } } })

describe.each([
  ['where no rule looks back', {}],
  ['where rules look back', { 'hooks.json': limits }],
] as const)('what calls have returned, %s', (_, more) => {
  it('is judged by today’s rules: changed, withheld where one fails, or commented', async () => {
    const decider = await deciderOf({ 'judging.policy.ts': judging, ...more })
    const cwd = folderWith()
    const items = [
      ...past(cwd, 'ls', out('a hidden-name')),
      ...past(cwd, 'ls', out('nothing')),
      ...past(cwd, 'ls', out('another hidden-name')),
      ...past(cwd, 'make', out('broken')),
      ...past(cwd, 'make', 'odd, exit 1', 'failed'),
    ]
    const found = await outputsOf(decider, items)
    expect(found?.now).toEqual({ ...none, changed: 2, withheld: 1, told: 1, noOpinion: 1 })
    expect(found?.notKept).toBe(0)
    const rule = expect.stringContaining('#own')
    expect(found?.said).toMatchObject([
      { answer: 'changed', rule, reason: 'hides a name', outputs: 2 },
      { answer: 'withheld', rule, outputs: 1 },
      { answer: 'told', rule, reason: 'that is odd', outputs: 1 },
    ])
  })

  it('is not judged of a call that the rules refuse, and is counted as not kept where nothing is there', async () => {
    const files = { 'judging.policy.ts': judging, 'refusing.policy.ts': refusing.replace("'own'", "'refusing'") }
    const cwd = folderWith()
    const items = [
      ...past(cwd, 'bad one', out('a hidden-name')),
      ...past(cwd, 'bad one', out('a hidden-name')),
      ...past(cwd, 'ls', out('a hidden-name')),
      ...past(cwd, 'ls'),
      ...past(cwd, 'ls', null),
    ]
    const found = await outputsOf(await deciderOf({ ...files, ...more }), items)
    expect(found).toMatchObject({ now: { ...none, changed: 1 }, notKept: 2 })
  })

  it('is compared between two sets of rules', async () => {
    const now = await deciderOf({ 'judging.policy.ts': judging, ...more })
    const before = await deciderOf({ 'refusing.policy.ts': refusing, ...more })
    const cwd = folderWith()
    const found = await outputsOf(now, past(cwd, 'ls', out('a hidden-name')), before)
    expect(found).toMatchObject({ now: { ...none, changed: 1 }, before: none })
  })
})

describe('what calls have returned', () => {
  it('is told apart where hookgate has masked it then: what it was is not known', async () => {
    const decider = await deciderOf({ 'hooks.json': JSON.stringify({ packs: [{ pack: 'output-secrets' }] }) })
    const cwd = folderWith()
    const masked = '[hidden by hookgate: GitHub token; use $(gh auth token)]\n'
    const items = [...past(cwd, 'gh auth token', out(masked)), ...past(cwd, 'gh auth token', out(`${token}\n`))]
    const found = await outputsOf(decider, items)
    expect(found?.now).toEqual({ ...none, changed: 1, masked: 1 })
    expect(JSON.stringify(found)).not.toContain(token)
  })

  it('is nothing to report where no rule is about it', async () => {
    const found = await outputsOf(
      await deciderOf({ 'refusing.policy.ts': refusing }),
      past(folderWith(), 'ls', out('a')),
    )
    expect(found).toBeUndefined()
  })

  it('is read of events, as agents send them to hooks', async () => {
    const decider = await deciderOf({ 'judging.policy.ts': judging })
    const cwd = folderWith()
    const call = { tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: 't' }
    const after = claudeEvent('PostToolUse', cwd, { ...call, tool_response: out('a hidden-name') })
    const text = [claudeEvent('PreToolUse', cwd, call), after].map((one) => `${JSON.stringify(one)}\n`).join('')
    const chunks = async function* () {
      yield Buffer.from(text)
    }
    const found = await outputsOf(decider, readEventLines(chunks(), { file: 'stdin' }))
    expect(found).toMatchObject({ now: { ...none, changed: 1 }, notKept: 0 })
  })
})
