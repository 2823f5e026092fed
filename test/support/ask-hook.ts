import { askGate, type GateReply } from '../../src/service/server/ask-gate.ts'
import type { GatePaths } from '../../src/files/state/places.ts'
import { claudeShell } from './wire.ts'

/** Sends a gate one shell command as Claude Code's thin client does. */
export async function askHook(
  places: Pick<GatePaths, 'socket' | 'key'>,
  command = 'ls',
  timeoutMs = 60_000,
): Promise<GateReply & { exitCode: number }> {
  const body = JSON.stringify(claudeShell(command, '/'))
  const reply = await askGate(places, { path: '/v1/hook/claude-code', body, timeoutMs })
  return { ...reply, exitCode: Number(reply.headers['hookgate-exit-code']) }
}
