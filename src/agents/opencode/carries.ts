import type { Carries } from '../../model/dialect.ts'
import { observed, refusable, unheard } from '../table/carried.ts'

const told: Carries = { ...observed, notice: 'dropped' }

/**
 * What OpenCode can be told by the plugin that hookgate writes for it, as measured on 1.18. An error that the plugin throws
 * is what the model is told; there is no question to a person before a call, so one becomes a refusal.
 */
export const carries = {
  'tool.execute.before': { ...refusable, replaceInput: 'said', notice: 'dropped' },
  'permission.ask': { ...refusable, ask: 'said', allow: 'said', notice: 'dropped' },
  'tool.execute.after': { ...told, replaceOutput: 'said', context: 'said' },
  'chat.message': { ...refusable, context: 'said', notice: 'dropped' },
  'session.created': unheard,
  'session.idle': unheard,
  'session.deleted': unheard,
  'experimental.session.compacting': { ...told, context: 'said' },
} as const satisfies Readonly<Record<string, Carries>>
