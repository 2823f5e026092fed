import { z } from 'zod'
import type { HookLists } from '../json/hook-lists.ts'

/**
 * INVARIANT: what `enable` writes carries this line, and `disable` removes what carries it and nothing else. Claude Code
 * shows it while a hook runs, so it is one of the keys that every kind of handler has; a key of our own might one day
 * void the whole file.
 */
export const ownMark = 'hookgate (set up by `hookgate enable`)'

const common = { statusMessage: z.literal(ownMark), timeout: z.number().optional(), onFailure: z.string().optional() }

/** A handler that is ours, whoever has edited it since. */
export const OwnHandler = z.discriminatedUnion('type', [
  z.looseObject({
    ...common,
    type: z.literal('command'),
    command: z.string(),
    args: z.array(z.string()).optional(),
  }),
  z.looseObject({
    ...common,
    type: z.literal('http'),
    url: z.string(),
    headers: z.record(z.string(), z.string()).optional(),
  }),
])
export type OwnHandler = z.infer<typeof OwnHandler>

/** How Claude Code keeps its hooks. */
export const claudeLists: HookLists<OwnHandler> = {
  at: 'hooks',
  holds: 'groups',
  position: 'last',
  own: (handler) => OwnHandler.safeParse(handler).data,
}
