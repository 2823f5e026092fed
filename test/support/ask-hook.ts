import { askGate, type GateReply } from '../../src/server/ask-gate.ts'
import { claudeShell } from './wire.ts'

/** Asks a gate as Claude Code's thin client does, about one shell command. */
export async function askHook(
  socket: string,
  command = 'ls',
  timeoutMs = 60_000,
): Promise<GateReply & { exitCode: number }> {
  const body = JSON.stringify(claudeShell(command, '/'))
  const reply = await askGate(socket, { path: '/v1/hook/claude-code', body, timeoutMs })
  return { ...reply, exitCode: Number(reply.headers['hookgate-exit-code']) }
}
