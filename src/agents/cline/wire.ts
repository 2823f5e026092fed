import type { Dialect, HookEnvironment, Surroundings } from '../../model/dialect.ts'
import type { JsonObject } from '../../model/json.ts'
import { support } from './engine.ts'
import { decodeAnswer } from './decode-answer.ts'
import { decodeEvent } from './decode-event.ts'
import { encodeEvent } from './encode-event.ts'
import { encodeVerdict } from './encode-verdict.ts'
import { withInput } from './with-input.ts'
import { isAbsolute, join, relative } from 'node:path'
import { definedVariables, existingFolder } from '../codec/environment.ts'
import type { HookEvent } from '../../model/event.ts'
import type { CommandHandler } from '../../model/rule.ts'

/**
 * The dialect of Cline.
 *
 * Hooks get events in the published protocol, that of engine A; as a caller, each of the three engines gets the answer
 * that it understands (see `engine.ts`).
 */
export const dialect: Dialect = {
  agent: 'cline',
  namesProject: true,
  events: [
    'PreToolUse',
    'PostToolUse',
    'UserPromptSubmit',
    'SessionStart',
    'SessionEnd',
    'Stop',
    'StopFailure',
    'PreCompact',
    'Notification',
  ],
  recognises,
  decodeEvent,
  support,
  encodeVerdict,
  encodeEvent,
  withInput,
  environment,
  decodeAnswer,
}

/** Recognises Cline by the names of the event and its task; Claude Code and its kin use another key for the event. */
function recognises(wire: JsonObject): boolean {
  if (Object.hasOwn(wire, 'hook_event_name')) return false
  const named = typeof (wire['hookName'] ?? wire['hook_name']) === 'string'
  return named && ['taskId', 'task_id', 'clineVersion', 'cline_version'].some((key) => Object.hasOwn(wire, key))
}

/**
 * Returns a hook's environment and working directory as Cline sets them.
 *
 * The environment is Cline's own; the working directory is the root that a workspace's hook belongs to, or the primary
 * root for a global hook (since 3.56.0).
 */
function environment(
  { workspaceRoots, session }: HookEvent,
  handler: CommandHandler,
  inherited: Surroundings['env'],
): HookEnvironment {
  const own = workspaceRoots.filter((root) => isHookOf(root, handler)).slice(0, 1)
  return {
    cwd: existingFolder([...own, ...workspaceRoots.slice(0, 1), session.cwd]),
    env: { ...definedVariables(inherited), ...handler.env },
  }
}

/** Compares whole path segments: Cline compares prefixes, so that its root `/a/app` claims the hooks of `/a/app2`. */
function isHookOf(root: string, { program }: CommandHandler): boolean {
  if (program.form !== 'script') return false
  const within = relative(join(root, '.clinerules', 'hooks'), program.file)
  return within !== '' && within.split(/[/\\]/)[0] !== '..' && !isAbsolute(within)
}
