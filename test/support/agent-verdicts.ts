import { dialects } from './dialects.ts'
import type { KnownAgent } from '../../src/agents/registry.ts'
import type { HookEvent } from '../../src/model/event.ts'
import type { JsonObject } from '../../src/model/json.ts'
import { abstention, type Verdict } from '../../src/model/verdict.ts'

const around = { nowMs: 1_790_000_000_000, env: {}, cwd: '/home/someone/project' }

/** The working directory of these tests' events. */
export const root = '/home/someone/project'

/** Decodes an agent's event. */
export const decoded = (agent: KnownAgent, wire: JsonObject): HookEvent => dialects[agent].decodeEvent(wire, around)

/** Verdicts by their effect. */
export const verdicts = {
  abstain: abstention,
  allow: verdict({ decision: 'allow', reason: 'fine' }),
  ask: verdict({ decision: 'ask', reason: 'sure?' }),
  deny: verdict({ decision: 'deny', cancel: true, reason: 'no' }),
  denyWithoutReason: verdict({ decision: 'deny', cancel: true, reason: '' }),
  context: verdict({ context: 'know this' }),
  notice: verdict({ notices: ['a hook broke'] }),
  stop: verdict({ obligations: [{ kind: 'stop', reason: 'enough' }] }),
  rewrite: verdict({ obligations: [{ kind: 'replaceInput', input: { command: 'ls' } }] }),
} as const
export type VerdictName = keyof typeof verdicts

function verdict(more: Partial<Verdict>): Verdict {
  return { ...abstention, ...more }
}

/** Encodes a verdict for an agent: stdout, stderr and exit code. */
export function answerTo(agent: KnownAgent, wire: JsonObject, name: VerdictName): readonly [string, string, number] {
  const { stdout, stderr, exitCode } = dialects[agent].encodeVerdict(decoded(agent, wire), verdicts[name])
  return [stdout, stderr, exitCode]
}

/** Serialises an object as one line of JSON, or nothing. */
export const line = (object: object | undefined) => (object === undefined ? '' : `${JSON.stringify(object)}\n`)
