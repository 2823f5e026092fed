import type { RuleMode } from '../../model/effect.ts'
import { HookgateError } from '../../model/errors.ts'
import { quoted } from '../../model/text.ts'
import type { JsonDocument } from '../../install/json/document.ts'
import { removeValue, setValue } from '../../install/json/edit.ts'
import { packsOfFile, presetNamed } from './packs-of-file.ts'
import { withContent } from './with-content.ts'

/** A change of the preset that a rules file turns on. */
export interface PresetChange {
  readonly turn: 'on' | 'off' | undefined
  readonly mode: RuleMode | undefined
}

/** Turns a preset on or off in a rules file, and sets its mode. @throws HookgateError `usage`, `settingsMalformed` */
export function changePreset(document: JsonDocument, name: string, { turn, mode }: PresetChange): JsonDocument {
  const before = packsOfFile(document).preset?.name
  if (turn === 'off') {
    return before === name ? withContent(removeValue(document, ['preset'])) : document
  }
  const turned = turn === 'on' && before !== name ? setValue(document, ['preset'], name) : document
  if (mode === undefined) return turned
  if (turn === undefined && before !== name) {
    throw new HookgateError('usage', `the preset ${quoted(name)} is not on`, { remedy: 'add `--on`' })
  }
  return withMode(turned, name, mode)
}

/** Sets the mode of a preset, which is the mode of the whole file: presets with a fixed mode cannot be changed. */
function withMode(document: JsonDocument, name: string, mode: RuleMode): JsonDocument {
  const own = presetNamed(name).mode
  if (own === mode) return document
  if (own !== undefined) {
    const remedy = '`hookgate packs strict --on` refuses what it reports'
    throw new HookgateError('usage', `the preset ${quoted(name)} always has the mode ${quoted(own)}`, { remedy })
  }
  if ((packsOfFile(document).mode ?? 'enforce') === mode) return document
  return mode === 'enforce' ? removeValue(document, ['mode']) : setValue(document, ['mode'], mode)
}

/** Returns notes on what a change of a preset means for the rest of the file. */
export function presetNotes(document: JsonDocument, { turn, mode }: PresetChange): readonly string[] {
  const { entries, preset, others, mode: modeOfFile } = packsOfFile(document)
  if (turn === 'off') {
    const names = entries.map(({ hook }) => hook.pack)
    return names.length === 0 ? [] : [`what the file lists in \`packs\` stays on: ${names.join(', ')}`]
  }
  if (mode === undefined) {
    return modeOfFile === 'observe' ? ['the file as a whole only observes: `--enforce` has its refusals count'] : []
  }
  const own = entries.filter(({ hook }) => hook.mode !== undefined && hook.mode !== mode)
  const isOfFile = preset?.mode === undefined && (others.includes('hooks') || others.includes('permissions'))
  return [
    ...(isOfFile ? ['the mode is that of the whole file: its `hooks` and `permissions` have it too'] : []),
    ...own.map(({ hook }) => `the pack ${quoted(hook.pack)} keeps a mode of its own: ${quoted(hook.mode ?? '')}`),
  ]
}
