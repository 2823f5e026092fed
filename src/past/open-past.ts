import { existsSync } from 'node:fs'
import { openStepDatabase } from './database.ts'
import { Past } from './past.ts'
import { lookedAt, openMemoryStore, type StepStore } from './store.ts'

/** Opens what happened before. @param file shared by the gates of a user. Default: in memory @throws HookgateError `unavailable` */
export const openPast = (file: string | undefined): Past =>
  new Past(file === undefined ? openMemoryStore() : openStepDatabase(file))

/** Opens the steps that are kept in a file, if there is one, to look at them. @throws HookgateError `unavailable` */
export const openKeptSteps = (file: string): StepStore | undefined =>
  existsSync(file) ? lookedAt(openStepDatabase(file)) : undefined

/** Opens what has happened for a gate that keeps nothing. @throws HookgateError `unavailable` */
export const openPastToLookAt = (file: string): Past =>
  new Past(openKeptSteps(file) ?? openMemoryStore(), { onlyLooks: true })
