import { rmSync } from 'node:fs'
import { z } from 'zod'
import type { Places } from './places.ts'
import { readPrivate, writePrivate } from './private-file.ts'

/** What a gate writes down of itself, for those who cannot ask it: it is stuck, or was killed. */
export const GateState = z.object({
  pid: z.int().positive(),
  /** When its process was started, as the system tells it of that pid and of no later process of the same. */
  processStart: z.string().nullable(),
  startedAt: z.string(),
  version: z.string(),
  socket: z.string(),
  /** Its address, `http://127.0.0.1:3043`, where it listens to HTTP. */
  http: z.string().nullable(),
})
export type GateState = Readonly<z.infer<typeof GateState>>

/** `undefined` where there is none, or none that is understood: it is never more than a hint. */
export function readState({ state }: Places): GateState | undefined {
  try {
    const parsed = GateState.safeParse(JSON.parse(readPrivate(state) ?? 'null'))
    return parsed.success ? parsed.data : undefined
  } catch {
    return undefined
  }
}

export function writeState({ state }: Places, content: GateState): void {
  writePrivate(state, `${JSON.stringify(content, undefined, 2)}\n`)
}

export function removeState({ state }: Places): void {
  rmSync(state, { force: true })
}
