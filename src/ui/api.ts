import type { z } from 'zod'
import type { PageContext } from './page-context.ts'
import { aboutRoutes } from './routes/about.ts'
import { approvalRoutes } from './routes/approvals.ts'
import { changeRoutes } from './routes/changes.ts'
import { agentRoutes } from './routes/agents.ts'
import { decisionRoutes } from './routes/decisions.ts'
import { whyRoutes } from './routes/why.ts'
import { replayRoutes } from './routes/replay.ts'
import { ruleRoutes } from './routes/rules.ts'
import { historyRoutes } from './routes/history.ts'

/** Returns everything that the page can ask for, by its name under `/api/`. */
export const allRoutes = (context: PageContext) => ({
  ...aboutRoutes(context),
  ...changeRoutes(context),
  ...agentRoutes(context),
  ...approvalRoutes(context),
  ...decisionRoutes(context),
  ...whyRoutes(context),
  ...replayRoutes(context),
  ...ruleRoutes(context),
  ...historyRoutes(context),
})

type Routes = ReturnType<typeof allRoutes>

/** The names of routes with one answer. */
export type AnsweringName = {
  [Name in keyof Routes]: Routes[Name] extends { answer: unknown } ? Name : never
}[keyof Routes]

/** The names of routes whose answer comes in parts. */
export type StreamingName = Exclude<keyof Routes, AnsweringName>

/** The body of a request. */
export type AskedOf<Name extends keyof Routes> = z.input<Routes[Name]['asked']>

/** The answer of a route. */
export type AnswerOf<Name extends AnsweringName> = Routes[Name] extends { answer: (asked: never) => infer Answer }
  ? Awaited<Answer>
  : never

/** A part of a route's answer. */
export type PartOf<Name extends StreamingName> = Routes[Name] extends {
  stream: (asked: never, signal: AbortSignal) => AsyncIterable<infer Part>
}
  ? Part
  : never
