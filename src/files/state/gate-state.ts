import { rmSync } from 'node:fs'
import { z } from 'zod'
import type { GatePaths } from './places.ts'
import { readPrivate, writePrivate } from '../private-folder.ts'

/** The state file of a gate, read by others when the gate cannot answer: it is stuck, or was killed. */
export const GateState = z.object({
  pid: z.int().positive(),
  /** The start time of the process, in the form of `processStart`: distinguishes it from later processes with the same pid. */
  processStart: z.string().nullable(),
  startedAt: z.string(),
  version: z.string(),
  socket: z.string(),
  /** The gate's address, such as `http://127.0.0.1:3043`; `null` if it does not serve HTTP. */
  http: z.string().nullable(),
})
export type GateState = Readonly<z.infer<typeof GateState>>

/** Reads the state file; `undefined` if it is missing or malformed, since it is never more than a hint. */
export function readState({ state }: GatePaths): GateState | undefined {
  try {
    const parsed = GateState.safeParse(JSON.parse(readPrivate(state) ?? 'null'))
    return parsed.success ? parsed.data : undefined
  } catch {
    return undefined
  }
}

export function writeState({ state }: GatePaths, content: GateState): void {
  writePrivate(state, `${JSON.stringify(content, undefined, 2)}\n`)
}

export function removeState({ state }: GatePaths): void {
  rmSync(state, { force: true })
}
