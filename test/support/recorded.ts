import { expect, vi } from 'vitest'
import type { Gate } from '../../src/library/index.ts'

/** Closes a gate once its record has as many decisions: an exit waits for them for two seconds, and a busy machine does not. */
export async function closeRecorded(gate: Gate, decisions: number): Promise<void> {
  await vi.waitFor(() => expect(gate.recorderStatus()?.written).toBe(decisions), { timeout: 600_000 })
  await gate.close()
}
