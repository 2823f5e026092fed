import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createGate, type GateOptions } from '../../src/gate/gate.ts'
import { countsFolder } from '../../src/record/answer-count.ts'
import { openReader } from '../../src/record/read.ts'
import { type DecisionRecord, recordOf } from '../../src/record/record.ts'
import { openRecorder } from '../../src/record/recorder.ts'
import { chainOf, databaseAt, noDecisions, rowsIn } from '../support/decisions.ts'
import { combine } from '../../src/gate/combine/combine.ts'
import { applicable, planOf, ruleNamed, shellAction, shellEvent } from '../support/plans.ts'
import { recordWith } from '../support/records.ts'
import { until } from '../support/processes.ts'
import { canMount, smallDisk } from '../support/small-disk.ts'
import { claudeShell } from '../support/wire.ts'
import { folderWith } from '../support/workspace.ts'
import { recordBatchMax, recordsWaitingMax } from '../../src/record/waiting-rows.ts'

const all = { level: 'all', days: 90, megabytes: 200 } as const
const deny = { permissions: { deny: ['Bash(rm *)'] } }

/** Returns a gate that records, with what its rules files say. */
function gateWith(user: object, managed?: object, more: GateOptions = {}) {
  const folder = folderWith({
    'home/.config/hookgate/hooks.json': { json: { ...deny, ...user } },
    ...(managed && { 'managed/hooks.json': { json: managed } }),
    'managed/folder': '',
    'project/x': '',
  })
  const file = noDecisions()
  const gate = createGate({
    record: file,
    home: join(folder, 'home'),
    managedFolder: join(folder, 'managed'),
    env: {},
    ...more,
  })
  onTestFinished(() => gate.close())
  const ask = (command: string) => gate.answer(claudeShell(command, join(folder, 'project')), { agent: 'claude-code' })
  return { folder, file, gate, ask }
}

const recorded = (file: string): readonly DecisionRecord[] => {
  const reader = openReader(file)
  const rows = [...(reader?.rows() ?? [])].map(({ record }) => record)
  reader?.close()
  return rows
}

describe('what is recorded', () => {
  it('is every decision, with what the agent was told, unless a file says otherwise', async () => {
    const { file, gate, ask } = gateWith({})
    await ask('ls')
    await ask('rm -r x')
    await gate.answer('no event', { agent: 'claude-code' })
    await gate.close()
    expect(recorded(file)).toMatchObject([
      { decision: 'abstain', told: 'abstain', subject: 'ls', via: 'library' },
      { decision: 'deny', told: 'deny', subject: 'rm -r x' },
      { decision: 'deny', told: 'deny', error: { code: 'eventMalformed' } },
    ])
    expect(readdirSync(countsFolder(file))).toEqual([])
  })

  it('with `decisions`, is what was refused; the others are counted', async () => {
    const { file, gate, ask } = gateWith({ record: 'decisions' })
    await Promise.all(['ls', 'pwd', 'rm -r x'].map(ask))
    await gate.close()
    expect(recorded(file)).toMatchObject([{ subject: 'rm -r x' }])
    expect(databaseAt(file).prepare('SELECT agent, tool, decision, number FROM counts').all()).toMatchObject([
      { agent: 'claude-code', tool: 'shell', decision: 'abstain', number: 2 },
    ])
    expect(gate.recorderStatus()).toEqual({ file, written: 3, lost: 0 })
  })

  it('with `off`, is nothing, and no file is made', async () => {
    const { file, gate, ask } = gateWith({ record: 'off' })
    await ask('rm -r x')
    await gate.close()
    expect([existsSync(file), existsSync(countsFolder(file))]).toEqual([false, false])
  })

  it('is what an administrator says, and a user’s file only records more', async () => {
    const user = { level: 'off', days: 7 }
    const { gate } = gateWith({ record: user }, { record: { level: 'all', megabytes: 10 } })
    expect((await gate.rulesFor({ workspaceRoots: [] })).record).toEqual({ level: 'all', days: 90, megabytes: 10 })
  })

  it('stays what the user said while a rules file does not load', async () => {
    const { file, folder, gate, ask } = gateWith({ record: 'off' })
    await ask('ls')
    writeFileSync(join(folder, 'managed/hooks.json'), '{')
    await ask('ls')
    await gate.close()
    expect(existsSync(file)).toBe(false)
  })

  it('is not for a project or a named file to say', async () => {
    const rules = folderWith({ '.hookgate/hooks.json': { json: { record: 'off' } } })
    const gate = createGate({ rules: [join(rules, '.hookgate/hooks.json')], discover: false })
    onTestFinished(() => gate.close())
    await expect(gate.rulesFor({ workspaceRoots: [] })).rejects.toMatchObject({
      code: 'rulesMalformed',
      place: { file: join(rules, '.hookgate/hooks.json'), line: expect.any(Number) },
      remedy: expect.any(String),
    })
  })

  it('is bounded: an event whose every text is huge takes some KB', () => {
    const huge = 'é'.repeat(1_000_000)
    const reasons = Array.from({ length: 100 }, (_, at) => applicable(`r${at}`, { effect: 'ask', reason: huge }))
    const event = {
      ...shellEvent,
      session: { ...shellEvent.session, id: huge, cwd: huge, agentId: huge },
      workspaceRoots: [`/${huge}`],
      tool: { ...shellAction, name: huge, command: huge },
    }
    const verdict = combine(planOf(...reasons.map(({ ruleId }) => ruleNamed(ruleId))), reasons, event)
    const record = recordOf(event, verdict, { via: 'client', version: '1', durationMs: 1 })
    expect(JSON.stringify(record).length).toBeLessThan(64 * 1024)
    expect(record.evaluationsLeftOut).toBe(100 - record.evaluations.length)
  })
})

describe('the recorder', () => {
  const make =
    (more: Partial<DecisionRecord> = {}) =>
    () =>
      recordWith(more)

  function recorderAt(file: string) {
    const recorder = openRecorder(file)
    onTestFinished(() => recorder.close())
    const add = (record = make()) => {
      recorder.count()
      recorder.add(record, [], all)
    }
    return { ...recorder, add }
  }

  it('writes within moments, without being closed', async () => {
    const file = noDecisions()
    const recorder = recorderAt(file)
    for (let at = 0; at < 1000; at += 1) recorder.add()
    expect(await until(() => recorder.status().written === 1000)).toBe(true)
    expect([rowsIn(file), chainOf(file).kind]).toEqual([1000, 'whole'])
  })

  it('counts what cannot be recorded, says why, and goes on by itself', async () => {
    const file = noDecisions()
    writeFileSync(`${file}-x`, '')
    rmSync(dirname(file), { recursive: true })
    writeFileSync(dirname(file), 'a file in place of the folder')
    const recorder = recorderAt(file)
    recorder.add()
    expect(await until(() => recorder.status().lost === 1)).toBe(true)
    expect(recorder.status()).toMatchObject({ written: 0, lost: 1, problem: expect.stringMatching(/EEXIST|ENOTDIR/) })
    rmSync(dirname(file))
    recorder.add()
    expect(await until(() => recorder.status().written === 1)).toBe(true)
    expect(recorder.status()).toEqual({ file, written: 1, lost: 1 })
    recorder.add()
    await recorder.close()
    expect({ ...databaseAt(file).prepare('SELECT written, lost FROM writers').get() }).toEqual({ written: 2, lost: 1 })
  })

  it.runIf(canMount)(
    'answers as ever while the disk is full, counts what is lost, and goes on when there is room (as root)',
    async () => {
      const disk = smallDisk()
      const file = join(disk, 'decisions.db')
      const { ask, gate } = gateWith({}, {}, { record: file })
      const rest = join(disk, 'rest')
      expect((await ask('rm a')).exitCode).toBe(2)
      expect(await until(() => gate.recorderStatus()?.written === 1)).toBe(true)
      // What is left of the disk, to the last block.
      spawnSync('sh', ['-c', 'cat /dev/zero > "$0"', rest])
      const answers = await Promise.all(Array.from({ length: 300 }, (_, call) => ask(`rm ${call}`)))
      expect(new Set(answers.map(({ exitCode }) => exitCode))).toEqual(new Set([2]))
      expect(await until(() => (gate.recorderStatus()?.lost ?? 0) > 0)).toBe(true)
      expect(gate.recorderStatus()?.problem).toMatch(/full/)
      rmSync(rest)
      const { written = 0 } = gate.recorderStatus() ?? {}
      expect((await ask('rm again')).exitCode).toBe(2)
      expect(await until(() => (gate.recorderStatus()?.written ?? 0) > written)).toBe(true)
      expect(chainOf(file)).toMatchObject({ kind: 'whole' })
    },
  )

  it('keeps what it has while another process holds the lock, and loses nothing', async () => {
    const file = noDecisions()
    const recorder = recorderAt(file)
    recorder.add()
    expect(await until(() => recorder.status().written === 1)).toBe(true)
    const other = databaseAt(file)
    other.exec('BEGIN IMMEDIATE')
    for (let at = 0; at < 600; at += 1) recorder.add()
    expect(await until(() => recorder.status().problem !== undefined)).toBe(true)
    other.exec('ROLLBACK')
    expect(await until(() => recorder.status().written === 601)).toBe(true)
    expect(recorder.status()).toEqual({ file, written: 601, lost: 0 })
  })

  it('ends in time although another process holds the lock, and counts what it could not write', async () => {
    const file = noDecisions()
    const first = recorderAt(file)
    first.add()
    await first.close()
    const other = databaseAt(file)
    other.exec('BEGIN IMMEDIATE')
    const recorder = recorderAt(file)
    recorder.add()
    // It does not wait for the lock, which is held until the test ends.
    await recorder.close()
    expect(recorder.status()).toMatchObject({ written: 0, lost: 1, problem: 'database is locked' })
    // What could not be saved either is found by the next.
    expect(readdirSync(countsFolder(file))).toHaveLength(1)
  })

  it('does not grow without bound while nothing can be written, in number or in size', async () => {
    const file = noDecisions()
    const recorder = recorderAt(file)
    const row = make({ reason: 'x'.repeat(1024 * 1024) })
    // No turn of the event loop: nothing is written meanwhile.
    for (let at = 0; at < 50; at += 1) recorder.add(row)
    expect(recorder.status().lost).toBeGreaterThan(15)
    expect(recorder.status().lost).toBeLessThan(20)
    await recorder.close()
    expect(recorder.status().written + recorder.status().lost).toBe(50)
    const many = recorderAt(noDecisions())
    for (let at = 0; at < recordsWaitingMax + recordBatchMax + 5; at += 1) many.add(make({ decision: 'allow' }))
    expect(many.status().lost).toBe(5)
  })

  it('counts a record that cannot be made as lost, in place of ending the gate', () => {
    const recorder = recorderAt(noDecisions())
    recorder.add(() => {
      throw new Error('a defect')
    })
    expect(recorder.status()).toMatchObject({ lost: 1, problem: 'a defect' })
  })

  it('that is closed writes to no descriptor, and starts no thread', async () => {
    const file = noDecisions()
    const recorder = recorderAt(file)
    recorder.add()
    await recorder.close()
    recorder.add()
    expect(recorder.status()).toEqual({ file, written: 1, lost: 0 })
    expect(rowsIn(file)).toBe(1)
  })
})

it.skipIf(process.platform === 'win32' || process.getuid?.() === 0)(
  'a read-only folder costs rows, and no answer',
  async () => {
    const { file, gate, ask } = gateWith({})
    chmodSync(dirname(file), 0o500)
    expect((await ask('rm -r x')).verdict?.decision).toBe('deny')
    await gate.endRecording()
    chmodSync(dirname(file), 0o700)
    expect(gate.recorderStatus()).toMatchObject({
      written: 0,
      lost: 1,
      problem: expect.stringContaining('permission is denied'),
    })
  },
)

it('a program that ends without closing its gate leaves a count, which the next writer settles', async () => {
  const { file, gate, ask } = gateWith({})
  const program = `
    const { createGate } = await import(${JSON.stringify(join(process.cwd(), 'dist/library/index.js'))})
    const gate = createGate({ record: ${JSON.stringify(file)}, discover: false })
    for (let at = 0; at < 3; at += 1) await gate.answer({ hook_event_name: 'Stop' }, { agent: 'claude-code' })
    process.exit(0)`
  execFileSync(process.execPath, ['--input-type=module', '-e', program])
  await ask('ls')
  await gate.close()
  const sums = databaseAt(file).prepare('SELECT sum(written) AS written, sum(lost) AS lost FROM writers').get()
  expect({ ...sums }).toEqual({ written: 1, lost: 3 })
})
