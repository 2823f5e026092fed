import { z } from 'zod'

/** The way by which an event reached hookgate: the thin client, an HTTP hook, `hookgate run`, an embedder, another machine. */
export const EntryPoint = z.enum(['client', 'http', 'run', 'library', 'remote'])
export type EntryPoint = z.infer<typeof EntryPoint>
