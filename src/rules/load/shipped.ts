import { extname, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Where the policies and packs are that hookgate ships: as far above this file when it is built as when it is source. */
export const shippedFolder = fileURLToPath(new URL('../../../policies', import.meta.url))

/** The program itself: what is built, or the source. */
export const programFolder = fileURLToPath(new URL('../..', import.meta.url))

/** What policies import as `hookgate/policy`. */
export const libraryFile = join(programFolder, `policy${extname(import.meta.filename)}`)

/** Where the build puts what it has made of the library, and of what is shipped. There is neither beside the source. */
export const builtLibraryFile = join(programFolder, 'policy-library.json')
export const builtPoliciesFile = join(programFolder, 'shipped-policies.json')

/** One of ours: its examples were run before it was shipped, together with everything that it is asked with. */
export const isShipped = (file: string) => file.startsWith(shippedFolder + sep)
