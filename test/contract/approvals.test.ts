import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { dialectOf } from '../../src/agents/index.ts'
import { agentNames, type KnownAgent, titleOf } from '../../src/agents/registry.ts'
import { shellCall } from '../../src/agents/neutral-call.ts'
import { type Answered, createGate } from '../../src/library/index.ts'
import { folderWith } from '../support/workspace.ts'
import { approvalsOpenMax } from '../../src/gate/approvals/queue.ts'

/** A gate whose user has a rule that asks, and these approvals. */
async function gateWith(
  agent: KnownAgent,
  approvals: object | boolean | undefined,
  more: object = {},
  command = 'npm publish .',
) {
  const rules = {
    permissions: { ask: ['Bash(npm publish *)'] },
    ...(approvals !== undefined && { approvals }),
    ...more,
  }
  const home = folderWith({ 'project/x': '', '.config/hookgate/hooks.json': { json: rules } })
  const cwd = join(home, 'project')
  const options = { home, env: { HOME: home }, state: join(home, 'state'), record: false as const }
  const gate = createGate({ ...options, approvals: true, placement: 'caller' })
  onTestFinished(() => gate.close())
  const queue = gate.approvals
  if (queue === undefined) throw new Error('the gate has no queue')
  const wire = await shellCall(agent, command, cwd, 'call-1')
  const support = (await dialectOf(agent)).support(await gate.decode(wire, { agent }))
  const call = (signal?: AbortSignal) => gate.answer(wire, { agent, ...(signal && { signal }) })
  const callAgain = async (id: string) => gate.answer(await shellCall(agent, command, cwd, id), { agent })
  /** Waits until the call is a request, or has its answer. */
  async function opened(calling: Promise<Answered>) {
    const { promise, resolve } = Promise.withResolvers<void>()
    queue?.listen(() => resolve())
    await Promise.race([promise, calling])
    return queue?.open()[0]
  }
  return { home, queue, call, callAgain, opened, ask: support.ask }
}

describe.each(agentNames)('a question about a call of %s', (agent) => {
  it('waits for a person where the agent cannot ask, and runs once approved', async () => {
    const { queue, call, opened, ask } = await gateWith(agent, true)
    const calling = call()
    const request = await opened(calling)
    if (ask !== 'asDeny') {
      // The agent's own question stays the default.
      expect(request).toBeUndefined()
      expect((await calling).verdict?.approval).toBeUndefined()
      return
    }
    const { openedAtMs = 0, endsAtMs = 0 } = request ?? {}
    // A little before the agent, or its client, stops waiting.
    expect(Math.round((endsAtMs - openedAtMs) / 1000)).toBe(agent === 'cline' ? 24 : 587)
    const command = 'npm publish .'
    expect(request).toMatchObject({ agent, subject: command, commands: [command], decision: 'ask' })
    queue.answer({ id: request?.id ?? '', call: request?.call ?? '', answer: 'approve', channel: 'terminal', by: 'me' })
    const { told, verdict, record } = await calling
    expect(verdict).toMatchObject({ decision: 'allow', approval: { outcome: 'approved', by: 'me' } })
    expect(told).toMatch(/^(?:allow|abstain)$/)
    expect(record().approval).toMatchObject({ outcome: 'approved', channel: 'terminal' })
  })

  it('is answered by the person in the place of the agent’s own question where the file says so', async () => {
    const { queue, call, opened } = await gateWith(agent, { insteadOf: [agent] })
    const calling = call()
    const request = await opened(calling)
    const given = { id: request?.id ?? '', call: request?.call ?? '', channel: 'terminal' } as const
    queue.answer({ ...given, answer: 'deny', reason: 'the version is not final' })
    const { told, stdout, stderr } = await calling
    expect(told).toBe('deny')
    expect(stdout + stderr).toContain('the version is not final')
    expect(stdout + stderr).not.toContain('hookgate allow')
  })

  it('becomes what it is without approvals if nobody answers, and the reason says that', async () => {
    const { call, ask } = await gateWith(agent, { insteadOf: [agent], waitSeconds: 1 })
    const [waited, plain] = await Promise.all([call(), gateWith(agent, undefined).then((other) => other.call())])
    expect(waited.told).toBe(plain.told)
    expect(waited.verdict?.approval).toMatchObject({ outcome: 'timedOut' })
    if (ask === 'asDeny') {
      expect(waited.told).toBe('deny')
      expect(waited.stdout + waited.stderr).toContain('did not answer within 1 s.')
    }
    expect(waited.exitCode).toBe(plain.exitCode)
    expect(titleOf(agent)).not.toBe('')
  })
})

describe('a question of a gate with approvals', () => {
  it('is not put to a person where no file turns them on, or a managed one turns them off', async () => {
    for (const approvals of [undefined, false]) {
      // oxlint-disable-next-line no-await-in-loop -- one gate after the other
      const { queue, call } = await gateWith('codex', approvals)
      // oxlint-disable-next-line no-await-in-loop -- one gate after the other
      expect((await call()).told).toBe('deny')
      expect(queue.open()).toEqual([])
    }
  })

  it('is over when the agent stops waiting, and when the gate ends', async () => {
    const { queue, call, opened } = await gateWith('codex', true)
    const gone = new AbortController()
    const given = call(gone.signal)
    await opened(given)
    gone.abort()
    expect((await given).verdict).toMatchObject({ decision: 'ask', approval: { outcome: 'gone' } })
    const ending = call()
    await opened(ending)
    queue.close()
    expect(await ending).toMatchObject({ told: 'deny', verdict: { approval: { outcome: 'closed' } } })
  })

  it('is not put to a person once a hundred calls wait: the next is refused at once, and says so; the others stay', async () => {
    const { queue, callAgain } = await gateWith('codex', true)
    const callings = Array.from({ length: approvalsOpenMax }, (_, index) => callAgain(`waits-${index}`))
    await expect.poll(() => queue.open().length, { timeout: 120_000 }).toBe(approvalsOpenMax)
    const next = await callAgain('one-more')
    expect([next.told, next.verdict?.approval?.outcome]).toEqual(['deny', 'full'])
    expect(next.stdout + next.stderr).toContain('Too many calls wait for a person already')
    expect(queue.open()).toHaveLength(approvalsOpenMax)
    queue.close()
    expect((await Promise.all(callings)).map(({ told }) => told)).not.toContain('allow')
  })

  it('is not put to a person if the refusal cannot be kept, as on a full disk', async () => {
    const { queue, call, home } = await gateWith('codex', true)
    mkdirSync(join(home, 'state'), { mode: 0o700, recursive: true })
    // No folder can be made where a file is.
    rmSync(join(home, 'state/refusals'), { recursive: true, force: true })
    writeFileSync(join(home, 'state/refusals'), '')
    const { told, verdict } = await call()
    expect([told, verdict?.approval, queue.open()]).toEqual(['deny', undefined, []])
  })

  it('waits like any other where a rule has failed whose failure is to be a question', async () => {
    const hook = { type: 'command', command: '/nowhere/hook', onFailure: 'ask' }
    const { queue, call, opened } = await gateWith('codex', true, {
      permissions: {},
      hooks: { PreToolUse: [{ hooks: [hook] }] },
    })
    const calling = call()
    const { id = '', call: digest = '', decision } = (await opened(calling)) ?? {}
    expect(decision).toBe('ask')
    queue.answer({ id, call: digest, answer: 'approve', channel: 'terminal' })
    expect((await calling).verdict).toMatchObject({ decision: 'allow', approval: { outcome: 'approved' } })
  })

  it('leaves a call refused that another rule refuses, without asking', async () => {
    const more = { permissions: { ask: ['Bash(npm publish *)'], deny: ['Bash(npm *)'] } }
    const { queue, call } = await gateWith('codex', true, more)
    const { told, verdict } = await call()
    expect([told, verdict?.approval]).toEqual(['deny', undefined])
    expect(queue.open()).toEqual([])
  })

  it('is approved at this machine only where the call is too long to be shown whole, and says how many commands are not shown', async () => {
    const commands = ['npm publish .', ...Array.from({ length: 30 }, (_, index) => `echo ${index}`)].join('; ')
    for (const [tail, isLong] of [
      ['', false],
      [`; echo ${'a'.repeat(1000)}`, true],
    ] as const) {
      // oxlint-disable-next-line no-await-in-loop -- one gate after the other
      const { queue, call, opened } = await gateWith('codex', true, {}, `${commands}${tail}`)
      const calling = call()
      // oxlint-disable-next-line no-await-in-loop -- one gate after the other
      const request = await opened(calling)
      expect(request?.terminalOnly).toBe(isLong ? true : undefined)
      expect(request?.commands).toHaveLength(21)
      expect(request?.commands.at(-1)).toBe(`… (${isLong ? 12 : 11} more commands)`)
      const given = { id: request?.id ?? '', call: request?.call ?? '', answer: 'approve' } as const
      expect(queue.answer({ ...given, channel: 'ntfy' }).kind).toBe(isLong ? 'terminalOnly' : 'taken')
      queue.answer({ ...given, answer: 'deny', channel: 'terminal' })
      // oxlint-disable-next-line no-await-in-loop -- one gate after the other
      expect((await calling).told).toBe(isLong ? 'deny' : 'abstain')
    }
  })

  it('is put to a person about a refusal of a rule that is approvable, and about no other refusal', async () => {
    const hooks = (more: object) => ({
      PreToolUse: [{ hooks: [{ type: 'command', command: 'echo no >&2; exit 2', ...more }] }],
    })
    const open = await gateWith('codex', true, { hooks: hooks({ approvable: true, terminalOnly: true }) })
    const calling = open.call()
    const request = await open.opened(calling)
    expect(request).toMatchObject({ decision: 'deny', terminalOnly: true })
    const given = { id: request?.id ?? '', call: request?.call ?? '', answer: 'approve' } as const
    expect(open.queue.answer({ ...given, channel: 'ntfy' })).toEqual({ kind: 'terminalOnly' })
    open.queue.answer({ ...given, channel: 'page' })
    expect((await calling).verdict).toMatchObject({ decision: 'allow', approval: { outcome: 'approved' } })

    const closed = await gateWith('codex', true, { hooks: hooks({}) })
    expect((await closed.call()).verdict).toMatchObject({ decision: 'deny' })
    // A hook that has failed has refused nothing that could be approved.
    const failing = { command: '/nowhere/hook', onFailure: 'block', approvable: true }
    const failed = await gateWith('codex', true, { hooks: hooks(failing) })
    const { verdict } = await failed.call()
    expect([verdict?.decision, verdict?.approval]).toEqual(['deny', undefined])
  })
})
