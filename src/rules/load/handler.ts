import type { AgentName } from '../../model/event.ts'
import type { CommandHandler, Program } from '../../model/rule.ts'
import { type Refusal, refused } from '../../model/problem.ts'
import type { CommandHook } from './wire.ts'

/** Returns the handler that a hook of a rules file describes. */
export function handlerOf(hook: CommandHook, dialect: AgentName, pluginRoot: string | undefined): CommandHandler {
  return {
    kind: 'command',
    dialect,
    program: programOf(hook),
    env: pluginRoot === undefined ? {} : { CLAUDE_PLUGIN_ROOT: pluginRoot },
    // Per the plugin format's reference, the output of a PostToolUse hook is a message for the model.
    plainTextEvents: pluginRoot === undefined ? [] : ['PostToolUse'],
    // hookgate cannot wake the agent later, so without waiting the answer of an `asyncRewake` hook would be lost.
    async: hook.async === true && hook.asyncRewake !== true,
  }
}

/**
 * Returns the program that a hook starts. `args` select the exec form.
 *
 * Their `${…}` are not expanded here, since only the event says where the project is; in shell form they are variables
 * for the shell. Claude Code runs `/bin/sh` for `bash` too (measured on 2.1.329).
 */
function programOf({ command, args, shell }: CommandHook): Program {
  if (args !== undefined) return { form: 'exec', file: command, args }
  return { form: 'shell', shell: shell === 'powershell' ? 'powershell' : 'sh', command }
}

/**
 * Refuses `CLAUDE_PLUGIN_ROOT` outside a plugin, where it is empty: `${CLAUDE_PLUGIN_ROOT}/guard.sh` would be at the
 * disk's root.
 */
export function misplacedVariable(hook: CommandHook, pluginRoot: string | undefined): Refusal | undefined {
  if (pluginRoot !== undefined) return undefined
  const used = [hook.command, ...(hook.args ?? [])].some((text) =>
    /\$(?:\{CLAUDE_PLUGIN_ROOT\}|CLAUDE_PLUGIN_ROOT\b)/.test(text),
  )
  return used
    ? refused('`${CLAUDE_PLUGIN_ROOT}` is only set in plugins', 'write `${CLAUDE_PROJECT_DIR}`, or a path')
    : undefined
}
