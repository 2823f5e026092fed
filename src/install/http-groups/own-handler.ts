import { z } from 'zod'
import type { AgentName } from '../../model/event.ts'
import { type CanaryWay, runProgram, sendCanary } from '../canary.ts'
import type { Canary, InstallContext } from '../install-context.ts'

/**
 * INVARIANT: what `enable` writes carries this line, and `disable` removes what carries it and nothing else. Claude Code
 * shows it while a hook runs, so it is one of the keys that every kind of handler has; a key of our own might one day
 * void the whole file.
 */
export const ownMark = 'hookgate (set up by `hookgate enable`)'

const common = { statusMessage: z.literal(ownMark), timeout: z.number().optional(), onFailure: z.string().optional() }
const commandKeys = { type: z.literal('command'), command: z.string(), args: z.array(z.string()).optional() }

/** A handler of `enable`, whatever has been edited in it since. */
const OwnHandler = z.discriminatedUnion('type', [
  z.looseObject({ ...common, ...commandKeys }),
  z.looseObject({
    ...common,
    type: z.literal('http'),
    url: z.string(),
    headers: z.record(z.string(), z.string()).optional(),
  }),
])
type OwnHandler = z.infer<typeof OwnHandler>

const CalledCommand = z.looseObject(commandKeys)
/** Any hook that is a command. */
type CalledCommand = z.infer<typeof CalledCommand>

export const ownHandler = (handler: unknown): OwnHandler | undefined => OwnHandler.safeParse(handler).data

/** Recognises a hook with which a person runs hookgate without `enable`. */
export function handHandler(handler: unknown): CalledCommand | undefined {
  const { data } = CalledCommand.safeParse(handler)
  if (data === undefined || ownHandler(handler) !== undefined) return undefined
  return /\bhookgate(?:\.cmd)?["']?\s+run\b/.test(lineOf(data)) ? data : undefined
}

export const lineOf = ({ command: program, args = [] }: Pick<CalledCommand, 'command' | 'args'>) =>
  [program, ...args].join(' ')

/** Recognises the command that only starts the gate, and has nothing to say to an event. */
export const isUpCommand = (handler: OwnHandler) => handler.type === 'command' && handler.args?.includes('up') === true

/** Sends a canary to a handler as Claude Code would call it. */
export function canaryFor(agent: AgentName, handler: unknown, context: InstallContext): Promise<Canary> {
  const called = ownHandler(handler) ?? handHandler(handler)
  if (called === undefined) throw new TypeError('a canary is only sent to a handler that asks hookgate')
  return sendCanary(agent, context, wayOf(called, context))
}

/** Calls a handler as Claude Code does: with `args` without a shell and with its placeholders filled in, else by the shell. */
function wayOf(handler: OwnHandler | CalledCommand, { cwd, env, platform }: InstallContext): CanaryWay {
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
