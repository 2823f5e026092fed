import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Client, hookScript } from '../../client/index.ts'
import type { AgentStatus, Asked } from '../index.ts'
import type { AgentName } from '../../model/agents.ts'
import { eventSpellings, hearing } from '../../model/event-names.ts'
import { ownHookAgent } from '../../model/own-hook.ts'
import type { Places } from '../../server/places.ts'
import { version } from '../../server/version.ts'
import { shellWord } from '../../model/shell-word.ts'

/** What an agent runs before a tool. */
export interface InstalledHook {
  /** What its client is made of. */
  readonly client: string
  /** The file that is installed; `undefined` where none is, and it is the one that would be. */
  readonly file: string | undefined
  /** Its text for a gate at other places. */
  readonly at: (places: Places) => string
}

/** The file that an agent was given when it was enabled, if it asks by one of this machine's clients. */
export function installedHook(agent: AgentName, status: AgentStatus, places: Places): InstalledHook | undefined {
  for (const file of candidates(agent, status, places)) {
    const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
    const client = /^# hookgate \S+: \S+ of \S+, asked by the (\w+) client\.$/m.exec(text)?.[1]
    if (client === undefined || ownHookAgent(text) !== agent || !isOf(text, places)) continue
    return { client, file, at: (others) => moved(text, places, others) }
  }
  return undefined
}

/** What the agent calls the event before a tool, or before a shell command where it has one for each kind. */
export const toolEventOf = (agent: AgentName): string =>
  eventSpellings(agent).find((event) => hearing(agent, event)?.events.includes('PreToolUse')) ?? ''

/** In hookgate's own folder, or where the agent reads its hooks. */
const candidates = (agent: AgentName, { scopes }: AgentStatus, { folder }: Places) =>
  [join(folder, 'hooks', agent), ...scopes.map(({ place }) => place)].map((each) => join(each, toolEventOf(agent)))

/** The file that it would be given. */
export function usualHook(agent: AgentName, client: Client, { launcher }: Asked): InstalledHook {
  const at = ({ folder, socket }: Places) =>
    hookScript(client, { agent, event: toolEventOf(agent), folder, socket, version: version(), ...launcher })
  return { client: client.kind, file: undefined, at }
}

const isOf = (text: string, { folder, socket }: Places) =>
  text.includes(`\nHOOKGATE_HOME=${shellWord(folder)} `) && text.includes(` ${shellWord(socket)} `)

/** The client, Node and hookgate that it names stay: they are what is to be proved. */
function moved(text: string, from: Places, to: Places): string {
  return text
    .replace(`\nHOOKGATE_HOME=${shellWord(from.folder)} `, () => `\nHOOKGATE_HOME=${shellWord(to.folder)} `)
    .replace(` ${shellWord(from.socket)} `, () => ` ${shellWord(to.socket)} `)
    .replace(stamp(from.folder), () => stamp(to.folder))
}

const stamp = (folder: string) => ` ${shellWord(`${folder}/asked-for`)} `
