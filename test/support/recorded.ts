import { expect, vi } from 'vitest'
import type { Gate } from '../../src/library/index.ts'

/** Waits until a record has as many decisions: who ends it waits for two seconds, in which a busy machine may not write them. */
export const recorded = (status: () => { readonly written: number } | undefined, decisions: number): Promise<void> =>
  vi.waitFor(() => expect(status()?.written).toBe(decisions), { timeout: 600_000 })

/** Closes a gate once its record has as many decisions. */
export async function closeRecorded(gate: Gate, decisions: number): Promise<void> {
  await recorded(() => gate.recorderStatus(), decisions)
  await gate.close()
}
