import { z } from 'zod'
import type { AskingProof } from '../../model/heartbeat.ts'
import { isJsonObject, type Json, type JsonObject, objectsIn } from '../../model/json.ts'

/** Characters of a text of a heartbeat that are kept: whoever reaches the collector may have written it. */
const textCharactersMax = 300
/** Agents of one machine: several times as many as there are. */
const agentsMax = 64

const Text = z.string().transform((text) => text.slice(0, textCharactersMax).toWellFormed())
const Agents = z
  .array(Text)
  .default([])
  .transform((all) => all.slice(0, agentsMax))

/** The attributes of a heartbeat and of the machine that sends it, as `record/export/log-records.ts` writes them. */
const Beat = z
  .object({
    'service.instance.id': Text,
    'service.version': Text,
    'host.name': Text,
    device: Text.optional(),
    'user.name': Text.optional(),
    'process.runtime.version': Text.optional(),
    'hookgate.heartbeat.interval': z.number().positive(),
    'hookgate.stopping': Text.optional(),
    'hookgate.rules.count': z.number().optional(),
    'hookgate.rules.digest': Text.optional(),
    'hookgate.rules.problem': Text.optional(),
    'hookgate.self_protection': z.boolean().optional(),
    'hookgate.agents.proved': Agents,
    'hookgate.agents.broken': Agents,
    'hookgate.agents.unproved': Agents,
    'hookgate.agents.absent': Agents,
    'hookgate.agents.problem': Text.optional(),
    'hookgate.bundle.channel': Text.optional(),
    'hookgate.bundle.name': Text.optional(),
    'hookgate.bundle.revision': Text.optional(),
    'hookgate.bundle.mode': Text.optional(),
    'hookgate.bundle.freshness': z.enum(['fresh', 'stale', 'missing']).optional(),
    'hookgate.bundle.problem': Text.optional(),
  })
  .transform((of) => ({
    instance: of['service.instance.id'],
    host: of['host.name'],
    user: of['user.name'],
    device: of.device,
    version: of['service.version'],
    node: of['process.runtime.version'],
    intervalMs: of['hookgate.heartbeat.interval'] * 1000,
    stopping: of['hookgate.stopping'],
    rules: {
      count: of['hookgate.rules.count'],
      digest: of['hookgate.rules.digest'],
      problem: of['hookgate.rules.problem'],
    },
    selfProtection: of['hookgate.self_protection'],
    agents: {
      proved: of['hookgate.agents.proved'],
      broken: of['hookgate.agents.broken'],
      unproved: of['hookgate.agents.unproved'],
      absent: of['hookgate.agents.absent'],
    } satisfies Record<AskingProof, unknown>,
    agentsProblem: of['hookgate.agents.problem'],
    bundle:
      of['hookgate.bundle.freshness'] === undefined
        ? undefined
        : {
            channel: of['hookgate.bundle.channel'],
            name: of['hookgate.bundle.name'],
            revision: of['hookgate.bundle.revision'],
            mode: of['hookgate.bundle.mode'],
            freshness: of['hookgate.bundle.freshness'],
            problem: of['hookgate.bundle.problem'],
          },
  }))

/** A heartbeat as a collector has kept it. */
export type ReceivedBeat = Readonly<z.infer<typeof Beat>> & {
  /** When it was sent, by the clock of its machine. */
  readonly atMs: number
}

/** The log records that a line of a collector's file has. */
export interface LineContent {
  readonly beats: readonly ReceivedBeat[]
  /** Heartbeats that lack what each has. */
  readonly malformed: number
  /** True for a decision as `export.file` writes it, which is no line of a collector. */
  readonly isDecision: boolean
}

/** Returns the heartbeats in one request as OTLP writes it in JSON; all else that a collector keeps is passed over. */
export function beatsIn(line: JsonObject): LineContent {
  const beats: ReceivedBeat[] = []
  let malformed = 0
  for (const { resource, scopeLogs } of objectsIn(line['resourceLogs'])) {
    const machine = isJsonObject(resource) ? attributesOf(resource) : {}
    if (machine['service.name'] !== 'hookgate') continue
    for (const record of objectsIn(scopeLogs).flatMap(({ logRecords }) => objectsIn(logRecords))) {
      const own = attributesOf(record)
      // Collectors of before 2025 keep no name of an event.
      if (record['eventName'] !== 'hookgate.heartbeat' && !('hookgate.heartbeat.interval' in own)) continue
      const beat = Beat.safeParse({ ...own, ...machine }).data
      const atMs = Number(record['timeUnixNano']) / 1e6
      if (beat === undefined || !(atMs > 0 && atMs < latestMs)) malformed += 1
      else beats.push({ ...beat, atMs })
    }
  }
  return { beats, malformed, isDecision: 'decision' in line && 'determining' in line }
}

/** The last moment that a date can be. */
const latestMs = 8.64e15

/** Returns attributes as plain values: texts, numbers, truths, and lists of these. */
function attributesOf({ attributes }: JsonObject): JsonObject {
  return Object.fromEntries(
    objectsIn(attributes).flatMap(({ key, value }) =>
      typeof key === 'string' && isJsonObject(value) ? [[key, plainValue(value)]] : [],
    ),
  )
}

/** A collector writes a whole number as text. */
function plainValue({ stringValue, boolValue, intValue, doubleValue, arrayValue }: JsonObject): Json {
  if (intValue !== undefined) return Number(intValue)
  if (arrayValue !== undefined && isJsonObject(arrayValue)) return objectsIn(arrayValue['values']).map(plainValue)
  return stringValue ?? boolValue ?? doubleValue ?? null
}
