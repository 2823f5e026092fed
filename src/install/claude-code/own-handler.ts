import { z } from 'zod'

/**
 * INVARIANT: what `enable` writes carries this line, and `disable` removes what carries it and nothing else. Claude Code
 * shows it while a hook runs, so it is one of the keys that every kind of handler has; a key of our own might one day
 * void the whole file.
 */
export const ownMark = 'hookgate (set up by `hookgate enable`)'

const common = { statusMessage: z.literal(ownMark), timeout: z.number().optional(), onFailure: z.string().optional() }
const command = { type: z.literal('command'), command: z.string(), args: z.array(z.string()).optional() }

/** A handler of `enable`, whatever has been edited in it since. */
const OwnHandler = z.discriminatedUnion('type', [
  z.looseObject({ ...common, ...command }),
  z.looseObject({
    ...common,
    type: z.literal('http'),
    url: z.string(),
    headers: z.record(z.string(), z.string()).optional(),
  }),
])
export type OwnHandler = z.infer<typeof OwnHandler>

const CommandHandler = z.looseObject(command)
/** Any hook that is a command. */
export type CommandHandler = z.infer<typeof CommandHandler>

export const ownHandler = (handler: unknown): OwnHandler | undefined => OwnHandler.safeParse(handler).data

/** Recognises a hook with which a person runs hookgate without `enable`. */
export function handHandler(handler: unknown): CommandHandler | undefined {
  const { data } = CommandHandler.safeParse(handler)
  if (data === undefined || ownHandler(handler) !== undefined) return undefined
  return /\bhookgate(?:\.cmd)?["']?\s+run\b/.test(lineOf(data)) ? data : undefined
}

export const lineOf = ({ command: program, args = [] }: Pick<CommandHandler, 'command' | 'args'>) =>
  [program, ...args].join(' ')

/** Recognises the command that only starts the gate, and has nothing to say to an event. */
export const isUpCommand = (handler: OwnHandler) => handler.type === 'command' && handler.args?.includes('up') === true
