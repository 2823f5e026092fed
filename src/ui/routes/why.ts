import { z } from 'zod'
import { Decision, Severity } from '../../model/effect.ts'
import { askCommand } from '../command-lines.ts'
import type { PageContext } from '../page-context.ts'
import { answering } from '../route.ts'

const FilePlace = z.object({ file: z.string(), line: z.int().optional(), column: z.int().optional() })

/** Where a rule's answer comes from. */
const DecidingPlace = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('policy'), lines: z.array(FilePlace.extend({ text: z.string() })) }),
  z.object({ kind: z.literal('policyFile'), place: FilePlace, why: z.string() }),
  z.object({ kind: z.literal('hook'), files: z.array(z.string()) }),
  z.object({ kind: z.literal('entries'), places: z.array(FilePlace) }),
  z.object({ kind: z.literal('selfProtection') }),
])

const Word = z.object({ value: z.string(), variable: z.string().optional() })

const Path = z.object({
  written: z.string(),
  access: z.string(),
  absolute: z.string().optional(),
  real: z.string().optional(),
  pattern: z.string().optional(),
  recursive: z.literal(true).optional(),
  metadata: z.literal(true).optional(),
  unresolved: z.literal(true).optional(),
})

const Command = z.object({
  written: Word.optional(),
  args: z.array(Word),
  assignments: z.array(z.object({ name: z.string(), value: Word })),
  redirections: z.array(z.object({ operator: z.string(), target: Word.optional() })),
  user: z.string().optional(),
  elsewhere: z.literal(true).optional(),
  reach: z.array(
    z.object({
      through: z.string(),
      program: z.string().optional(),
      name: z.string().optional(),
      language: z.string().optional(),
    }),
  ),
  startedBy: z.int().optional(),
  wrapper: z.literal(true).optional(),
  paths: z.array(Path),
  network: z.object({ direction: z.string(), host: z.string().optional(), url: z.string().optional() }).optional(),
  code: z.object({ language: z.string(), does: z.array(z.string()) }).optional(),
  uncertain: z.array(z.string()),
})

const Rule = z.object({
  ruleId: z.string(),
  name: z.string(),
  decides: z.boolean(),
  effect: z.string().optional(),
  rewritten: z.literal(true).optional(),
  severity: Severity.optional(),
  commands: z.array(z.int()).optional(),
  source: FilePlace.extend({ scope: z.string() }).optional(),
  place: DecidingPlace.optional(),
  facts: z.array(z.object({ name: z.string(), declared: z.string(), value: z.string() })).optional(),
})

const Exception = z.object({
  rule: z.string(),
  command: z.string().optional(),
  path: z.string().optional(),
  project: z.string(),
})

const Facts = z.object({
  shell: z.object({
    commands: z.array(Command),
    flows: z.array(z.object({ from: z.int(), to: z.int(), via: z.string(), as: z.string() })),
    uncertain: z.array(z.string()),
    forkBomb: z.literal(true).optional(),
  }),
  paths: z.array(Path),
})

/** The fields of `hookgate why --json` that the page shows. */
const Why = z.object({
  expressed: z.string().optional(),
  rules: z.array(Rule),
  facts: Facts.nullable(),
  rewrittenFacts: Facts.optional(),
  factsMissing: z.string().optional(),
  without: z.object({ decision: Decision, rules: z.array(z.string()), isCertain: z.boolean() }).nullable(),
  today: z.object({
    rulesChanged: z.boolean().optional(),
    decision: Decision.optional(),
    reason: z.string().optional(),
    unknown: z.string().optional(),
    hooksUnknown: z.array(z.string()).optional(),
  }),
  lift: z
    .object({
      id: z.string().optional(),
      rules: z.array(
        z.object({
          name: z.string(),
          obstacle: z.string().optional(),
          exceptions: z.array(Exception).optional(),
        }),
      ),
    })
    .nullable(),
})
export type WhyAnswer = Readonly<z.infer<typeof Why>>

/** Why one decision was made. Its policies are evaluated once more, which takes some seconds. */
export const whyRoutes = ({ run, cwd }: PageContext) => ({
  why: answering(z.strictObject({ id: z.string().regex(/^[0-9a-z]{4,40}$/) }), ({ id }) =>
    askCommand(run, Why, ['why', id], { cwd }),
  ),
})
