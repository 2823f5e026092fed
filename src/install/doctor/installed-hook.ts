import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AgentName } from '../../model/event.ts'
import { eventSpellings, subscribedEvents } from '../../agents/event-names.ts'
import { ownHookAgent } from '../../model/own-hook.ts'
import { shellWord } from '../../model/text.ts'
import type { GatePaths } from '../../files/state/places.ts'
import type { AgentStatus } from '../index.ts'

/** The file of `enable` that an agent runs before a tool, where it asks through a client of this machine. */
export interface InstalledHook {
  /** The kind of its client: `native`, `node` … */
  readonly client: string
  readonly text: string
}

export function installedHook(agent: AgentName, { scopes }: AgentStatus, places: GatePaths): InstalledHook | undefined {
  const folders = [join(places.folder, 'hooks', agent), ...scopes.map(({ place }) => place)]
  for (const file of folders.map((folder) => join(folder, toolEventOf(agent)))) {
    const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
    const client = /^# hookgate \S+: \S+ of \S+, through the (\w+) client\b/m.exec(text)?.[1]
    if (client !== undefined && ownHookAgent(text) === agent && asksAt(text, places)) return { client, text }
  }
  return undefined
}

/** The agent's name for the event before a tool, or before a shell command where it has one for each kind of tool. */
export const toolEventOf = (agent: AgentName): string =>
  eventSpellings(agent).find((event) => subscribedEvents(agent, event)?.events.includes('PreToolUse')) ?? ''

const asksAt = (text: string, { folder, socket }: GatePaths) =>
  text.includes(homeAssignment(folder)) && text.includes(` ${shellWord(socket)} `)

/** A hook's text for a gate elsewhere. Its client, its Node and its hookgate stay: they are to be proved. */
export function relocateHook(text: string, from: GatePaths, to: GatePaths): string {
  return text
    .replace(homeAssignment(from.folder), () => homeAssignment(to.folder))
    .replace(` ${shellWord(from.socket)} `, () => ` ${shellWord(to.socket)} `)
    .replace(` ${shellWord(from.folder)} `, () => ` ${shellWord(to.folder)} `)
}

/** A hook's text in which the word before the socket, its client's file, leads nowhere. */
export function withoutClient(text: string, { folder, socket }: GatePaths): string {
  const at = text.indexOf(` ${shellWord(socket)} `)
  const before = text.slice(0, at).replace(/(?<![\w@%+=:,./'-])(?:'[^'\n]*'|\\'|[\w@%+=:,./-])+$/, '')
  return `${before}${shellWord(`${folder}/missing`)}${text.slice(at)}`
}

const homeAssignment = (folder: string) => `HOOKGATE_HOME=${shellWord(folder)} `
