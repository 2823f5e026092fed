import { isDeepStrictEqual } from 'node:util'
import type { RuleMode } from '../../model/effect.ts'
import { HookgateError } from '../../model/errors.ts'
import type { JsonObject } from '../../model/json.ts'
import { quoted } from '../../model/text.ts'
import { everyRule, type PackHook } from '../../rules/load/wire.ts'
import { changedPack } from '../../rules/load/pack.ts'
import { removeValue, setValue, type JsonDocument } from '../../install/json/edit.ts'
import { type PacksOfFile, packsOfFile, withContent } from './packs-of-file.ts'

/** A pack, as a rules file may turn it on. */
export interface PackTarget {
  /** The name that the user's rules file has for it. */
  readonly pack: string
  readonly folder: string
  /** The ids of its rules. */
  readonly rules: readonly string[]
}

/** A change of a pack's entry. */
export interface PackChange {
  readonly turn: 'on' | 'off' | undefined
  readonly mode: RuleMode | undefined
  /** Params to set. */
  readonly params: JsonObject
  /** Params to leave to the preset or the default. */
  readonly unset: readonly string[]
}

/** The entry of one pack in a rules file. */
interface PackState {
  /** Its entry in `packs`. */
  readonly own: PackHook | undefined
  readonly index: number
  /** Its entry in the preset of the file. */
  readonly given: PackHook | undefined
  /** Its mode where its entry sets none. */
  readonly usualMode: RuleMode
  readonly isOn: boolean
}

function stateIn({ mode, preset, entries }: PacksOfFile, { pack, folder, rules }: PackTarget): PackState {
  const index = entries.findIndex((entry) => entry.folder === folder)
  const own = entries[index]?.hook
  const given = preset?.packs.find((hook) => hook.pack === pack)
  const ofPreset = given === undefined ? undefined : (given.mode ?? preset?.mode)
  const hook = given === undefined || own === undefined ? (own ?? given) : changedPack(given, own)
  const isOn = hook !== undefined && rules.some((id) => !leavesOut(hook, id))
  return { own, index, given, usualMode: ofPreset ?? mode ?? 'enforce', isOn }
}

const leavesOut = ({ disable = [] }: PackHook, rule: string) => disable.includes(everyRule) || disable.includes(rule)

/** Changes the entry of a pack in a rules file. @throws HookgateError `usage` if the pack is off */
export function changePack(document: JsonDocument, target: PackTarget, change: PackChange): JsonDocument {
  const state = stateIn(packsOfFile(document), target)
  const { turn, mode, params, unset } = change
  if (turn === 'off') return state.isOn ? withEntry(document, state, turnedOff(state, target)) : document
  if (turn === undefined && !state.isOn) {
    throw new HookgateError('usage', `the pack ${quoted(target.pack)} is off`, { remedy: 'add `--on`' })
  }
  const turned = state.isOn ? (state.own ?? { pack: target.pack }) : turnedOn(state, target)
  const kept = Object.entries({ ...turned.params, ...params }).filter(([name]) => !unset.includes(name))
  const modes = mode === undefined ? {} : { mode: mode === state.usualMode ? undefined : mode }
  return withEntry(document, state, { ...turned, ...modes, params: Object.fromEntries(kept) })
}

/** Turns one rule of a pack on or off in a rules file. @throws HookgateError `usage` if its preset leaves it out */
export function changeRule(document: JsonDocument, target: PackTarget, rule: string, turn: 'on' | 'off'): JsonDocument {
  const packs = packsOfFile(document)
  const state = stateIn(packs, target)
  const own: PackHook = state.own ?? { pack: target.pack }
  const disable = own.disable ?? []
  const isOff = !state.isOn || leavesOut(own, rule) || state.given?.disable?.includes(rule) === true
  if (isOff === (turn === 'off')) return document
  if (turn === 'off') return withEntry(document, state, { ...own, disable: [...disable, rule] })
  if (state.given?.disable?.includes(rule) === true) {
    const message = `the preset ${quoted(packs.preset?.name ?? '')} leaves the rule ${quoted(rule)} out`
    const remedy = `turn the preset off, and on its packs one by one; \`hookgate packs ${packs.preset?.name ?? ''}\` lists them`
    throw new HookgateError('usage', message, { remedy })
  }
  const isWhollyOff = !state.isOn
  const left = isWhollyOff ? target.rules.filter((id) => id !== rule) : disable.filter((id) => id !== rule)
  return withEntry(document, state, { ...own, disable: left })
}

/** Returns the entry of a pack that is off: one with settings keeps them for when it is turned on again. */
function turnedOff({ own, given }: PackState, { pack }: PackTarget): PackHook | undefined {
  const hasSettings = own !== undefined && Object.keys(own).length > 1
  if (given === undefined && !hasSettings) return undefined
  return { ...(own ?? { pack }), disable: [...(own?.disable ?? []), everyRule] }
}

/** Returns the entry of a pack with rules that are on, whichever way it was off. */
function turnedOn({ own, given }: PackState, { pack, rules }: PackTarget): PackHook {
  if (own === undefined) return { pack }
  const disable = own.disable?.filter((id) => id !== everyRule) ?? []
  const some = { ...own, disable }
  const isOn = rules.some((id) => !leavesOut(given === undefined ? some : changedPack(given, some), id))
  return isOn ? some : { ...own, disable: [] }
}

/** Replaces the entry of a pack, key by key: what does not change keeps its layout. */
function withEntry(document: JsonDocument, { own, index, given }: PackState, next: PackHook | undefined): JsonDocument {
  const entry = next === undefined ? undefined : withoutEmpty(next)
  if (own !== undefined && isDeepStrictEqual(withoutEmpty(own), entry)) return document
  // An entry that changes nothing of the preset's is none.
  const isNone = entry === undefined || (given !== undefined && Object.keys(entry).length === 1)
  if (own === undefined) {
    if (isNone) return document
    return setValue(document, ['packs', packsOfFile(document).entries.length], entry)
  }
  if (isNone) return withContent(removeValue(document, ['packs', index]))
  const keys = ['params', 'disable', 'mode'] as const
  return keys.reduce((changed, key) => {
    const path = ['packs', index, key]
    const value = entry[key]
    if (JSON.stringify(own[key]) === JSON.stringify(value)) return changed
    if (key !== 'params' || value === undefined || own.params === undefined) {
      return value === undefined ? removeValue(changed, path) : setValue(changed, path, value)
    }
    return withParams(changed, path, own.params, entry.params ?? {})
  }, document)
}

function withParams(
  document: JsonDocument,
  path: readonly (string | number)[],
  before: JsonObject,
  after: JsonObject,
): JsonDocument {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return names.reduce((changed, name) => {
    const value = after[name]
    if (JSON.stringify(before[name]) === JSON.stringify(value)) return changed
    return value === undefined ? removeValue(changed, [...path, name]) : setValue(changed, [...path, name], value)
  }, document)
}

function withoutEmpty({ params = {}, disable = [], mode, ...rest }: PackHook): PackHook {
  return {
    ...rest,
    ...(Object.keys(params).length > 0 && { params }),
    ...(disable.length > 0 && { disable }),
    ...(mode !== undefined && { mode }),
  }
}

/** Returns the params of a pack as the file would give them, those of its preset included. */
export function paramsIn(document: JsonDocument, target: PackTarget): JsonObject {
  const { own, given } = stateIn(packsOfFile(document), target)
  if (own === undefined || given === undefined) return (own ?? given)?.params ?? {}
  return changedPack(given, own).params ?? {}
}
