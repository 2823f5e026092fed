import { homedir } from 'node:os'
import { isAbsolute } from 'node:path'
import type { HookEvent } from '../model/event.ts'
import type { ShellSurroundings } from '../model/shell.ts'
import { stuckRoots } from './stuck-roots.ts'
import { withRealPaths } from './real-facts.ts'
import { type FindToolFacts, noToolFacts, type ToolCall, type ToolFacts } from '../model/tool-facts.ts'

/** What finds them, with everything that is known of programs behind it, is loaded with the first call. */
export function openToolFacts(): FindToolFacts {
  let opened: Promise<(call: ToolCall, around: ShellSurroundings) => ToolFacts> | undefined
  return async (call, around) => {
    if (isEmpty(call)) return noToolFacts
    const find = await (opened ??= loaded())
    return find(call, around)
  }
}

const loaded = async () => (await import('./tool-facts.ts')).toolFacts

type Environment = Readonly<Record<string, string | undefined>>

/** @param home the gate's own, for events whose environment names none */
export function openEventFacts(home = homedir()): (event: HookEvent, env: Environment) => Promise<ToolFacts> {
  const find = openToolFacts()
  const stuck = stuckRoots()
  return async ({ action, session, workspaceRoots }, env) => {
    if (action === undefined) return noToolFacts
    const { tool: kind, command, paths = [] } = action
    const call: ToolCall = { kind, paths, ...(command !== undefined && { command }) }
    const named = env['HOME'] ?? ''
    const around: ShellSurroundings = {
      cwd: [session.cwd, ...workspaceRoots].find(isAbsolute) ?? '/',
      home: isAbsolute(named) ? named : home,
      workspaceRoots: workspaceRoots.filter(isAbsolute),
      env: told(env),
    }
    return withRealPaths(await find(call, around), around, stuck)
  }
}

const isEmpty = ({ kind, command, paths }: ToolCall) =>
  paths.length === 0 && (kind !== 'shell' || command === undefined || command === '')

/**
 * Variables whose values policies may come to know of by what commands make of them: places and names. Everything else
 * of an environment may be a secret.
 */
const harmless = ['TMPDIR', 'USER', 'LOGNAME', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_CACHE_HOME'] as const

function told(env: Environment): Environment {
  return Object.fromEntries(harmless.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])))
}
