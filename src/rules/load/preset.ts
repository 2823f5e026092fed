import { z } from 'zod'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { presetNames, presetsFolder } from '../../files/policy-files.ts'
import type { Refusal } from '../../model/problem.ts'
import type { Json } from '../../model/json.ts'
import { ListChange } from '../../words/policy-params.ts'
import { didYouMean } from '../../words/suggest.ts'
import { quoted } from '../../model/text.ts'
import { notShipped } from './not-shipped.ts'
import { type PackHook, Preset } from './wire.ts'

/** Reads a preset, a named choice of packs that hookgate ships. */
export function readPreset(name: string): Preset | Refusal {
  const known = presetNames()
  if (!known.includes(name)) {
    const remedy = didYouMean(name, known) ?? `there are ${known.map(quoted).join(', ')}`
    return notShipped(`hookgate has no preset ${quoted(name)}`, remedy)
  }
  return shippedPreset(name)
}

/** @param name of an existing preset */
export const shippedPreset = (name: string): Preset =>
  Preset.parse(JSON.parse(readFileSync(join(presetsFolder, `${name}.json`), 'utf8')))

/**
 * Changes a preset's entry of a pack by an entry of the same pack in the file that names the preset: what the file says
 * counts, and all else stays as the preset has it. Rules that it leaves out are left out as well.
 */
export function changedPack(preset: PackHook, own: PackHook): PackHook {
  const params = Object.entries(own.params ?? {}).map(
    ([name, value]) => [name, changedParam(preset.params?.[name], value)] as const,
  )
  return {
    ...preset,
    ...own,
    params: { ...preset.params, ...Object.fromEntries(params) },
    disable: [...(own.disable ?? []), ...(preset.disable ?? []).filter((id) => own.disable?.includes(id) !== true)],
  }
}

/** A change of a list is one of the preset's list, where the preset has one. A malformed one is reported later. */
function changedParam(preset: Json | undefined, own: Json): Json {
  const change = ListChange.safeParse(own).data
  if (change === undefined || preset === undefined) return own
  const list = Texts.safeParse(preset).data
  if (list !== undefined) return [...without(list, change.remove), ...without(change.add, list)]
  const earlier = ListChange.safeParse(preset).data ?? { add: [], remove: [] }
  return {
    add: [...without(earlier.add, change.remove), ...without(change.add, earlier.add)],
    // What only the preset adds is no part of the default list.
    remove: [...without(change.remove, earlier.add), ...without(earlier.remove, [...change.add, ...change.remove])],
  }
}
const Texts = z.array(z.string())

const without = (texts: readonly string[], gone: readonly string[]) => texts.filter((text) => !gone.includes(text))
