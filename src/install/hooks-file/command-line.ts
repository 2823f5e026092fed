import { existsSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, isAbsolute } from 'node:path'
import { z } from 'zod'
import type { AgentName } from '../../model/event.ts'
import {
  bareCommand,
  isLaunch,
  orExit,
  orRefuse,
  ownHookAgent,
  ownHookBytesMax,
  unlessGone,
} from '../../model/own-hook.ts'
import type { InstallContext, InstallScope } from '../install-context.ts'
import { type HookCommand, runCommandFor } from '../hook-command.ts'
import { hookFolderOf } from '../hook-files.ts'
import { shellWord } from '../../model/text.ts'
import type { OwnHook } from './listed-agent.ts'

/** A handler of any agent's that runs a command. */
const Handler = z.looseObject({
  command: z.string().optional(),
  bash: z.string().optional(),
  powershell: z.string().optional(),
})

/** Writes the line for a shell. Where nothing could be started at all, the shell itself refuses, or goes on. */
export function commandLine(
  agent: AgentName,
  { command, args }: HookCommand,
  platform: NodeJS.Platform,
  refuses: boolean,
): string {
  const line = [command, ...args].map(platform === 'win32' ? windowsWord : shellWord).join(' ')
  if (platform === 'win32') return line
  const file = args.findLast((word) => isAbsolute(word))
  // A project's file may be read on Windows too, whose shell knows no more than `exit`.
  if (file === undefined) return refuses ? `${line}${orExit}` : line
  if (!refuses) return `${unlessGone(shellWord(file))}${line}`
  return `${line}${orRefuse(shellWord(file), shellWord(`${file} is gone: run \`hookgate enable ${agent}\``))}`
}

/** Reads the command of a handler, under whichever key it stands. */
export function commandIn(handler: unknown): string | undefined {
  const { data } = Handler.safeParse(handler)
  return data?.command ?? data?.bash ?? data?.powershell
}

/**
 * Recognises a handler of `enable`. There is no mark on it, since an agent may void a file for a key that it does not
 * know.
 *
 * INVARIANT: a command counts only as a whole, and only if it does nothing but ask hookgate: what runs one of the files of
 * `enable`, or is to the letter what `enable` writes where there is none.
 */
export function ownCommand(agent: AgentName, context: InstallContext, handler: unknown): OwnHook | undefined {
  const command = commandIn(handler)
  if (command === undefined) return undefined
  const line = bareCommand(command)
  if (context.scope === 'project')
    return line === projectLine(agent) ? { identity: command, file: undefined } : undefined
  const words = wordsOf(line)
  if (words === undefined) return undefined
  const [program = '', first = '', ...rest] = words
  const file = words.at(-1) ?? ''
  if (isAbsolute(program) && /^(?:-p)?$/.test(words.slice(1, -1).join(' ')) && isOwnFile(file, agent, context)) {
    return { identity: command, file }
  }
  const runs = isAbsolute(program) && /^bin\.[jt]s$/.test(basename(first)) && basename(dirname(first)) === 'cli'
  return runs && rest.join(' ') === `run --agent ${agent}` ? { identity: command, file: undefined } : undefined
}

const projectLine = (agent: AgentName) => {
  const { command, args } = runCommandFor(agent, 'project' satisfies InstallScope, { node: '', bin: '' })
  return [command, ...args].join(' ')
}

/** Recognises a file by hookgate's own folder, or by its text: that folder may have been another when it was written. */
function isOwnFile(file: string, agent: AgentName, context: InstallContext): boolean {
  if (dirname(file) === hookFolderOf(agent, context)) return true
  if (basename(dirname(file)) !== agent || !existsSync(file)) return false
  const stats = statSync(file)
  return stats.isFile() && stats.size <= ownHookBytesMax && ownHookAgent(readFileSync(file, 'utf8')) === agent
}

/** Reads the command of a handler with which a person runs hookgate without `enable`. */
export function handCommand(agent: AgentName, context: InstallContext, handler: unknown): string | undefined {
  const command = commandIn(handler)
  const isByHand = command !== undefined && isLaunch(command) && ownCommand(agent, context, handler) === undefined
  return isByHand ? command : undefined
}

/** Splits a command that has nothing but words; `undefined` for any other. */
function wordsOf(line: string): readonly string[] | undefined {
  const word = /(?:[\w@%+=:,./\\-]|'[^']*'|\\'|"[^"$`]*")+/gy
  const words: string[] = []
  for (let at = 0; at < line.length;) {
    word.lastIndex = at
    const found = word.exec(line)?.[0]
    if (found === undefined) return undefined
    words.push(unquoted(found))
    at += found.length
    if (at < line.length && line[at] !== ' ') return undefined
    at += 1
  }
  return words
}

const unquoted = (word: string) =>
  /^["']/.test(word) ? word.replaceAll(`'\\''`, '\0').replace(/["']/g, '').replaceAll('\0', "'") : word
const windowsWord = (word: string) => (/^[\w@+=:,./\\-]+$/.test(word) ? word : `"${word}"`)
