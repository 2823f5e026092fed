import { signal } from '@preact/signals'

const titles = signal<Readonly<Record<string, string>>>({})

/** Keeps the titles of all agents, which the server knows. */
export const keepAgentTitles = (known: Readonly<Record<string, string>>): void => {
  titles.value = known
}

/** Returns an agent's name as people write it, `Claude Code`; of one that hookgate does not know, the name it gave. */
export const agentTitle = (name: string): string =>
  (Object.hasOwn(titles.value, name) ? titles.value[name] : name) ?? ''
