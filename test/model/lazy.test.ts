import { describe, expect, it } from 'vitest'
import { lazyResource } from '../../src/model/lazy.ts'

const resource = { killAll: () => {}, close: () => Promise.resolve() }

describe('a resource that starts with its first use', () => {
  it('is started once, however many callers there are', async () => {
    let starts = 0
    const one = lazyResource('it', () => {
      starts += 1
      return Promise.resolve(() => resource)
    })
    expect(await Promise.all([one.start(), one.start()])).toEqual([resource, resource])
    expect(starts).toBe(1)
  })

  it('is started again after a failure, which may have been temporary', async () => {
    let starts = 0
    const one = lazyResource('it', () => {
      starts += 1
      return starts === 1 ? Promise.reject(new Error('EMFILE')) : Promise.resolve(() => resource)
    })
    const both = await Promise.allSettled([one.start(), one.start()])
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(await one.start()).toBe(resource)
    expect(starts).toBe(2)
  })

  it('is not started after it is closed, not even while its code loads', async () => {
    const loading = Promise.withResolvers<() => typeof resource>()
    const one = lazyResource('it', () => loading.promise)
    const starting = one.start()
    const closed = one.close()
    loading.resolve(() => resource)
    await expect(starting).rejects.toThrow('it is closed')
    await closed
    await expect(one.start()).rejects.toThrow('it is closed')
  })
})
