import { existsSync, readdirSync } from 'node:fs'
import type { SettingsReader } from '../agents/install/install.ts'
import { settingsValues } from '../files/settings-values.ts'
import { lookAt } from './files/look-at.ts'

/** Reads settings as their agents do. */
export const settings: SettingsReader = {
  exists: existsSync,
  text: textOf,
  list: namesIn,
  ...settingsValues(textOf),
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).toSorted()
  } catch {
    return []
  }
}

function textOf(file: string): string | undefined {
  try {
    return lookAt(file, undefined).present?.bytes.toString()
  } catch {
    return undefined
  }
}
