import { describe, expect, it, vi } from 'vitest'
import { type Approval, ApprovalChannel, type RequestAnswer } from '../../../src/model/approval.ts'
import { type Approvals, openApprovals, type RequestedCall } from '../../../src/gate/approvals/queue.ts'

const question = (name: string, more: Partial<RequestedCall> = {}): RequestedCall => ({
  id: `id-${name}`,
  agent: 'codex',
  session: 's',
  project: '/p',
  event: 'PreToolUse',
  toolName: 'shell',
  subject: `echo ${name}`,
  commands: [`echo ${name}`],
  decision: 'ask',
  rules: [],
  call: `call-${name}`,
  ...more,
})

const answerTo = (name: string, answer: RequestAnswer['answer'], more: Partial<RequestAnswer> = {}): RequestAnswer => ({
  id: `id-${name}`,
  call: `call-${name}`,
  answer,
  channel: 'terminal',
  by: 'alice',
  ...more,
})

const long = { waitMs: 600_000 }

/** Makes a generator of numbers in [0, max), the same for the same seed. */
function randomFrom(seed: number): (max: number) => number {
  let state = seed
  return (max) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return Math.floor((state / 2 ** 32) * max)
  }
}

describe('a request for approval', () => {
  it('is open until a person answers it, and tells every caller who answered and why', async () => {
    const queue = openApprovals()
    const asked = queue.ask(question('a'), long)
    expect(queue.open()).toMatchObject([{ id: 'id-a', subject: 'echo a', waiting: 1 }])
    const joined = queue.ask(question('a', { id: 'id-other' }), long)
    expect(queue.open()).toMatchObject([{ id: 'id-a', waiting: 2 }])
    expect(queue.answer(answerTo('a', 'deny', { reason: ' use a branch\u001b[2J ' }))).toMatchObject({
      kind: 'taken',
      outcome: 'denied',
    })
    for (const one of [asked, joined]) {
      // oxlint-disable-next-line no-await-in-loop -- both have settled
      expect(await one).toMatchObject({
        outcome: 'denied',
        channel: 'terminal',
        by: 'alice',
        reason: 'use a branch\\x1b[2J',
      })
    }
    expect(queue.open()).toEqual([])
  })

  it('is not shared by two calls with ids of their own, however alike', async () => {
    const queue = openApprovals()
    const first = queue.ask(question('a', { toolId: '1' }), long)
    void queue.ask(question('a', { id: 'id-b', toolId: '2' }), long)
    expect(queue.open().map(({ id }) => id)).toEqual(['id-a', 'id-b'])
    queue.answer(answerTo('a', 'approve'))
    expect(await first).toMatchObject({ outcome: 'approved' })
    expect(queue.open().map(({ id }) => id)).toEqual(['id-b'])
    queue.close()
  })

  it('is not joined by the same call once other rules refuse it, or it may be approved here only', async () => {
    const queue = openApprovals()
    const rule = { id: 'mild', name: 'mild', effect: 'ask', reason: '', file: '/f', params: [] } as const
    const first = queue.ask(question('a', { rules: [rule] }), long)
    void queue.ask(question('a', { id: 'id-b', rules: [rule, { ...rule, id: 'grave' }] }), long)
    void queue.ask(question('a', { id: 'id-c', rules: [rule], terminalOnly: true }), long)
    expect(queue.open().map(({ id }) => id)).toEqual(['id-a', 'id-b', 'id-c'])
    queue.answer(answerTo('a', 'approve', { channel: 'ntfy' }))
    expect(await first).toMatchObject({ outcome: 'approved' })
    expect(queue.open().map(({ id }) => id)).toEqual(['id-b', 'id-c'])
    queue.close()
  })

  it('takes no answer that names another call', () => {
    const queue = openApprovals()
    void queue.ask(question('a'), long)
    expect(queue.answer(answerTo('a', 'approve', { call: 'call-b' }))).toEqual({ kind: 'unknown' })
    expect(queue.open()).toHaveLength(1)
    queue.close()
  })

  it('tells a second person how it has ended, and the first answer stays', async () => {
    const queue = openApprovals()
    const asked = queue.ask(question('a'), long)
    queue.answer(answerTo('a', 'deny'))
    expect(queue.answer(answerTo('a', 'approve', { by: 'bob' }))).toMatchObject({
      kind: 'over',
      ended: { outcome: 'denied', by: 'alice' },
    })
    expect(await asked).toMatchObject({ outcome: 'denied' })
  })

  it('can be refused from outside, and not approved, where it is for a local person only', async () => {
    const queue = openApprovals()
    const asked = queue.ask(question('a', { terminalOnly: true }), long)
    expect(queue.answer(answerTo('a', 'approve', { channel: 'ntfy' }))).toEqual({ kind: 'terminalOnly' })
    expect(queue.open()).toHaveLength(1)
    queue.answer(answerTo('a', 'deny', { channel: 'ntfy' }))
    expect(await asked).toMatchObject({ outcome: 'denied', channel: 'ntfy' })
  })

  it('is over by the clock on the wall after a sleep in which no timer ran', async () => {
    const queue = openApprovals()
    const asked = queue.ask(question('a'), long)
    const now = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 700_000)
    expect(queue.answer(answerTo('a', 'approve'))).toMatchObject({ kind: 'over', ended: { outcome: 'timedOut' } })
    now.mockRestore()
    expect(await asked).toMatchObject({ outcome: 'timedOut' })
  })

  it('approves nothing for a caller whose time was over during that sleep, though another still waits', async () => {
    const queue = openApprovals()
    const early = queue.ask(question('a'), long)
    const late = queue.ask(question('a'), { waitMs: 2 * long.waitMs })
    const now = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 700_000)
    expect(queue.answer(answerTo('a', 'approve'))).toMatchObject({ kind: 'taken', outcome: 'approved' })
    now.mockRestore()
    expect((await Promise.all([early, late])).map(({ outcome }) => outcome)).toEqual(['timedOut', 'approved'])
  })

  it('is not opened beyond the limit: the oldest keep their places, and the same call still joins', async () => {
    const queue = openApprovals(2)
    const first = queue.ask(question('a'), long)
    void queue.ask(question('b'), long)
    expect(await queue.ask(question('c'), long)).toEqual({ outcome: 'full', waitedMs: 0 })
    const joined = queue.ask(question('a', { id: 'id-again' }), long)
    queue.answer(answerTo('a', 'approve'))
    expect([await first, await joined]).toMatchObject([{ outcome: 'approved' }, { outcome: 'approved' }])
    queue.close()
  })

  it('stays open for a second caller when the first has gone', async () => {
    const queue = openApprovals()
    const gone = new AbortController()
    const first = queue.ask(question('a'), { ...long, signal: gone.signal })
    const second = queue.ask(question('a'), long)
    gone.abort()
    expect(await first).toMatchObject({ outcome: 'gone' })
    queue.answer(answerTo('a', 'approve'))
    expect(await second).toMatchObject({ outcome: 'approved' })
  })

  it('ends for everybody when the gate ends, and none is opened after it', async () => {
    const queue = openApprovals()
    const asked = queue.ask(question('a'), long)
    queue.close()
    expect(await asked).toMatchObject({ outcome: 'closed' })
    expect(await queue.ask(question('b'), long)).toMatchObject({ outcome: 'closed' })
  })
})

describe('whatever the order of answers, timeouts and deaths', () => {
  interface Played {
    readonly ended: ReadonlyMap<string, number>
    readonly results: readonly { readonly name: string; readonly approval: Approval }[]
    /** The names of calls that waited when a person approved them, once for each caller. */
    readonly approved: readonly string[]
  }

  /** Plays a random game with some calls, in virtual time. */
  async function play(seed: number): Promise<Played> {
    const random = randomFrom(seed)
    vi.useFakeTimers()
    const queue: Approvals = openApprovals(3)
    const ended = new Map<string, number>()
    const approved: string[] = []
    const results: { name: string; approval: Approval }[] = []
    queue.listen(({ kind, request }) => {
      if (kind === 'ended') ended.set(request.id, (ended.get(request.id) ?? 0) + 1)
    })
    const gone: AbortController[] = []
    const names = ['a', 'b', 'c', 'd', 'e']
    const waits: Promise<void>[] = []
    for (let step = 0; step < 60; step++) {
      const name = names[random(names.length)] ?? 'a'
      switch (random(8)) {
        case 0:
        case 1:
        case 2: {
          const abort = new AbortController()
          gone.push(abort)
          const id = `id-${name}-${step}`
          const more: Partial<RequestedCall> = {
            ...(random(3) === 0 && { toolId: `${step}` }),
            ...(random(3) === 0 && { terminalOnly: true }),
          }
          const asked = queue.ask(question(name, { id, ...more }), {
            waitMs: 1 + random(50),
            signal: abort.signal,
          })
          waits.push(asked.then((approval) => void results.push({ name, approval })))
          break
        }
        case 3:
        case 4:
        case 5: {
          const request = queue.open()[random(queue.open().length + 1)]
          const meant = random(4) === 0 ? name : request?.call.slice('call-'.length)
          if (request === undefined || meant === undefined) break
          const answer = random(2) === 0 ? 'approve' : 'deny'
          const channel = ApprovalChannel.options[random(3)] ?? 'terminal'
          const given = { ...answerTo(meant, answer, { channel }), id: request.id }
          const result = queue.answer(given)
          if (result.kind === 'taken' && answer === 'approve') {
            expect([request.terminalOnly, channel]).not.toEqual([true, 'ntfy'])
            expect(request.call).toBe(given.call)
            for (let caller = 0; caller < request.waiting; caller++) approved.push(meant)
          }
          break
        }
        case 6:
          gone[random(gone.length + 1)]?.abort()
          break
        case 7:
          vi.advanceTimersByTime(random(30))
          break
      }
    }
    if (random(2) === 0) queue.close()
    else vi.advanceTimersByTime(1000)
    vi.useRealTimers()
    await Promise.all(waits)
    expect(queue.open()).toEqual([])
    return { ended, results, approved }
  }

  it('each request ends once, and a call is allowed only by an answer of a person that was meant for it', async () => {
    for (let seed = 1; seed <= 400; seed++) {
      // oxlint-disable-next-line no-await-in-loop -- the timers are replaced for one game at a time
      const { ended, results, approved } = await play(seed)
      expect([...ended.values()].every((times) => times === 1)).toBe(true)
      const allowed = results.flatMap(({ name, approval }) => (approval.outcome === 'approved' ? [name] : []))
      expect(allowed.toSorted()).toEqual(approved.toSorted())
    }
  })
})
