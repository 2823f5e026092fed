import { isDeepStrictEqual } from 'node:util'
import { HookgateError } from '../../model/errors.ts'
import type { JsonObject } from '../../model/json.ts'
import { quoted } from '../../model/text.ts'
import { everyRule, PackHook, type Preset } from '../../rules/load/wire.ts'
import { changedPack, isShippedName, readPreset } from '../../rules/load/pack.ts'
import { removeValue, setValue, type JsonDocument, malformed } from '../../install/json/edit.ts'
import { dirname, join, resolve } from 'node:path'
import { z } from 'zod'
import { shippedFolder } from '../../files/policy-files.ts'
import { RuleMode } from '../../model/effect.ts'

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

/** The keys of a rules file that turn packs on. */
const PackKeys = z.looseObject({
  mode: RuleMode.optional(),
  preset: z.string().optional(),
  packs: z.array(PackHook).default([]),
})

/** The packs of a rules file. */
interface PacksOfFile {
  /** The mode of the file; absent if it sets none. */
  readonly mode: RuleMode | undefined
  readonly preset: (Preset & { readonly name: string }) | undefined
  /** The entries of `packs`, each with the folder of its pack. */
  readonly entries: readonly { readonly hook: PackHook; readonly folder: string }[]
  /** Other keys of the file. */
  readonly others: readonly string[]
}

/** @throws HookgateError `settingsMalformed`, `usage` if there is no such preset */
export function packsOfFile({ text, file, placeOf }: JsonDocument): PacksOfFile {
  const { data } = PackKeys.safeParse(JSON.parse(text))
  if (data === undefined) {
    throw malformed(placeOf([], 'value'), 'its packs cannot be read', '`hookgate check` says what is wrong with them')
  }
  const { mode, preset, packs, ...others } = data
  return {
    mode,
    preset: preset === undefined ? undefined : { ...presetNamed(preset), name: preset },
    entries: packs.map((hook) => ({ hook, folder: packFolder(hook.pack, file) })),
    others: Object.keys(others),
  }
}

const packFolder = (pack: string, file: string) =>
  isShippedName(pack) ? join(shippedFolder, pack) : resolve(dirname(file), pack)

/** @throws HookgateError `usage` */
export function presetNamed(name: string): Preset {
  const preset = readPreset(name)
  if (!('kind' in preset)) return preset
  throw new HookgateError('usage', preset.message, preset.remedy === undefined ? {} : { remedy: preset.remedy })
}

/** Keys that make no rules: a file that has only such keys does not load. */
const notContent = new Set(['$schema', 'description', 'sequential'])

/** Removes an empty `packs` from a rules file, or adds one if the file would have no content and not load. */
export function withContent(document: JsonDocument): JsonDocument {
  const { entries, preset, others } = packsOfFile(document)
  if (entries.length > 0) return document
  const hasContent = preset !== undefined || others.some((key) => !notContent.has(key))
  return hasContent ? removeValue(document, ['packs']) : setValue(document, ['packs'], [])
}
