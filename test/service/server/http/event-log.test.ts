import { describe, expect, it } from 'vitest'
import { openEventLog } from '../../../../src/service/server/http/event-log.ts'

const ids = (log: ReturnType<typeof openEventLog>, after = 0) => log.after(after).map(({ id }) => id)

describe('the log of events', () => {
  it('keeps a limited number of events, and reports the dropped ones by id', () => {
    const log = openEventLog({ eventsMax: 3 })
    expect([log.firstId, log.lastId]).toEqual([1, 0])
    for (let n = 1; n <= 5; n += 1) log.keepEmitted('cline', { n })
    expect(ids(log)).toEqual([3, 4, 5])
    expect(ids(log, 4)).toEqual([5])
    expect([log.firstId, log.lastId]).toEqual([3, 5])
    expect(log.after(4).map(({ json }) => JSON.parse(json) as unknown)).toEqual([
      { id: 5, at: expect.any(String), agent: 'cline', kind: 'emitted', event: { n: 5 } },
    ])
  })

  it('keeps a limited number of characters, and drops even the last event where that alone is too large', () => {
    const log = openEventLog({ charactersMax: 1000 })
    for (let n = 1; n <= 20; n += 1) log.keepEmitted('cline', { text: 'x'.repeat(100) })
    const kept = log.after(0)
    expect(kept.reduce((sum, { json }) => sum + json.length, 0)).toBeLessThanOrEqual(1000)
    expect(kept.at(-1)?.id).toBe(20)
    log.keepEmitted('cline', { text: 'x'.repeat(2000) })
    expect(ids(log)).toEqual([])
    log.keepEmitted('cline', {})
    expect(ids(log)).toEqual([22])
  })

  it('notifies a limited number of listeners of every event, and frees their places', () => {
    const log = openEventLog({ listenersMax: 2 })
    let notified = 0
    const listen = () => log.listen(() => (notified += 1))
    const unlisten = listen()
    expect(listen()).toBeDefined()
    expect(listen()).toBeUndefined()
    log.keepEmitted('cline', {})
    expect(notified).toBe(2)
    unlisten?.()
    unlisten?.()
    log.keepEmitted('cline', {})
    expect(notified).toBe(3)
    expect([listen(), listen()].map((place) => place !== undefined)).toEqual([true, false])
  })
})
