import { createHash } from 'node:crypto'

// A file of its own: `hookgate run` loads it before all else.

/** Returns the name of the file of a store's entry: a hash, since a key may be of any length and contain any character. */
export const entryName = (key: string) => createHash('sha256').update(key).digest('hex').slice(0, 32)
