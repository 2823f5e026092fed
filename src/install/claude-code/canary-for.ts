import { z } from 'zod'
import type { InstallContext, Canary } from '../install-context.ts'
import { type Heard, sendCanary, started } from '../canary.ts'
import type { HandHandler } from './by-hand.ts'
import type { OwnHandler } from './own-handler.ts'

/** A hook of whoever's making. */
export type CalledHandler = OwnHandler | HandHandler

/** Has a handler answer a canary, as Claude Code would call it. */
export function canaryFor(handler: CalledHandler, context: InstallContext): Promise<Canary> {
  const event = (sessionId: string) => ({
    session_id: sessionId,
    transcript_path: '',
    cwd: context.cwd,
    permission_mode: 'default',
    hook_event_name: 'PreToolUse',
    tool_name: 'Read',
    tool_input: { file_path: '/dev/null' },
    tool_use_id: 'hookgate-canary',
  })
  return sendCanary(context, wayOf(handler, context), event, refusalIn)
}

/** As Claude Code does it: with `args` without a shell and with its placeholders filled in, else by the shell. */
function wayOf(handler: CalledHandler, { cwd, env, platform }: InstallContext): Parameters<typeof sendCanary>[1] {
  if (handler.type === 'http') return { post: { url: handler.url, headers: handler.headers ?? {} } }
  const own = { ...env, CLAUDECODE: '1', CLAUDE_PROJECT_DIR: cwd }
  const { command, args } = handler
  if (args === undefined) {
    const shell = platform === 'win32' ? ['cmd.exe', '/d', '/s', '/c'] : ['/bin/sh', '-c']
    return { start: { file: shell[0] ?? '', args: [...shell.slice(1), command], cwd, env: own } }
  }
  const filled = (word: string) => word.replaceAll('${CLAUDE_PROJECT_DIR}', cwd)
  return { start: { file: filled(command), args: args.map(filled), cwd, env: own } }
}

/** Runs what Claude Code runs when a session starts: whoever asks by HTTP finds the gate then. */
export async function startFor(handler: OwnHandler, context: InstallContext): Promise<void> {
  const way = wayOf(handler, context)
  if ('start' in way) await started(way.start, '')
}

const Refusal = z.looseObject({
  hookSpecificOutput: z.looseObject({
    hookEventName: z.literal('PreToolUse'),
    permissionDecision: z.literal('deny'),
    permissionDecisionReason: z.string(),
  }),
})

function refusalIn({ stdout }: Heard): string | undefined {
  try {
    return Refusal.parse(JSON.parse(stdout)).hookSpecificOutput.permissionDecisionReason
  } catch {
    return undefined
  }
}
