import { isAbsolute } from 'node:path'
import { bareCommand, commandsIn, isLaunch, ownHookAgent, ownHookBytesMax } from '../../model/own-hook.ts'
import type { Program } from '../../model/rule.ts'
import { type Disk, isUnreadable } from '../../model/disk.ts'

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
      return launches(program.command) || runsOwnFile(wordsOf(program.command), disk)
    case 'exec':
      return launches([program.file, ...program.args].join(' ')) || runsOwnFile([program.file, ...program.args], disk)
    case 'script': {
      const script = scriptAt(program.file, disk)
      return script !== undefined && (ownHookAgent(script) !== undefined || launches(commandsIn(script)))
    }
  }
}

const wordsOf = (command: string) => bareCommand(command.trim()).split(/\s+/)

/** A shell, its options, and the file of ours that it runs: what `hookgate enable` writes for agents that name commands. */
function runsOwnFile(words: readonly string[], disk: Disk): boolean {
  const file = words.at(-1)?.replaceAll(/["']/g, '') ?? ''
  if (!isAbsolute(file) || words.slice(1, -1).some((word) => !word.startsWith('-'))) return false
  const script = scriptAt(file, disk)
  return script !== undefined && ownHookAgent(script) !== undefined
}

/** A launcher is a few lines; what is larger does more than to call us. */
function scriptAt(file: string, disk: Disk): string | undefined {
  const bytes = disk.see(file) === 'file' ? disk.read(file, ownHookBytesMax) : undefined
  return bytes === undefined || isUnreadable(bytes) ? undefined : new TextDecoder().decode(bytes)
}
