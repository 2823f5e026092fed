import { isAbsolute } from 'node:path'
import { z } from 'zod'

/** A folder that the page asks about. It says which: the process has a working folder of its own. */
export const Folder = z.string().refine((path) => isAbsolute(path) && !path.includes('\0'), 'is not an absolute path')

/** A request about one project. */
export const OfProject = z.strictObject({ project: Folder })
