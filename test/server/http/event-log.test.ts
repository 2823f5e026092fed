import { describe, expect, it } from 'vitest'
import { openEventLog } from '../../../src/server/http/event-log.ts'

const ids = (log: ReturnType<typeof openEventLog>, after = 0) => log.after(after).map(({ id }) => id)

describe('the log of events', () => {
  it('keeps the last ones by number, and tells what it has forgotten by their ids', () => {
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

  it('keeps no more than so many characters, and forgets even the last event where that alone is more', () => {
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

  it('tells listeners of every event, has room for a few, and gives a place back', () => {
    const log = openEventLog({ listenersMax: 2 })
    let heard = 0
    const listen = () => log.listen(() => (heard += 1))
    const unlisten = listen()
    expect(listen()).toBeDefined()
    expect(listen()).toBeUndefined()
    log.keepEmitted('cline', {})
    expect(heard).toBe(2)
    unlisten?.()
    unlisten?.()
    log.keepEmitted('cline', {})
    expect(heard).toBe(3)
    expect([listen(), listen()].map((place) => place !== undefined)).toEqual([true, false])
  })
})
