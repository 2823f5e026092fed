import { openStepDatabase } from './database.ts'
import { Past } from './past.ts'
import { openMemoryStore } from './store.ts'

/** Opens what happened before. @param file shared by the gates of a user. Default: in memory @throws HookgateError `unavailable` */
export const openPast = (file: string | undefined): Past =>
  new Past(file === undefined ? openMemoryStore() : openStepDatabase(file))
