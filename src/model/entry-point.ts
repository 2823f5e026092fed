import { z } from 'zod'

/** How an event reached hookgate: by the thin client, an HTTP hook, `hookgate run`, an embedder, or another machine. */
export const EntryPoint = z.enum(['client', 'http', 'run', 'library', 'remote'])
export type EntryPoint = z.infer<typeof EntryPoint>
