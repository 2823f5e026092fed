import { HookgateError } from './errors.ts'

/**
 * Makes a factory run at most once, however many callers there are at the same time. A failure is not kept: a machine that
 * had no descriptor left for a moment is no reason to fail from then on.
 */
export function memoize<Thing>(make: () => Promise<Thing>): () => Promise<Thing> {
  let made: Promise<Thing> | undefined
  return () =>
    (made ??= make().catch((error: unknown) => {
      made = undefined
      throw error
    }))
}

interface Closable {
  /** Ends it now, before this returns. */
  killAll(): void
  close(): Promise<void>
}

/** A resource that starts with its first use. Until then it costs nothing, not even the loading of its code. */
export interface LazyResource<Resource> extends Closable {
  /** The resource, if it has been started. @throws HookgateError `closed` */
  readonly current: () => Resource | undefined
  /** @throws HookgateError `closed` */
  readonly start: () => Promise<Resource>
}

/** @param name what a person calls it */
export function lazyResource<Resource extends Closable>(
  name: string,
  load: () => Promise<() => Resource>,
): LazyResource<Resource> {
  let resource: Resource | undefined
  let closed = false
  let isStarting = false

  const checkOpen = () => {
    if (closed) throw new HookgateError('closed', `${name} is closed`)
  }
  const start = memoize(async () => {
    isStarting = true
    try {
      const make = await load()
      // INVARIANT: what was closed while its code was loaded is never started.
      checkOpen()
      resource = make()
      return resource
    } finally {
      isStarting = false
    }
  })

  return {
    current() {
      checkOpen()
      return resource
    },
    async start() {
      checkOpen()
      return start()
    },
    killAll() {
      closed = true
      resource?.killAll()
    },
    async close() {
      closed = true
      if (isStarting) await start().catch(() => {})
      await resource?.close()
    },
  }
}
