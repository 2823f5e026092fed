import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { dialectOf } from '../../src/agents/index.ts'
import { agentNames, type KnownAgent, titleOf } from '../../src/agents/registry.ts'
import { shellCall } from '../../src/agents/shell-call.ts'
import { type Answered, createGate } from '../../src/library/index.ts'
import { folderWith } from '../support/workspace.ts'

const command = 'npm publish .'

/** A gate whose user has a rule that asks, and these approvals. */
async function gateWith(agent: KnownAgent, approvals: object | boolean | undefined, more: object = {}) {
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
  /** Waits until the call is a request, or has its answer. */
  async function opened(calling: Promise<Answered>) {
    const { promise, resolve } = Promise.withResolvers<void>()
    queue?.listen(() => resolve())
    await Promise.race([promise, calling])
    return queue?.open()[0]
  }
  return { queue, call, opened, ask: support.ask }
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

  it('leaves a call refused that another rule refuses, without asking', async () => {
    const more = { permissions: { ask: ['Bash(npm publish *)'], deny: ['Bash(npm *)'] } }
    const { queue, call } = await gateWith('codex', true, more)
    const { told, verdict } = await call()
    expect([told, verdict?.approval]).toEqual(['deny', undefined])
    expect(queue.open()).toEqual([])
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
