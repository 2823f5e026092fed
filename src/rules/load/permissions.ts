import { knownToolNames } from '../../agents/tool-names.ts'
import { limits } from '../../model/limits.ts'
import { type JsonPath, type Refusal, refused } from '../../model/errors.ts'
import type { PermissionEntry, PermissionList, Rule } from '../../model/rule.ts'
import { fileKinds } from '../../model/tool-kinds.ts'
import { didYouMean } from '../../words/suggest.ts'
import { quoted } from '../../model/text.ts'
import { builtinRule } from '../self-protection.ts'
import { kindsOf, parsePermissionRule, unmatchableLine } from '../match/condition.ts'
import { problem, readRest, refuse, type RulesFileState } from './reading.ts'
import { permissionEffects, Permissions } from './wire.ts'

/** Makes one rule of each list in `permissions`. */
export function permissionRules(reading: RulesFileState, value: unknown): readonly Rule[] {
  const { rest, isWhole } = readRest(reading, Permissions, value, ['permissions'], knownEffects)
  if (rest === undefined || !isWhole) return []
  return permissionEffects.flatMap((effect) => {
    const texts = rest[effect]
    return texts === undefined || texts.length === 0 ? [] : listRule(reading, effect, texts)
  })
}
const knownEffects: ReadonlyMap<string, string> = new Map(permissionEffects.map((effect) => [effect, '']))

function listRule(
  reading: RulesFileState,
  effect: PermissionList['effect'],
  texts: readonly string[],
): readonly Rule[] {
  const at: JsonPath = ['permissions', effect]
  const { source } = reading
  if (texts.length > limits.permissionEntriesMax) {
    const message = `it has more than ${limits.permissionEntriesMax} permission rules`
    problem(reading, 'error', at, 'key', message, 'combine them with `*`')
    return []
  }
  const entries = texts.flatMap((text, index) => {
    const entry = permissionEntry(text, effect, reading.home)
    if (!('kind' in entry)) return [entry]
    refuse(reading, entry, [...at, index])
    return []
  })
  const id = `${source.id}#permissions.${effect}`
  reading.places.set(id, reading.parsed.place(at, 'key'))
  const builtin = { kind: 'permissions', effect, entries } as const
  return [builtinRule({ id, source, builtin, onFailure: 'block', mode: reading.mode })]
}

/** Parses an entry of a permission list. An entry that could never match, or not for certain, is refused. */
export function permissionEntry(
  text: string,
  effect: PermissionList['effect'],
  home: string,
): PermissionEntry | Refusal {
  const parsed = parsePermissionRule(text, home)
  if ('kind' in parsed) return parsed
  const { tool, pattern } = parsed
  if (!knownToolNames.has(tool) && !tool.startsWith('mcp__')) {
    const remedy = didYouMean(tool, knownToolNames) ?? 'name a tool of an agent, `shell`, or `mcp__server__tool`'
    return refused(`there is no known tool ${quoted(tool)}`, remedy)
  }
  const kinds = kindsOf(tool).filter((kind) => kind !== 'other' || tool === 'other')
  const entry = { ...parsed, kinds: [...new Set(kinds)] }
  return (pattern === undefined ? undefined : unusable(entry, pattern, effect)) ?? entry
}

function unusable(
  { text, tool, kinds, parameter }: PermissionEntry,
  pattern: string,
  effect: PermissionList['effect'],
): Refusal | undefined {
  if (parameter !== undefined && effect === 'allow') {
    const message = `${quoted(text)} allows more than it says: one parameter tells nothing of the others`
    return refused(message, `put it into \`deny\` or \`ask\`, or write \`${tool}\` to allow every call of it`)
  }
  if (kinds.includes('shell') && parameter === undefined) return unmatchableLine(text, tool, pattern)
  if (effect !== 'allow') return undefined
  const isOnFiles = kinds.some((kind) => fileKinds.has(kind))
  if (isOnFiles && /[[\]{}?\\]/.test(pattern)) {
    return refused(`${quoted(text)} allows more than it says: only \`*\` and \`**\` are exact`, 'write several rules')
  }
  if (isOnFiles || kinds.includes('fetch')) return undefined
  return refused(
    `it cannot be certain which input ${quoted(text)} is about`,
    `write \`${tool}\` to allow every call of it`,
  )
}
