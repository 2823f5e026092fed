import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openApprovals, type RequestedCall } from '../../../../src/gate/approvals/queue.ts'
import { pino } from 'pino'
import { openNtfy } from '../../../../src/service/server/channels.ts'
import { startNtfy } from '../../../support/ntfy.ts'

const question = (name: string, more: Partial<RequestedCall> = {}): RequestedCall => ({
  id: name,
  agent: 'codex',
  session: 's',
  project: '/p',
  event: 'PreToolUse',
  toolName: 'Bash',
  subject: `deploy ${name}`,
  commands: [],
  decision: 'ask',
  rules: [],
  call: `digest-of-${name}`,
  ...more,
})
const long = { waitMs: 600_000 }

async function until(isSo: () => boolean): Promise<void> {
  // oxlint-disable-next-line no-await-in-loop -- waiting is the point
  while (!isSo()) await sleep(10)
}

/** A queue whose requests are pushed by a server. */
async function phoneWith(server: { readonly token?: string } = {}, token: string | undefined = server.token) {
  const ntfy = await startNtfy(server)
  const approvals = openApprovals()
  const channel = openNtfy({
    url: ntfy.url,
    topics: { toPerson: 'hookgate-to', fromPerson: 'hookgate-from' },
    token: () => token,
    log: pino({ enabled: false }),
    answer: (given) => approvals.answer(given),
    retryMs: 20,
  })
  approvals.listen(({ kind, request }) => (kind === 'opened' ? channel.opened(request) : channel.ended(request.id)))
  onTestFinished(() => {
    approvals.close()
    channel.close()
  })
  return { ...ntfy, approvals }
}

describe('a request that is pushed to a phone', () => {
  it('is approved by the button of the push, and the connection ends with it', async () => {
    const { approvals, pushes, press, streams } = await phoneWith({ token: 'secret' })
    const asked = approvals.ask(question('a'), long)
    await until(() => pushes.length === 1 && streams() === 1)
    expect(pushes[0]).toMatchObject({ topic: 'hookgate-to', title: 'Codex asks, in /p', message: 'Bash: deploy a' })
    await press(pushes[0], 'Approve')
    expect(await asked).toMatchObject({ outcome: 'approved', channel: 'ntfy' })
    await until(() => streams() === 0)
  })

  it('is refused by the other', async () => {
    const { approvals, pushes, press } = await phoneWith()
    const asked = approvals.ask(question('a'), long)
    await until(() => pushes.length === 1)
    await press(pushes[0], 'Deny')
    expect(await asked).toMatchObject({ outcome: 'denied', channel: 'ntfy' })
  })

  it('has no button that approves where only a person at the machine may', async () => {
    const { approvals, pushes, press } = await phoneWith()
    const asked = approvals.ask(question('a', { terminalOnly: true }), long)
    await until(() => pushes.length === 1)
    expect(pushes[0]?.actions.map(({ label }) => label)).toEqual(['Deny'])
    await press(pushes[0], 'Deny')
    expect(await asked).toMatchObject({ outcome: 'denied' })
  })
})

describe('a push in which a call could hide what is asked about', () => {
  const sized = (length: number) => `echo ${'a'.repeat(length)}; deploy`
  it.each([
    ['says that there is more than it shows', sized(995), [], /a…\nIt can be approved at the machine only\.$/],
    ['has no room for the reasons', sized(800), ['r'.repeat(200)], /…\nIt can be approved at the machine only\.$/],
  ])('%s, and has no button that approves', async (_, subject, reasons, message) => {
    const { approvals, pushes } = await phoneWith()
    const rules = reasons.map((reason) => ({
      id: 'user:hooks.json/x',
      name: 'x',
      effect: 'ask' as const,
      reason,
      file: '/h',
      params: [],
    }))
    void approvals.ask(question('a', { subject, rules }), { waitMs: 600_000 })
    await until(() => pushes.length === 1)
    expect(pushes[0]?.message).toMatch(message)
    expect(pushes[0]?.actions.map(({ label }) => label)).toEqual(['Deny'])
  })

  it('counts empty lines, behind which the rest would be out of sight', async () => {
    const { approvals, pushes } = await phoneWith()
    void approvals.ask(question('a', { subject: `echo${'\n'.repeat(400)}deploy` }), { waitMs: 600_000 })
    await until(() => pushes.length === 1)
    expect(pushes[0]?.message).toBe('Bash: echo\n[… 399 empty lines …]\ndeploy')
    expect(pushes[0]?.actions.map(({ label }) => label)).toEqual(['Approve', 'Deny'])
  })
})

describe('a server of ntfy', () => {
  it('that is down when a request opens gets the push once it is back', async () => {
    const { approvals, pushes, press, faults } = await phoneWith()
    faults.status = 503
    const asked = approvals.ask(question('a'), long)
    await sleep(60)
    faults.status = undefined
    await until(() => pushes.length === 1)
    await press(pushes[0], 'Approve')
    expect(await asked).toMatchObject({ outcome: 'approved' })
  })

  it('that is slow holds up nobody: the person at the terminal is faster', async () => {
    const { approvals, faults } = await phoneWith()
    faults.slowMs = 5000
    const asked = approvals.ask(question('a'), long)
    approvals.answer({ id: 'a', call: 'digest-of-a', answer: 'approve', channel: 'terminal' })
    expect(await asked).toMatchObject({ outcome: 'approved', channel: 'terminal' })
  })

  it('that cuts its connections delivers what was answered meanwhile', async () => {
    const { approvals, pushes, press, faults, cut, streams } = await phoneWith()
    const asked = approvals.ask(question('a'), long)
    await until(() => pushes.length === 1 && streams() === 1)
    faults.holds = true
    await press(pushes[0], 'Approve')
    faults.holds = false
    cut()
    expect(await asked).toMatchObject({ outcome: 'approved' })
  })

  it('that delivers an answer twice has it count once, and not for the same call asked again', async () => {
    const { approvals, pushes, press, faults } = await phoneWith()
    faults.times = 3
    const asked = approvals.ask(question('a'), long)
    await until(() => pushes.length === 1)
    await press(pushes[0], 'Approve')
    expect(await asked).toMatchObject({ outcome: 'approved' })
    // Another request for the same call, under the same id: the answer to the one before is void.
    void approvals.ask(question('a'), long)
    await until(() => pushes.length === 2)
    await press(pushes[0], 'Approve')
    await sleep(100)
    expect(approvals.open()).toHaveLength(1)
  })

  it('that delivers an answer late, when nobody waits any more, changes nothing', async () => {
    const { approvals, pushes, press } = await phoneWith()
    const asked = approvals.ask(question('a'), { waitMs: 150 })
    await until(() => pushes.length === 1)
    expect(await asked).toMatchObject({ outcome: 'timedOut' })
    await press(pushes[0], 'Approve')
    void approvals.ask(question('b'), long)
    await until(() => pushes.length === 2)
    await sleep(100)
    expect(approvals.open().map(({ id }) => id)).toEqual(['b'])
  })

  it('that makes up answers, changes them or swaps them is not believed', async () => {
    const { approvals, pushes, url, streams } = await phoneWith()
    void approvals.ask(question('a'), long)
    void approvals.ask(question('b'), long)
    await until(() => pushes.length === 2 && streams() === 1)
    const deny = pushes[0]?.actions.find(({ label }) => label === 'Deny')?.body ?? ''
    const forged = [
      deny.replace(' deny ', ' approve '),
      deny.replace('a deny', 'b deny'),
      `${deny.slice(0, -2)}AA`,
      'hookgate1 a approve ',
      'approve',
      'x'.repeat(2000),
      '{"event":"message"}',
    ]
    for (const body of forged) {
      // oxlint-disable-next-line no-await-in-loop -- in this order
      await fetch(`${url}/hookgate-from`, { method: 'POST', body })
    }
    await sleep(100)
    expect(approvals.open().map(({ id }) => id)).toEqual(['a', 'b'])
  })

  it('that refuses the token gets no answer believed, and the request still waits', async () => {
    const { approvals, pushes } = await phoneWith({ token: 'secret' }, 'wrong')
    void approvals.ask(question('a'), long)
    await sleep(100)
    expect([pushes.length, approvals.open().length]).toEqual([0, 1])
  })
})

describe('a server that floods', () => {
  it.each([
    ['signs of life', '{"event":"keepalive"}\n'],
    ['empty lines', '\n'],
    ['answers that nobody has signed', '{"event":"message","message":"approve"}\n'],
    ['long lines', `${'x'.repeat(30_000)}\n`],
    ['what is no JSON', 'x\n'],
    ['numbers', '1\n'],
  ])('with %s loses its connection, and the answer still comes', async (_, line) => {
    const { approvals, pushes, press, faults, floodsEnded, streams } = await phoneWith()
    faults.flood = line
    const asked = approvals.ask(question('a'), long)
    await until(() => floodsEnded() > 1)
    faults.flood = undefined
    await until(() => streams() === 1 && pushes.length === 1)
    await press(pushes[0], 'Deny')
    expect(await asked).toMatchObject({ outcome: 'denied', channel: 'ntfy' })
  })
})
