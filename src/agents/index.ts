import { AgentName } from '../model/agents.ts'
import type { Dialect } from '../model/dialect.ts'
import { HookgateError } from '../model/errors.ts'
import type { JsonObject } from '../model/json.ts'
import { quoted } from '../model/text.ts'

/** Each is loaded when it is needed: whoever decides one event hears one agent, and all of them are a third of a start. */
const loaders: Readonly<Record<AgentName, () => Promise<Dialect>>> = {
  'claude-code': async () => (await import('./claude-code/dialect.ts')).claudeCode,
  cline: async () => (await import('./cline/dialect.ts')).cline,
  'gemini-cli': async () => (await import('./gemini-cli/dialect.ts')).geminiCli,
  codex: async () => (await import('./codex/dialect.ts')).codex,
  'copilot-cli': async () => (await import('./copilot-cli/dialect.ts')).copilotCli,
  'qwen-code': async () => (await import('./qwen-code/dialect.ts')).qwenCode,
  droid: async () => (await import('./droid/dialect.ts')).droid,
  opencode: async () => (await import('./opencode/dialect.ts')).opencode,
  cursor: async () => (await import('./cursor/dialect.ts')).cursor,
  vscode: async () => (await import('./vscode/dialect.ts')).vscode,
  windsurf: async () => (await import('./windsurf/dialect.ts')).windsurf,
}

/** Node takes some microseconds to find that a module is there already (measured: 5, warm), and every event asks. */
const loaded = new Map<AgentName, Dialect>()

/** The dialect of an agent. @throws HookgateError `agentUnknown` where there is no such agent, whatever the types say */
export async function dialectOf(agent: AgentName): Promise<Dialect> {
  const known = loaded.get(agent)
  if (known !== undefined) return known
  if (typeof agent === 'string' && Object.hasOwn(loaders, agent)) {
    const dialect = await loaders[agent]()
    loaded.set(agent, dialect)
    return dialect
  }
  const remedy = `use one of ${AgentName.options.join(', ')}`
  throw new HookgateError('agentUnknown', `there is no agent ${quoted(nameIn(agent))}`, { remedy })
}

/** Whatever the types say: an object may throw when it is made a text of. */
const nameIn = (agent: unknown): string => (typeof agent === 'string' ? agent : (JSON.stringify(agent) ?? typeof agent))

/** All of them, in the order of `AgentName`. */
export function allDialects(): Promise<readonly Dialect[]> {
  return Promise.all(AgentName.options.map(dialectOf))
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
    remedy: `name it: --agent ${AgentName.options.join(' | ')}`,
  })
}
