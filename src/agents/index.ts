import { agentNames, descriptorOf } from './registry.ts'
import { type AnswerChannel, senderAmong } from './sender.ts'
import type { Answer, Dialect, Surroundings } from '../model/dialect.ts'
import { HookgateError } from '../model/errors.ts'
import type { JsonObject } from '../model/json.ts'
import { quoted } from '../model/text.ts'
import type { EventName } from '../model/event.ts'

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
    const dialect = await load(known)
    loaded.set(agent, dialect)
    return dialect
  }
  const remedy = `use one of ${agentNames.join(', ')}`
  throw new HookgateError('agentUnknown', `there is no agent ${quoted(nameIn(agent))}`, { remedy })
}

/**
 * Loads the dialect in an agent's folder, which has its name.
 *
 * Only when needed: deciding one event needs one dialect, and all of them together are a third of the startup time.
 */
async function load(agent: string): Promise<Dialect> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- test/architecture.test.ts checks each agent's file
  const module = (await import(`./${agent}/wire.ts`)) as { readonly dialect: Dialect }
  return module.dialect
}

/** Untyped callers may pass a non-string, which may throw when converted. */
const nameIn = (agent: unknown): string => (typeof agent === 'string' ? agent : (JSON.stringify(agent) ?? typeof agent))

/** Loads the dialects of all agents, in the order of the registry. */
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
  const claimants = await claimantsOf(wire)
  const [only, ...others] = claimants
  if (only !== undefined && others.length === 0) return only
  const names = claimants.map(({ agent }) => agent)
  const why =
    only === undefined
      ? 'the event does not say which agent sent it'
      : `the event could be from any of these agents: ${names.join(', ')}`
  throw new HookgateError('agentUnknown', why, {
    remedy: `name it: --agent ${(only === undefined ? agentNames : names).join(' | ')}`,
  })
}

/**
 * Returns the dialect in which to answer an event that was sent to a hook of the named agent. It is that agent's, if the
 * event may be its own.
 *
 * @throws HookgateError `agentUnknown` if there is no such agent
 */
export async function dialectFor(
  agent: string,
  wire: JsonObject,
  around: Surroundings,
  channel: AnswerChannel,
): Promise<Dialect> {
  const registered = await dialectOf(agent)
  if (registered.recognises(wire)) return registered
  return senderAmong(await claimantsOf(wire), registered, wire, around, channel)
}

const claimantsOf = async (wire: JsonObject): Promise<readonly Dialect[]> =>
  (await allDialects()).filter((dialect) => dialect.recognises(wire))

/**
 * Returns the body of an HTTP response, with status 200, that means the same as a hook's stdout and exit code.
 *
 * It is empty if there is nothing to say. For an agent without HTTP hooks it is the stdout of a hook.
 *
 * @param event `undefined` if the request is not a valid event
 */
export function httpBody(agent: string, answer: Answer, event: EventName | undefined): string {
  return descriptorOf(agent)?.httpBody?.(answer, event) ?? answer.stdout
}
