import { homedir, userInfo } from 'node:os'
import { resolve } from 'node:path'
import type { GateOptions } from '../../gate/gate.ts'
import { placesFor } from '../../rules/places.ts'
import type { Environment } from '../../model/node-environment.ts'

/**
 * Returns a check of whether `hookgate run` in a given environment would look for rules and pins where this gate does.
 * A gate that does not discover rules has the same for everyone: those that its embedder gave it.
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
    // Such a gate has no rules at all, and reports that itself.
    return ''
  }
}

/** Returns what `os.homedir()` would return in that environment. */
function homeOf({ HOME, USERPROFILE }: Environment): string {
  const named = process.platform === 'win32' ? USERPROFILE : HOME
  if (named !== undefined) return named
  try {
    return userInfo().homedir
  } catch {
    return ''
  }
}
