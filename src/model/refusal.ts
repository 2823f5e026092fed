import { z } from 'zod'
import { Effect, Severity } from './effect.ts'
import { EventName } from './event.ts'

/** An exception that would lift what one rule says, with its keys in a rules file. */
export const KeptException = z.strictObject({
  rule: z.string(),
  command: z.string().optional(),
  path: z.string().optional(),
  project: z.string(),
})
export type KeptException = Readonly<z.infer<typeof KeptException>>

/** Leaves out the keys that are not set. */
export const withoutUnset = ({ rule, command, path, project }: KeptException) => ({
  rule,
  project,
  ...(command !== undefined && { command }),
  ...(path !== undefined && { path }),
})

/** What one rule said in a refusal. */
export const RefusingRule = z.strictObject({
  id: z.string(),
  /** Its id without its source: `git-safety/force-push`. */
  name: z.string(),
  effect: Effect,
  reason: z.string(),
  severity: Severity.optional(),
  /** The rules file, or the folder of a Cline hook. */
  file: z.string(),
  /** Names of its params. */
  params: z.array(z.string()).readonly(),
  /** Why no person can lift what it says with `hookgate allow`. */
  obstacle: z.string().optional(),
  /** The narrowest exceptions that together lift what it says. Absent if there are none. */
  exceptions: z.array(KeptException).readonly().optional(),
})
export type RefusingRule = Readonly<z.infer<typeof RefusingRule>>

/** A refusal or question about a tool call, kept for `hookgate allow`. Its texts are masked and printable. */
export const KeptRefusal = z.strictObject({
  version: z.literal(1),
  id: z.string(),
  /** Ms since the epoch. */
  atMs: z.number(),
  agent: z.string(),
  session: z.string(),
  event: EventName,
  toolName: z.string(),
  /** The command, path or URL. */
  subject: z.string(),
  project: z.string(),
  decision: Effect,
  rules: z.array(RefusingRule).readonly(),
  /** Digest of the exact call in its session, and of all that its refusal hangs on: see `circumstancesOf`. */
  call: z.string(),
})
export type KeptRefusal = Readonly<z.infer<typeof KeptRefusal>>

/** A person's permission for a call or a session, given by `hookgate allow`. */
export const Grant = z.discriminatedUnion('kind', [
  /** Lets the same call of the same session through, once. */
  z.strictObject({
    kind: z.literal('once'),
    /** The refusal that it lifts. */
    id: z.string(),
    call: z.string(),
    /** Ids of the rules that it lifts. */
    rules: z.array(z.string()).readonly(),
    endsAtMs: z.number(),
    /** Which of several grants for one refusal it is, from 1; absent for the only one. */
    nth: z.int().optional(),
  }),
  /** Lets the same call of the same session through, as often as it comes. */
  z.strictObject({
    kind: z.literal('while'),
    id: z.string(),
    call: z.string(),
    rules: z.array(z.string()).readonly(),
    endsAtMs: z.number(),
  }),
  /** Excepts for one session. */
  z.strictObject({
    kind: z.literal('session'),
    id: z.string(),
    session: z.string(),
    exceptions: z.array(KeptException).readonly(),
    endsAtMs: z.number(),
  }),
])
export type Grant = Readonly<z.infer<typeof Grant>>

/** Begins the remark on a rule that a person had allowed the call; the command by which they did follows. */
export const liftedBy = 'lifted by '

/** The reason why a rule's answer can be lifted for the call itself only. */
export const noException = 'no pattern describes exactly this call; `--once` lets the call itself through'
