import { agentNames, type KnownAgent } from './registry.ts'
import type { Dialect } from '../model/dialect.ts'
import { HookgateError } from '../model/errors.ts'
import type { JsonObject } from '../model/json.ts'
import { quoted } from '../model/text.ts'

/** Loaded lazily: deciding one event needs one dialect, and all of them together are a third of the startup time. */
const loaders: Readonly<Record<KnownAgent, () => Promise<Dialect>>> = {
  'claude-code': async () => (await import('./claude-code/wire.ts')).dialect,
  cline: async () => (await import('./cline/dialect.ts')).cline,
  'gemini-cli': async () => (await import('./gemini-cli/wire.ts')).dialect,
  codex: async () => (await import('./codex/wire.ts')).dialect,
  'copilot-cli': async () => (await import('./copilot-cli/wire.ts')).dialect,
  'qwen-code': async () => (await import('./qwen-code/wire.ts')).dialect,
  droid: async () => (await import('./droid/wire.ts')).dialect,
  opencode: async () => (await import('./opencode/wire.ts')).dialect,
  cursor: async () => (await import('./cursor/wire.ts')).dialect,
  vscode: async () => (await import('./vscode/wire.ts')).dialect,
  windsurf: async () => (await import('./windsurf/wire.ts')).dialect,
}

/** Caches loaded dialects, since even a warm `import()` takes microseconds (measured: 5), and every event needs one. */
const loaded = new Map<string, Dialect>()

/**
 * Loads the dialect of an agent.
 *
 * @throws HookgateError `agentUnknown` if there is no such agent, including values that untyped callers pass
 */
export async function dialectOf(agent: string): Promise<Dialect> {
  const there = loaded.get(agent)
  if (there !== undefined) return there
  const known = agentNames.find((name) => name === agent)
  if (known !== undefined) {
    const dialect = await loaders[known]()
    loaded.set(agent, dialect)
    return dialect
  }
  const remedy = `use one of ${agentNames.join(', ')}`
  throw new HookgateError('agentUnknown', `there is no agent ${quoted(nameIn(agent))}`, { remedy })
}

/** Untyped callers may pass a non-string, which may throw when converted. */
const nameIn = (agent: unknown): string => (typeof agent === 'string' ? agent : (JSON.stringify(agent) ?? typeof agent))

/** Loads the dialects of all agents, in the order of `AgentName`. */
export function allDialects(): Promise<readonly Dialect[]> {
  return Promise.all(agentNames.map(dialectOf))
}

/**
 * Finds the one dialect that recognises an event's shape.
 *
 * @throws HookgateError `agentUnknown` if none does or more than one; the environment is not considered, since five
 * agents export `CLAUDE_PROJECT_DIR`
 */
export async function dialectBySight(wire: JsonObject): Promise<Dialect> {
  const [only, ...others] = (await allDialects()).filter((dialect) => dialect.recognises(wire))
  if (only !== undefined && others.length === 0) return only
  throw new HookgateError('agentUnknown', 'the event does not say which agent sent it', {
    remedy: `name it: --agent ${agentNames.join(' | ')}`,
  })
}
