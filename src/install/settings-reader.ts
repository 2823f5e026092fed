import { existsSync } from 'node:fs'
import { entryNames } from '../files/entry-names.ts'
import type { SettingsReader } from '../agents/install/install.ts'
import { settingsValues } from '../files/settings-values.ts'
import { lookAt } from './files/look-at.ts'

/** Reads settings as their agents do. */
export const settings: SettingsReader = {
  exists: existsSync,
  text: settingsText,
  list: entryNames,
  ...settingsValues(settingsText),
}

function settingsText(file: string): string | undefined {
  try {
    return lookAt(file, undefined).present?.bytes.toString()
  } catch {
    return undefined
  }
}
