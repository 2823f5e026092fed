import { z } from 'zod'

/** How an event reached hookgate: by the thin client, an agent's HTTP hook, `hookgate run`, or an embedder's call. */
export const EntryPoint = z.enum(['client', 'http', 'run', 'library'])
export type EntryPoint = z.infer<typeof EntryPoint>
