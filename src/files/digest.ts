import { createHash } from 'node:crypto'

// A file of its own: `hookgate run` loads it before all else.

/** Returns the SHA-256 of a text or of bytes, in hexadecimal digits. */
export const sha256Of = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex')

/** Returns the name of the file of a store's entry: a hash, since a key may be of any length and contain any character. */
export const entryName = (key: string): string => sha256Of(key).slice(0, 32)
