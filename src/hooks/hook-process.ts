import type { Dialect, HookEnvironment, Surroundings } from '../model/dialect.ts'
import type { HookEvent } from '../model/event.ts'
import { lazyResource } from '../model/lazy.ts'
import type { CommandRule, HookProcess, Program } from '../model/rule.ts'
import type { HookRunner, HookRunnerOptions } from './runner.ts'

/** Default timeout of an `async` hook, which may run a test suite: Claude Code's default. */
const backgroundTimeoutMs = 600_000

/** Number of gates above a process: a hook that asks a gate, whose hook asks a gate, … would never end. */
const depthVariable = 'HOOKGATE_DEPTH'

export function depthOf(env: Surroundings['env']): number {
  const depth = Number(env[depthVariable] ?? 0)
  return Number.isSafeInteger(depth) && depth > 0 ? depth : 0
}

/** Builds the process of a command hook, with the environment that its own agent would give it. */
export function hookProcess(
  rule: CommandRule,
  event: HookEvent,
  dialect: Dialect,
  stdin: string,
  defaults: { readonly surroundings: Surroundings; readonly timeoutMs: number },
): HookProcess {
  const inherited = defaults.surroundings.env
  const given = dialect.environment(event, rule.handler, inherited)
  const { cwd, env } = atHome(rule, given)
  return {
    program: substituted(rule.handler.program, env),
    cwd,
    env: { ...env, [depthVariable]: `${depthOf(inherited) + 1}` },
    stdin,
    timeoutMs: timeoutOf(rule, defaults.timeoutMs),
  }
}

/** @param defaultMs timeout for awaited hooks that name none */
export const timeoutOf = ({ timeoutMs, handler }: CommandRule, defaultMs: number): number =>
  timeoutMs ?? (handler.async ? backgroundTimeoutMs : defaultMs)

/**
 * A rule that stands in a workspace runs there, wherever the agent has gone with `cd`: its `./guard.sh` is the file that
 * was found, and pinned, beside it, and no other of that name.
 */
function atHome({ source: { workspaceRoot } }: CommandRule, { cwd, env }: HookEnvironment): HookEnvironment {
  if (workspaceRoot === undefined) return { cwd, env }
  return { cwd: workspaceRoot, env: projectVariable in env ? { ...env, [projectVariable]: workspaceRoot } : env }
}
const projectVariable = 'CLAUDE_PROJECT_DIR'

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

/** The hook runner, started with the first hook. */
export function openHooks(options: HookRunnerOptions): Omit<HookRunner, 'warm'> {
  const runner = lazyResource('the hook runner', async () => {
    const { loadHookRunner } = await import('./runner.ts')
    return loadHookRunner(options)
  })
  return {
    run: async (hook, signal) => (runner.current() ?? (await runner.start())).run(hook, signal),
    background: async (hook) => (runner.current() ?? (await runner.start())).background(hook),
    killAll: () => runner.killAll(),
    close: () => runner.close(),
  }
}
