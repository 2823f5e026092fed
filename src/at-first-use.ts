import { begunOnce } from './model/begun-once.ts'
import { HookgateError } from './model/errors.ts'

interface Ending {
  /** Ends it now, before it returns. */
  killAll(): void
  close(): Promise<void>
}

/** Something that is begun with its first use: whoever never uses it pays nothing for it, not even for loading its code. */
export interface AtFirstUse<Resource> extends Ending {
  /** It, should it have begun. @throws HookgateError `closed` */
  readonly begun: () => Resource | undefined
  /** @throws HookgateError `closed` */
  readonly begin: () => Promise<Resource>
}

/** @param name what a person calls it */
export function atFirstUse<Resource extends Ending>(
  name: string,
  start: () => Promise<() => Resource>,
): AtFirstUse<Resource> {
  let resource: Resource | undefined
  let closed = false

  const checkOpen = () => {
    if (closed) throw new HookgateError('closed', `${name} is closed`)
  }
  let isBeginning = false
  const begin = begunOnce(async () => {
    isBeginning = true
    try {
      const make = await start()
      // INVARIANT: what was closed while its code was loaded is not begun any more.
      checkOpen()
      resource = make()
      return resource
    } finally {
      isBeginning = false
    }
  })

  return {
    begun() {
      checkOpen()
      return resource
    },
    async begin() {
      checkOpen()
      return begin()
    },
    killAll() {
      closed = true
      resource?.killAll()
    },
    async close() {
      closed = true
      if (isBeginning) await begin().catch(() => {})
      await resource?.close()
    },
  }
}
