import { shellCall } from '../../agents/shell-call.ts'
import { runProgram, sendCanary } from '../canary.ts'
import type { Canary, InstallContext } from '../install-context.ts'
import { refusalIn } from '../refusal-in.ts'
import { type CommandHandler, handHandler, type OwnHandler, ownHandler } from './own-handler.ts'

/** Sends a canary to a handler as Claude Code would call it. */
export function canaryFor(handler: unknown, context: InstallContext): Promise<Canary> {
  const called = ownHandler(handler) ?? handHandler(handler)
  if (called === undefined) throw new TypeError('a canary is only sent to a handler that asks hookgate')
  const eventFor = (sessionId: string) => shellCall('claude-code', 'true', context.cwd, sessionId)
  return sendCanary(context, wayOf(called, context), eventFor, refusalIn('claude-code', context.cwd))
}

/** Calls a handler as Claude Code does: with `args` without a shell and with its placeholders filled in, else by the shell. */
function wayOf(
  handler: OwnHandler | CommandHandler,
  { cwd, env, platform }: InstallContext,
): Parameters<typeof sendCanary>[1] {
  if (handler.type === 'http') return { post: { url: handler.url, headers: handler.headers ?? {} } }
  const own = { ...env, CLAUDECODE: '1', CLAUDE_PROJECT_DIR: cwd }
  const { command, args } = handler
  if (args === undefined) {
    const [file, ...words] = platform === 'win32' ? ['cmd.exe', '/d', '/s', '/c', command] : ['/bin/sh', '-c', command]
    return { start: { file, args: words, cwd, env: own } }
  }
  const filled = (word: string) => word.replaceAll('${CLAUDE_PROJECT_DIR}', cwd)
  return { start: { file: filled(command), args: args.map(filled), cwd, env: own } }
}

/** Runs what Claude Code runs when a session starts: an HTTP hook finds the gate then. */
export async function startFor(handler: OwnHandler, context: InstallContext): Promise<void> {
  const way = wayOf(handler, context)
  if ('start' in way) await runProgram(way.start, '')
}
