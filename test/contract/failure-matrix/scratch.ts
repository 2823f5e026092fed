import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type GatePaths, placesOf } from '../../../src/files/state/places.ts'
import { ensurePlaces } from '../../../src/files/state/own-folder.ts'
import type { RulesFiles } from './failing-rules.ts'

/** A temporary folder with nothing of the user's. */
export interface Scratch {
  readonly folder: string
  readonly work: string
  readonly hooksFolder: string
  /** Creates a home with these rules and a place for a gate. */
  user(name: string, rules: RulesFiles): ScratchUser
  remove(): void
}

export interface ScratchUser {
  readonly home: string
  readonly rulesFolder: string
  readonly places: GatePaths
  readonly env: Readonly<Record<string, string | undefined>>
}

export function makeScratch(env: Readonly<Record<string, string | undefined>>): Scratch {
  // Kept short: a socket's path is limited to about 100 bytes.
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'hookgate-doctor-')))
  const work = join(folder, 'work')
  const hooksFolder = join(folder, 'hooks')
  writeFiles(hooksFolder, { 'not-executable': '#!/bin/sh\nexit 0\n' })
  mkdirSync(work)
  return {
    folder,
    work,
    hooksFolder,
    user(name, rules) {
      const home = join(folder, name, 'home')
      const rulesFolder = join(home, '.config', 'hookgate')
      mkdirSync(rulesFolder, { recursive: true })
      writeFiles(rulesFolder, rules)
      const own = ownEnvironment(env, home, join(folder, name, 'gate'))
      const places = placesOf({ env: own, platform: process.platform, uid: process.getuid?.(), home })
      ensurePlaces(places)
      return { home, rulesFolder, places, env: own }
    },
    // Processes that are being killed may still be writing.
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }),
  }
}

/** The user's environment with other folders for home and gate. */
function ownEnvironment(env: ScratchUser['env'], home: string, gate: string): ScratchUser['env'] {
  const { XDG_CONFIG_HOME: _config, HOOKGATE_DEPTH: _depth, ...rest } = env
  return { ...rest, HOME: home, HOOKGATE_HOME: gate }
}

export function writeFiles(folder: string, files: RulesFiles): void {
  for (const [name, text] of Object.entries(files)) {
    const file = join(folder, name)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
    chmodSync(file, 0o644)
  }
}
