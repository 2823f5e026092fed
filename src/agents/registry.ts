import { claudeCode } from './claude-code/index.ts'
import { cline } from './cline/index.ts'
import { codex } from './codex/index.ts'
import { copilotCli } from './copilot-cli/index.ts'
import { cursor } from './cursor/index.ts'
import { droid } from './droid/index.ts'
import { geminiCli } from './gemini-cli/index.ts'
import { grokBuild } from './grok-build/index.ts'
import { kilo } from './kilo/index.ts'
import { kimiCode } from './kimi-code/index.ts'
import { openclaw } from './openclaw/index.ts'
import { opencode } from './opencode/index.ts'
import { pi } from './pi/index.ts'
import { qwenCode } from './qwen-code/index.ts'
import { vscode } from './vscode/index.ts'
import { windsurf } from './windsurf/index.ts'
import { managedFolderOf } from './install/managed.ts'
import type { AgentDescriptor } from './descriptor.ts'
import type { ProtocolSupport } from '../model/dialect.ts'
import type { EventName, ToolKind, HookEvent } from '../model/event.ts'
import type { AgentEvent } from './table/events.ts'
import type { DatabaseTokens, SessionTokens } from './transcripts.ts'

const descriptors = [
  claudeCode,
  cline,
  geminiCli,
  codex,
  copilotCli,
  qwenCode,
  droid,
  opencode,
  kilo,
  grokBuild,
  kimiCode,
  pi,
  openclaw,
  cursor,
  vscode,
  windsurf,
] as const

/** The name of an agent that has a descriptor. */
export type KnownAgent = (typeof descriptors)[number]['name']

/** Every agent, in the order in which lists print them. */
export const agents: readonly AgentDescriptor<KnownAgent>[] = descriptors
export const agentNames: readonly KnownAgent[] = agents.map(({ name }) => name)

/** The agent that is taken where none is named and none is enabled. */
export const firstAgent: KnownAgent = descriptors[0].name

const byName: ReadonlyMap<string, AgentDescriptor<KnownAgent>> = new Map(agents.map((agent) => [agent.name, agent]))

/** The descriptor of an agent; `undefined` for a name that no agent has. */
export const descriptorOf = (name: string): AgentDescriptor<KnownAgent> | undefined => byName.get(name)

/** Returns how an agent's session files, or its database, say what was spent; `undefined` if they do not. */
export async function tokensOf(agent: string): Promise<SessionTokens | DatabaseTokens | undefined> {
  const descriptor = descriptorOf(agent)
  const inDatabase = await descriptor?.tokens?.()
  if (inDatabase !== undefined) return inDatabase.databaseTokens(agent)
  const sessions = await descriptor?.sessions?.()
  return sessions?.sessionStores.find(({ tokens }) => tokens !== undefined)?.tokens
}

/** Returns the folders in which administrators register hookgate with agents. */
export const administratorsFolders = (platform: NodeJS.Platform): readonly string[] =>
  agents.flatMap(({ managed }) => (managed === undefined ? [] : (managedFolderOf(managed, { platform }) ?? [])))

/** Returns an agent's name as people write it. */
export const titleOf = (name: string): string => descriptorOf(name)?.title ?? name

const eventsOf = (agent: string): Readonly<Record<string, AgentEvent>> => descriptorOf(agent)?.events ?? {}

/** Returns the common events behind an agent's own event name; `undefined` if there is no such event. */
export function subscribedEvents(agent: string, spelled: string): AgentEvent | undefined {
  const events = eventsOf(agent)
  return Object.hasOwn(events, spelled) ? events[spelled] : undefined
}

/** Returns whether an agent says of every call of these kinds that has succeeded that it has ended. */
export const reportsEnd = (agent: string, kinds: readonly ToolKind[]): boolean =>
  Object.values(eventsOf(agent)).some(
    ({ events, tools }) =>
      events.includes('PostToolUse') &&
      (tools === undefined || (kinds.length > 0 && kinds.every((kind) => tools.includes(kind)))),
  )

/** Returns whether an agent lets what a tool has returned be changed before the model reads it: of calls that have run, or failed. */
export const changesOutput = (agent: string, event: 'PostToolUse' | 'PostToolUseFailure' = 'PostToolUse'): boolean =>
  Object.values(eventsOf(agent)).some(
    ({ events, support: { replaceOutput }, saysFailure }) =>
      (events.includes(event) || saysFailure === true) && (replaceOutput === 'native' || replaceOutput === 'asReason'),
  )

/** Returns whether an agent says which calls have failed. */
export const reportsFailure = (agent: string): boolean =>
  Object.values(eventsOf(agent)).some(({ events, saysFailure }) => events.includes('PostToolUseFailure') || saysFailure)

/** Returns whether an agent says which shell commands have failed, be it in their output. */
export const reportsShellFailure = (agent: string): boolean =>
  reportsFailure(agent) || descriptorOf(agent)?.shellExit !== undefined

/** Returns whether a call that an event reports has failed. */
export function hasFailed({ name, agent, tool, result, raw }: HookEvent): boolean {
  if (name === 'PostToolUseFailure' || result?.succeeded === false) return true
  const exit = tool?.kind === 'shell' ? descriptorOf(agent)?.shellExit : undefined
  return exit !== undefined && (exit({ raw, ...(result && { result }) }) ?? 0) !== 0
}

/** Returns an agent's name of an event with this `trigger`; `undefined` if it has no such event. */
export function spellingOf(agent: string, event: EventName, trigger: string | undefined): string | undefined {
  return Object.entries(eventsOf(agent)).find(
    ([, { events, triggers }]) =>
      events.includes(event) && (triggers === undefined || (trigger !== undefined && triggers.includes(trigger))),
  )?.[0]
}

/** Returns every event name of an agent, aliases included. */
export const eventSpellings = (agent: string): readonly string[] => Object.keys(eventsOf(agent))

/** Returns what an agent's protocol can express at each of its events, by its own name for it; without aliases. */
export function registrableEvents(agent: string): Readonly<Record<string, ProtocolSupport>> {
  const own = Object.entries(eventsOf(agent)).filter(([, { alias }]) => alias === undefined)
  return Object.fromEntries(own.map(([spelled, { support }]) => [spelled, support]))
}
