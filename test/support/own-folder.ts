import { join } from 'node:path'

/** Names the folder of one run of the tests, which `own-environment.ts` creates and removes. */
export const ownFolderVariable = 'HOOKGATE_TEST_FOLDER'

export const homeIn = (folder: string) => join(folder, 'home')
export const missingIn = (folder: string) => join(folder, 'missing')

const folder = process.env[ownFolderVariable] ?? ''
if (folder === '' && process.env['VITEST_WORKER_ID'] !== undefined) throw new Error(`${ownFolderVariable} is not set`)

/** An empty home that the tests of a run share: none may write into it. */
export const emptyHome = homeIn(folder)

/** A path that is missing: the run fails if a test creates it. Any path below it is missing too. */
export const missing = missingIn(folder)
