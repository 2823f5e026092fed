import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { presetNames, presetsFolder } from '../../files/policy-files.ts'
import type { Refusal } from '../../model/problem.ts'
import { didYouMean } from '../../model/suggest.ts'
import { quoted } from '../../model/text.ts'
import { notShipped } from './not-shipped.ts'
import { Preset } from './wire.ts'

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
