import { agentNames, type KnownAgent } from './registry.ts'
import type { Dialect } from '../model/dialect.ts'
import { HookgateError } from '../model/errors.ts'
import type { JsonObject } from '../model/json.ts'
import { quoted } from '../model/text.ts'

/** Each is loaded when it is needed: whoever decides one event hears one agent, and all of them are a third of a start. */
const loaders: Readonly<Record<KnownAgent, () => Promise<Dialect>>> = {
  'claude-code': async () => (await import('./claude-code/dialect.ts')).claudeCode,
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

/** Node takes some microseconds to find that a module is there already (measured: 5, warm), and every event asks. */
const loaded = new Map<string, Dialect>()

/** The dialect of an agent. @throws HookgateError `agentUnknown` where there is no such agent, whatever the types say */
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

/** Whatever the types say: an object may throw when it is made a text of. */
const nameIn = (agent: unknown): string => (typeof agent === 'string' ? agent : (JSON.stringify(agent) ?? typeof agent))

/** All of them, in the order of `AgentName`. */
export function allDialects(): Promise<readonly Dialect[]> {
  return Promise.all(agentNames.map(dialectOf))
}

/**
 * The one dialect that recognises an event's shape.
 *
 * @throws HookgateError `agentUnknown` where none does or more than one; the environment is never asked, since five
 * agents export `CLAUDE_PROJECT_DIR`
 */
export async function dialectBySight(wire: JsonObject): Promise<Dialect> {
  const [only, ...others] = (await allDialects()).filter((dialect) => dialect.recognises(wire))
  if (only !== undefined && others.length === 0) return only
  throw new HookgateError('agentUnknown', 'the event does not say which agent sent it', {
    remedy: `name it: --agent ${agentNames.join(' | ')}`,
  })
}
