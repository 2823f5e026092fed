import { ensureUnsharedFolder } from '../files/private-folder.ts'

/** Makes the folder of event files, or sees that nobody else can write to it. @throws HookgateError `unavailable` */
export const ownFolder = (folder: string) =>
  ensureUnsharedFolder(folder, { elsewhere: 'name another one with `--dir`' })
