import { sep } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Where the policies and packs are that hookgate ships: as far above this file when it is built as when it is source. */
export const shippedFolder = fileURLToPath(new URL('../../../policies', import.meta.url))

/** One of ours: its examples were run before it was shipped, together with everything that it is asked with. */
export const isShipped = (file: string) => file.startsWith(shippedFolder + sep)
