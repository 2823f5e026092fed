import { homedir, userInfo } from 'node:os'
import { resolve } from 'node:path'
import type { GateOptions } from '../gate.ts'
import { placesFor } from '../rules/places.ts'
import type { Environment } from './gate-environment.ts'

/**
 * Whether `hookgate run` with some environment would look for rules and pins where a gate does. One that discovers none
 * has its rules from whoever started it, and from nowhere else.
 */
export function sameRulesAs({ discover = true, env = process.env, home, managedFolder }: GateOptions) {
  const managed = managedFolder === undefined ? {} : { managedFolder }
  const own = discover ? whereabouts({ env, home: home ?? homedir(), ...managed }) : undefined
  return (theirs: Environment): boolean =>
    own === undefined || whereabouts({ env: theirs, home: homeOf(theirs), ...managed }) === own
}

function whereabouts(options: Parameters<typeof placesFor>[0]): string | undefined {
  try {
    const { home, configFolder, managedFolder } = placesFor(options)
    return [home, configFolder, managedFolder].map((folder) => resolve(folder)).join('\0')
  } catch {
    // It would have no rules at all, and says so itself.
    return ''
  }
}

/** As `os.homedir()` has it of its own environment. */
function homeOf({ HOME, USERPROFILE }: Environment): string {
  const named = process.platform === 'win32' ? USERPROFILE : HOME
  if (named !== undefined) return named
  try {
    return userInfo().homedir
  } catch {
    return ''
  }
}
