import { isAbsolute } from 'node:path'
import { bareCommand, commandsIn, isLaunch, ownHookAgent, ownHookBytesMax } from '../../model/own-hook.ts'
import type { Program } from '../../model/rule.ts'
import { type Disk, isUnreadable } from '../../model/disk.ts'

/** A launch with rules of its own is a guard. Its gate may call itself in turn, which `limits.depthMax` ends. */
const ownRules = /[ \t]["']?--(?:rules|no-discover)\b/

const launches = (command: string) => isLaunch(command) && !ownRules.test(command)

/**
 * Returns whether a hook is nothing but an agent's call of hookgate.
 *
 * The gate's own hooks are in the folders that it searches, and running itself as a hook would never end. A hook that
 * does anything else besides does not count.
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

/**
 * Recognises a shell, its options, and a hookgate script: `hookgate enable` writes these for agents that name commands.
 */
function runsOwnFile(words: readonly string[], disk: Disk): boolean {
  const file = words.at(-1)?.replaceAll(/["']/g, '') ?? ''
  if (!isAbsolute(file) || words.slice(1, -1).some((word) => !word.startsWith('-'))) return false
  const script = scriptAt(file, disk)
  return script !== undefined && ownHookAgent(script) !== undefined
}

/** Reads a script of a launcher's size; a larger one does more than call hookgate. */
function scriptAt(file: string, disk: Disk): string | undefined {
  const bytes = disk.see(file) === 'file' ? disk.read(file, ownHookBytesMax) : undefined
  return bytes === undefined || isUnreadable(bytes) ? undefined : new TextDecoder().decode(bytes)
}
