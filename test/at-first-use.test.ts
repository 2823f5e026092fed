import { describe, expect, it } from 'vitest'
import { atFirstUse } from '../src/at-first-use.ts'

const resource = { killAll: () => {}, close: () => Promise.resolve() }

describe('what is begun with its first use', () => {
  it('is begun once, whoever asks at the same time', async () => {
    let starts = 0
    const one = atFirstUse('it', () => {
      starts += 1
      return Promise.resolve(() => resource)
    })
    expect(await Promise.all([one.begin(), one.begin()])).toEqual([resource, resource])
    expect(starts).toBe(1)
  })

  it('is begun anew after a failure, which may have been the machine’s', async () => {
    let starts = 0
    const one = atFirstUse('it', () => {
      starts += 1
      return starts === 1 ? Promise.reject(new Error('EMFILE')) : Promise.resolve(() => resource)
    })
    const both = await Promise.allSettled([one.begin(), one.begin()])
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(await one.begin()).toBe(resource)
    expect(starts).toBe(2)
  })

  it('is not begun any more once it is closed, while its code is loaded either', async () => {
    const loading = Promise.withResolvers<() => typeof resource>()
    const one = atFirstUse('it', () => loading.promise)
    const begun = one.begin()
    const closed = one.close()
    loading.resolve(() => resource)
    await expect(begun).rejects.toThrow('it is closed')
    await closed
    await expect(one.begin()).rejects.toThrow('it is closed')
  })
})
