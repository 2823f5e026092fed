import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createGate } from '../../src/gate/gate.ts'
import { dayOf } from '../../src/words/moment.ts'
import { bucketOf } from '../../src/record/durations.ts'
import { hookgate, hookgateHere } from '../support/cli.ts'
import { append, recordWith, refusedBy } from '../support/records.ts'
import { personWith, userFile } from '../support/refused.ts'
import { claudeShell } from '../support/wire.ts'
import { folderWith } from '../support/workspace.ts'

const dayMs = 86_400_000
const today = (back = 0) => dayOf(Date.now() - back * dayMs)

/** A user with a record, whose folder has no rules. */
function recorded() {
  const state = folderWith()
  const file = join(state, 'decisions.db')
  const stats = (...argv: string[]) => hookgateHere(['stats', ...argv], { env: { HOOKGATE_HOME: state }, cwd: state })
  const value = async (...argv: string[]): Promise<unknown> => JSON.parse((await stats(...argv, '--json')).stdout)
  return { file, stats, value }
}

const observed = { evaluations: [{ ruleId: 'careful', durationMs: 1, effect: 'ask', observed: true }] } as const
const failed = {
  evaluations: [{ ruleId: 'broken', durationMs: 1, failure: { code: 'nonzeroExit', message: 'x' } }],
} as const

describe('hookgate stats', () => {
  it('counts by day, agent, project and rule what was decided, told, observed and failed', async () => {
    const { file, value } = recorded()
    append(file, [
      recordWith({ agent: 'codex', project: '/b' }, Date.now() - dayMs),
      recordWith(refusedBy('strict')),
      recordWith(refusedBy('strict', { decision: 'ask', told: 'deny' })),
      recordWith({ ...refusedBy('strict'), decision: 'deny', told: 'abstain' }),
      recordWith({ decision: 'ask', told: 'ask' }),
      recordWith(observed),
      recordWith(failed),
      recordWith({ decision: 'deny', told: 'deny', error: { code: 'internal', message: 'x' } }),
      recordWith({}, Date.now() - 8 * dayMs),
    ])
    const all = { decided: 8, refused: 3, asked: 1, observed: 1, failed: 2 }
    const old = { decided: 1, refused: 0, asked: 0, observed: 0, failed: 0 }
    const recent = { ...all, decided: 7 }
    expect(await value()).toMatchObject({
      all,
      days: [
        { day: today(1), ...old },
        { day: today(), ...recent },
      ],
      agents: [
        { agent: 'claude-code', ...recent },
        { agent: 'codex', ...old },
      ],
      projects: [
        { project: '/home/me/web', ...recent },
        { project: '/b', ...old },
      ],
      rules: [
        { rule: 'strict', answered: 3, refused: 3, asked: 0, observed: 0, failed: 0 },
        { rule: 'careful', answered: 1, refused: 0, asked: 0, observed: 1, failed: 0 },
        { rule: 'broken', answered: 0, failed: 1 },
      ],
      gate: null,
      lost: 0,
    })
    expect(await value('--agent', 'codex')).toMatchObject({ all: old, rules: [] })
    expect(await value('--project', '/home/me')).toMatchObject({ all: recent })
    expect(await value('--since', '30d')).toMatchObject({ all: { decided: 9 } })
  })

  it('includes decisions that were only counted, and says how long rules took', async () => {
    const { file, value, stats } = recorded()
    const count = { agent: 'codex', project: '/b', event: 'PreToolUse', tool: 'shell', decision: 'abstain' }
    const time = (rule: string, ms: number, number: number) => ({ day: today(), rule, bucket: bucketOf(ms), number })
    append(file, [recordWith()], {
      counts: [
        { ...count, day: today(), number: 40 },
        { ...count, day: today(30), number: 500 },
      ],
      times: [time('', 1, 98), time('', 50, 2), time('slow', 20, 1)],
    })
    const { all, gate, times } = (await value()) as {
      all: object
      gate: Record<'number' | 'p50Ms' | 'p99Ms', number>
      times: object[]
    }
    expect(all).toMatchObject({ decided: 41 })
    expect(gate.number).toBe(100)
    expect(gate.p50Ms).toBeCloseTo(1, 0)
    expect(gate.p99Ms / 50).toBeCloseTo(1, 0)
    expect(times).toMatchObject([{ rule: 'slow', number: 1 }])
    expect((await stats('--full')).stdout).toMatch(/^times of hooks and policies .*p50 ms .*p99 ms\n {2}slow /m)
  })

  it('draws bars, the longest for the most', async () => {
    const { file, stats } = recorded()
    append(file, [...Array.from({ length: 8 }, () => recordWith()), recordWith({ agent: 'codex' })])
    const { stdout } = await stats('--full')
    expect(stdout).toMatch(/^by agent +decided +refused +asked +observed +failed$/m)
    expect(stdout).toMatch(/^ {2}claude-code +█{10} +8 +0 +0 +0 +0$/m)
    expect(stdout).toMatch(/^ {2}codex +█▎ +1 +0 +0 +0 +0$/m)
    expect(stdout.split('\n').filter((line) => line.length > 120)).toEqual([])
  })

  it('is at most ten lines, of several agents and projects too, and ends in what to do', async () => {
    const { file, stats } = recorded()
    const others = [recordWith({ agent: 'codex', project: '/b' }), recordWith(failed, Date.now() - dayMs)]
    append(file, [recordWith(), recordWith(refusedBy('strict')), recordWith(observed), ...others], {
      times: [{ day: today(), rule: '', bucket: bucketOf(1), number: 3 }],
    })
    const { stdout } = await stats()
    expect(stdout.split('\n').filter((line) => line !== '').length).toBeLessThanOrEqual(10)
    expect(stdout).not.toMatch(/by (?:day|agent|project)/)
    expect(stdout).toMatch(/^refused by +strict \(1\)\nobserved by +careful \(1\)\nfailed +broken \(1\)$/m)
    expect(stdout.trimEnd().split('\n').at(-1)).toMatch(/^next: `hookgate log --decision failed`/)
  })

  it('says of questions that were refusals for the agent why they are counted as refused', async () => {
    const { file, stats } = recorded()
    const asks = { evaluations: [{ ruleId: 'careful', durationMs: 1, effect: 'ask' }] } as const
    append(file, [
      recordWith({ ...asks, decision: 'ask', told: 'deny' }),
      recordWith({ ...asks, decision: 'deny', told: 'deny' }),
    ])
    const { stdout } = await stats()
    expect(stdout).toMatch(/ all +█+ +2 +2 +0 +0 +0\n/)
    expect(stdout).toMatch(/^asked by +careful \(2\); 1 question was a refusal, since the agent cannot ask$/m)
  })

  it('names the rules of this folder that never answered, and the exceptions that were never used', async () => {
    const exceptions = [
      { rule: 'permissions.deny', command: 'git push origin main', reason: 'used' },
      { rule: 'permissions.deny', command: 'git push origin dev' },
      { rule: 'permissions.deny', command: 'git push origin old', until: '2020-01-01' },
    ]
    const permissions = { deny: ['Bash(git push *)'], ask: ['Bash(npm publish *)'] }
    const { home, cwd, env, state } = personWith({ [userFile]: { json: { permissions, exceptions } } })
    const gate = createGate({ placement: 'caller', home, env, state })
    for (const command of ['git push origin main', 'git push origin other', 'ls']) {
      // oxlint-disable-next-line no-await-in-loop -- in order
      await gate.answer(claudeShell(command, cwd))
    }
    await gate.close()
    const { stdout } = await hookgateHere(['stats', '--full'], { env, cwd })
    expect(stdout).toMatch(/^1 rule in force in this folder never answered\n {2}user:hooks\.json#permissions\.ask$/m)
    expect(stdout).toMatch(
      /^1 exception in force here was never used\n {2}user:hooks\.json#exceptions\[1\], of permissions\.deny\n$/m,
    )
    expect(stdout).toMatch(/^ {2}user:hooks\.json#permissions\.deny .* 1 +1 +0 +0 +0$/m)
    writeFileSync(join(home, userFile), '{')
    expect((await hookgateHere(['stats', '--full'], { env, cwd })).stdout).toMatch(
      /^the rules of this folder do not load: /m,
    )
  })

  it('says that nothing is recorded yet and how it begins, and names a file that is no database', async () => {
    const { file, stats } = recorded()
    expect(await stats()).toMatchObject({
      stdout: expect.stringMatching(/^nothing is recorded yet.*hookgate status --all/s),
      exitCode: 0,
    })
    writeFileSync(file, 'x'.repeat(5000))
    expect(await stats()).toMatchObject({ stdout: '', exitCode: 1, stderr: expect.stringContaining(file) })
  })

  it('has no row for a rule that only remarked something', async () => {
    const { file, stats } = recorded()
    const quiet = { ruleId: 'quiet', durationMs: 1, remarks: ['a file is missing'] }
    append(file, [
      recordWith({ ...refusedBy('loud'), evaluations: [{ ruleId: 'loud', durationMs: 1, effect: 'deny' }, quiet] }),
    ])
    const { stdout } = await stats('--full')
    expect(stdout).toContain('  loud ')
    expect(stdout).not.toContain('quiet')
  })

  it('is a process that reads, prints and ends', async () => {
    const { file } = recorded()
    append(file, [recordWith()], {}, 3)
    const { stdout, stderr, exitCode } = await hookgate(['stats'], { env: { HOOKGATE_HOME: join(file, '..') } })
    expect(stdout).toMatch(/^decisions since \d{4}-\d\d-\d\d \d\d:\d\d \(local time\)\n/)
    expect(stderr).toBe('hookgate: 3 decisions could not be recorded: docs/record.md says when that is so\n')
    expect(exitCode).toBe(0)
  })
})
