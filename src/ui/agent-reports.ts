import { z } from 'zod'
import { agentNames } from '../agents/registry.ts'
import { Verification } from '../record/verification.ts'
import { GateStatus } from '../service/server/gate-status.ts'

/** The name of an agent that hookgate knows. */
export const KnownAgentName = z.enum(agentNames)

const Texts = z.array(z.string()).readonly()
const Scope = z.enum(['user', 'project'])
const RegisteredBy = z.enum(['enable', 'hand']).optional()

/** `hookgate status --list --json`. */
export const AgentList = z.object({
  agents: z
    .array(
      z.object({
        agent: KnownAgentName,
        title: z.string(),
        folder: z.string().nullable(),
        places: z
          .array(z.object({ scope: Scope, place: z.string(), by: RegisteredBy, events: Texts, problems: Texts }))
          .readonly(),
        obstacles: Texts,
      }),
    )
    .readonly(),
})

/** `hookgate status AGENT --json`. */
export const AgentCheck = z.object({
  calls: z.boolean(),
  scopes: z
    .array(
      z.object({
        scope: Scope,
        place: z.string(),
        state: z.enum(['works', 'broken', 'unproved', 'absent']),
        by: RegisteredBy,
        events: Texts,
        canaries: z
          .array(
            z.object({
              way: z.string(),
              answered: z.boolean(),
              by: z.enum(['gate', 'process']).optional(),
              durationMs: z.number(),
              problem: z.string().optional(),
            }),
          )
          .readonly(),
        problems: Texts,
      }),
    )
    .readonly(),
  obstacles: Texts,
  notes: Texts,
  uncoveredEvents: Texts,
})
export type AgentCheck = Readonly<z.infer<typeof AgentCheck>>

/** The rows of `hookgate doctor AGENT --json`. */
export const AgentFaults = z.object({
  rows: z
    .array(
      z.object({
        id: z.string(),
        what: z.string(),
        seen: z.string(),
        results: z.array(z.object({ kind: z.enum(['ok', 'notSafe', 'wrong']), why: z.string().optional() })).readonly(),
      }),
    )
    .readonly(),
})

const here = {
  protection: z.enum(['none', 'observe', 'enforce']).nullable(),
  notAsking: Texts,
  record: z.object({
    level: z.enum(['all', 'decisions', 'off']),
    file: z.string(),
    decisions: z.int().optional(),
    since: z.string().nullable().optional(),
    bytes: z.number().optional(),
    lost: z.int().optional(),
    problem: z.string().optional(),
    verified: Verification.optional(),
  }),
}

/** `hookgate status --json`. */
export const GateReport = z.discriminatedUnion('running', [
  GateStatus.omit({ recorder: true }).extend({ running: z.literal(true), ...here }),
  z.object({
    running: z.literal(false),
    why: z.string().nullable(),
    socket: z.string(),
    log: z.string(),
    ...here,
  }),
])
