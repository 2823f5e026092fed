import type { AnswerOf } from '../../../api.ts'

/** An agent before it is checked. */
export type AgentRow = AnswerOf<'agents'>['agents'][number]

/** Sorts agents by what a person can do with them. */
export function agentKind({ places, folder }: AgentRow): 'enabled' | 'installed' | 'absent' {
  if (places.some(({ by }) => by !== undefined)) return 'enabled'
  return folder === null ? 'absent' : 'installed'
}
