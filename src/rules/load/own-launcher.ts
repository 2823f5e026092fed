import { commandsIn, isLaunch, ownHookAgent, ownHookBytesMax } from '../../model/own-hook.ts'
import type { Program } from '../../model/rule.ts'
import { type Disk, isUnreadable } from '../disk.ts'

/** One that has rules of its own is a guard. It asks a gate that may ask it in turn, which `limits.depthMax` ends. */
const ownRules = /[ \t]["']?--(?:rules|no-discover)\b/

const launches = (command: string) => isLaunch(command) && !ownRules.test(command)

/**
 * Whether a hook is nothing but the way an agent calls hookgate. The gate stands in the very folders that it searches,
 * and one that runs itself as a hook would never end. A hook that does anything besides is not one of these.
 */
export function isOwnLauncher(program: Program, disk: Disk): boolean {
  switch (program.form) {
    case 'shell':
      return launches(program.command)
    case 'exec':
      return launches([program.file, ...program.args].join(' '))
    case 'script': {
      // A launcher is a few lines; what is larger does more than to call us.
      const bytes = disk.read(program.file, ownHookBytesMax)
      if (isUnreadable(bytes)) return false
      const script = new TextDecoder().decode(bytes)
      return ownHookAgent(script) !== undefined || launches(commandsIn(script))
    }
  }
}

/** What is said of a hook that is left out for it. */
export const isAsked = (id: string) => `${id} is how hookgate is asked, and no hook for it to run`
