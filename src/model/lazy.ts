import { HookgateError } from './errors.ts'

/**
 * Makes a factory run at most once, even with concurrent callers. A failure is not cached: a moment without free file
 * descriptors must not make every later call fail.
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
  /** Ends the resource synchronously. */
  killAll(): void
  close(): Promise<void>
}

/** A resource that starts with its first use. Until then not even its code is loaded. */
interface LazyResource<Resource> extends Closable {
  /** Returns the resource, if it has been started. @throws HookgateError `closed` */
  readonly current: () => Resource | undefined
  /** @throws HookgateError `closed` */
  readonly start: () => Promise<Resource>
}

/** @param name for messages */
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
      // INVARIANT: a resource that was closed while its code was loading is never started.
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

/** An object that keeps what is derived from it: a plan, for example, is shared by all events of one kind. */
export abstract class Preparing {
  readonly #made = new Map<unknown, unknown>()

  /**
   * Returns what `make` derives from this object. It is derived at the first call only.
   *
   * @param make the key of the kept result, so it must not be created anew for each call
   */
  prepared<Made>(make: (owner: this) => Made): Made {
    // oxlint-disable-next-line no-unsafe-type-assertion -- set below, with what this very function returned
    if (this.#made.has(make)) return this.#made.get(make) as Made
    const made = make(this)
    this.#made.set(make, made)
    return made
  }
}
