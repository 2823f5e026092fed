import { eventSpellings } from '../../agents/event-names.ts'
import { agentNames } from '../../agents/registry.ts'
import type { SchemaHints } from '../../words/schema-problems.ts'
import { ForeignType, levelKeys, wireParts } from './wire.ts'

const { command, policy, authzen, pack, group } = wireParts

/** The events of every agent, as they spell them. */
const knownEvents: readonly string[] = agentNames.flatMap(eventSpellings)

/** The known keys of a policy hook, each with a remedy for one in the wrong place. */
const knownPolicyKeys: ReadonlyMap<string, string> = new Map([
  ...Object.keys(command).map((key) => [key, 'it is for `command` hooks: remove it'] as const),
  ...Object.keys(policy).map((key) => [key, 'put it into the hook'] as const),
])

/** The known keys of an AuthZEN hook, each with a remedy for one in the wrong place. */
const knownAuthzenKeys: ReadonlyMap<string, string> = new Map([
  ...Object.keys(command).map((key) => [key, 'it is for `command` hooks: remove it'] as const),
  ...Object.keys(authzen).map((key) => [key, 'put it into the hook'] as const),
])

/** The known keys of an entry in `packs`, each with a remedy for one in the wrong place. */
export const knownPackKeys: ReadonlyMap<string, string> = new Map([
  ...['type', 'policy', 'if', 'timeout', 'matcher', 'hooks'].map(
    (key) => [key, 'the rules of a pack define their own events: remove it'] as const,
  ),
  ...Object.keys(pack).map((key) => [key, ''] as const),
])

/** The keys that a misspelt one may have been meant to be, each with where it belongs. */
export const knownKeys: ReadonlyMap<string, string> = new Map([
  ...knownEvents.map((event) => [event, 'put it under `hooks`'] as const),
  ...['pack', 'disable'].map((key) => [key, 'packs belong in the `packs` list at the top level of the file'] as const),
  ...['policy', 'params'].map((key) => [key, 'it is for hooks of `"type": "policy"`'] as const),
  ...Object.keys(command).map((key) => [key, "put the hook into a group's `hooks` list"] as const),
  ...[...levelKeys.file, 'mode'].map((key) => [key, 'put it at the top level of the file'] as const),
  ...Object.keys(group).map((key) => [key, 'put it into a group, in the list of an event'] as const),
])

const missing: ReadonlyMap<string, string> = new Map([
  ['type', 'add `"type": "command"`'],
  ['hooks', 'a group looks like `{"matcher": "Bash", "hooks": [{"type": "command", "command": "…"}]}`'],
])

const shapes: ReadonlyMap<string, string> = new Map([
  ['hooks', 'write `{"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "…"}]}]}}`'],
  ['matcher', 'write the tool names as one string: `"Edit|Write"`'],
  ['timeout', 'give a number of seconds'],
])

/**
 * Returns the remedies and hints for messages about a rules file.
 *
 * @param keys of the part that is read
 */
export const rulesFileHints = (keys: ReadonlyMap<string, string> = knownKeys): SchemaHints => ({
  keys,
  refusedWords: new Set(ForeignType.options),
  missing,
  shapes,
  units: new Map([['timeout', 'give a number of seconds']]),
})

/** Returns the known keys of a hook of that type. */
export function keysOf(type: unknown): ReadonlyMap<string, string> {
  if (type === 'policy') return knownPolicyKeys
  return type === 'authzen' ? knownAuthzenKeys : knownKeys
}
