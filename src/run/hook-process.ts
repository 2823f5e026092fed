import type { Dialect, Surroundings } from '../model/dialect.ts'
import type { HookEvent } from '../model/event.ts'
import { limits } from '../model/limits.ts'
import type { HookProcess } from '../model/process.ts'
import type { Program, Rule } from '../model/rule.ts'

/** How many gates a process stands behind: a hook that asks a gate, whose hook asks a gate, … would never end. */
const depthVariable = 'HOOKGATE_DEPTH'

export function depthOf(env: Surroundings['env']): number {
  const depth = Number(env[depthVariable] ?? 0)
  return Number.isSafeInteger(depth) && depth > 0 ? depth : 0
}

/** The process that asks a command hook, in the environment that its own agent would give it. */
export function hookProcess(
  rule: Rule,
  event: HookEvent,
  dialect: Dialect,
  stdin: string,
  defaults: { readonly surroundings: Surroundings; readonly timeoutMs: number },
): HookProcess {
  const inherited = defaults.surroundings.env
  const { cwd, env } = dialect.environment(event, rule.handler, inherited)
  return {
    program: substituted(rule.handler.program, env),
    cwd,
    env: { ...env, [depthVariable]: `${depthOf(inherited) + 1}` },
    stdin,
    timeoutMs: rule.timeoutMs ?? (rule.handler.async ? limits.backgroundTimeoutMs : defaults.timeoutMs),
  }
}

const placeholder = /\$\{(CLAUDE_PROJECT_DIR|CLAUDE_PLUGIN_ROOT)\}/g

/**
 * In exec form there is no shell to expand `${CLAUDE_PROJECT_DIR}`, so it is put in as text, as Claude Code does. In
 * shell form it is an environment variable, and stays one: a path with spaces or quotes must not become shell syntax.
 */
function substituted(program: Program, env: Readonly<Record<string, string>>): Program {
  if (program.form !== 'exec') return program
  const put = (text: string) => text.replace(placeholder, (whole, name: string) => env[name] ?? whole)
  return { form: 'exec', file: put(program.file), args: program.args.map(put) }
}
