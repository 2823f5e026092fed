import { dirname, join, resolve } from 'node:path'
import { z } from 'zod'
import { shippedFolder } from '../../files/policy-files.ts'
import { type JsonDocument, malformed, removeValue, setValue } from '../../install/json/edit.ts'
import { RuleMode } from '../../model/effect.ts'
import { HookgateError } from '../../model/errors.ts'
import { isShippedName, readPreset } from '../../rules/load/pack.ts'
import { PackHook, type Preset } from '../../rules/load/wire.ts'

/** The keys of a rules file that turn packs on. */
const PackKeys = z.looseObject({
  mode: RuleMode.optional(),
  preset: z.string().optional(),
  packs: z.array(PackHook).default([]),
})

/** The packs of a rules file. */
export interface PacksOfFile {
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
