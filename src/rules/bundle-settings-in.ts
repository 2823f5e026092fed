import { join } from 'node:path'
import { BundleEntry, type BundleSettings } from '../model/bundle-settings.ts'
import { type Disk, isUnreadable } from '../model/disk.ts'
import { managedRulesFile, parseJson } from '../files/parse-json.ts'
import { isJsonObject } from '../model/json.ts'
import { limits } from '../model/limits.ts'
import type { RulesPlaces } from './places.ts'

/** Returns what the managed hooks.json says about a bundle. A file that is wrong is reported where it is loaded. */
export function bundleSettingsIn({ managedFolder, discover }: RulesPlaces, disk: Disk): BundleSettings | undefined {
  const file = join(managedFolder, 'hooks.json')
  if (!discover || disk.see(file) !== 'file') return undefined
  const bytes = disk.read(file, limits.rulesFileBytesMax)
  // Most files name none, and need not be parsed twice.
  if (isUnreadable(bytes) || !new TextDecoder().decode(bytes).includes('"bundle"')) return undefined
  const { value } = parseJson(bytes, file, managedRulesFile)
  return isJsonObject(value) ? BundleEntry.safeParse(value['bundle']).data : undefined
}
