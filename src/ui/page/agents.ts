import { signal } from '@preact/signals'
import type { AnswerOf } from '../api.ts'

const titles = signal<Readonly<Record<string, string>>>({})

/** Keeps the titles of all agents, which the server knows. */
export const keepAgentTitles = (known: Readonly<Record<string, string>>): void => {
  titles.value = known
}

/** Returns an agent's name as people write it, `Claude Code`; of one that hookgate does not know, the name it gave. */
export const agentTitle = (name: string): string =>
  (Object.hasOwn(titles.value, name) ? titles.value[name] : name) ?? ''

/** An agent before it is checked. */
export type AgentRow = AnswerOf<'agents'>['agents'][number]

/** Sorts agents by what a person can do with them. */
export function agentKind({ places, folder }: AgentRow): 'enabled' | 'installed' | 'absent' {
  if (places.some(({ by }) => by !== undefined)) return 'enabled'
  return folder === null ? 'absent' : 'installed'
}
