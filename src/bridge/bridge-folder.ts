import { ensureUnsharedFolder } from '../files/private-folder.ts'

/**
 * Creates the folder of event files, or ensures that no other user can write to it.
 *
 * @throws HookgateError `unavailable`
 */
export const ownFolder = (folder: string) =>
  ensureUnsharedFolder(folder, { elsewhere: 'name another one with `--dir`' })
