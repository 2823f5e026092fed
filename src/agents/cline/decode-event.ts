import { isAbsolute, resolve } from 'node:path'
import type { z } from 'zod'
import type { Surroundings } from '../../model/dialect.ts'
import type { HookEvent } from '../../model/event.ts'
import type { JsonObject } from '../../model/json.ts'
import { deepFreeze } from '../../model/freeze.ts'
import { mismatch } from '../codec/mismatch.ts'
import { conversationFile, type TaskIds } from './conversation.ts'
import { decodeClassic } from './decode-classic.ts'
import { decodeSdk } from './decode-sdk.ts'
import { engineOf } from './engine.ts'
import { malformed } from './event-parts.ts'
import { ClassicInput, SdkInput } from './schemas.ts'

/**
 * Decodes an event of any Cline engine.
 *
 * @throws HookgateError `eventMalformed`, naming the field
 */
export function decodeEvent(wire: JsonObject, surroundings: Surroundings): HookEvent {
  return deepFreeze(engineOf(wire) === 'sdk' ? fromSdk(wire, surroundings) : fromClassic(wire, surroundings))
}

function fromClassic(wire: JsonObject, surroundings: Surroundings): HookEvent {
  const input = read(ClassicInput, wire)
  const workspaceRoots = absolute(input.workspaceRoots, surroundings)
  const model = modelOf(input.model)
  return {
    ...decodeClassic(input),
    agent: 'cline',
    session: {
      id: input.taskId,
      cwd: workspaceRoots[0] ?? surroundings.cwd,
      ...transcriptOf({ task: input.taskId, session: '' }, surroundings),
      ...(model === undefined ? {} : { model }),
    },
    workspaceRoots,
    atMs: timeOf(input.timestamp) ?? surroundings.nowMs,
    raw: wire,
  }
}

function fromSdk(wire: JsonObject, surroundings: Surroundings): HookEvent {
  const input = read(SdkInput, wire)
  const rootPath = input.workspaceInfo?.rootPath ?? ''
  const roots = input.workspaceRoots.length === 0 && rootPath !== '' ? [rootPath] : input.workspaceRoots
  const workspaceRoots = absolute(roots, surroundings)
  return {
    ...decodeSdk(input),
    agent: 'cline',
    session: {
      id: input.taskId,
      cwd: rootPath === '' ? (workspaceRoots[0] ?? surroundings.cwd) : resolve(surroundings.cwd, rootPath),
      ...transcriptOf({ task: input.taskId, session: input.sessionContext?.rootSessionId ?? '' }, surroundings),
      // The top-level agent has an `agent_id` too; only a sub-agent has a parent.
      ...(input.parent_agent_id === null ? {} : { agentId: input.agent_id }),
    },
    workspaceRoots,
    atMs: timeOf(input.timestamp) ?? surroundings.nowMs,
    raw: wire,
  }
}

function transcriptOf(ids: TaskIds, { env }: Surroundings): Pick<HookEvent['session'], 'transcriptPath'> {
  const transcriptPath = conversationFile(ids, env)
  return transcriptPath === undefined ? {} : { transcriptPath }
}

function read<Schema extends z.ZodType>(schema: Schema, wire: JsonObject): z.infer<Schema> {
  const result = schema.safeParse(wire, { reportInput: true })
  if (result.success) return result.data
  throw malformed(mismatch(result.error.issues))
}

const absolute = (roots: readonly string[], { cwd }: Surroundings) =>
  roots.map((root) => (isAbsolute(root) ? root : resolve(cwd, root)))

/** Reads the model. Cline writes `unknown` if it knows none (engine B always). */
function modelOf(model: ClassicInput['model']): HookEvent['session']['model'] {
  if (model === undefined) return undefined
  const { provider, slug } = model
  return [provider, slug].every((part) => part === '' || part === 'unknown') ? undefined : { provider, slug }
}

/** Parses a timestamp: engines A and B write milliseconds in decimal, engine C an ISO date. */
function timeOf(timestamp: string): number | undefined {
  const ms = /^\d+$/.test(timestamp) ? Number(timestamp) : Date.parse(timestamp)
  return Number.isSafeInteger(ms) ? ms : undefined
}
