import { z } from 'zod'
import { agentNames, titleOf } from '../agents/registry.ts'
import { answering, type PageContext } from './route.ts'
import { agentRoutes, approvalRoutes } from './routes/agents.ts'
import { changeRoutes } from './routes/changes.ts'
import { decisionRoutes, historyRoutes, whyRoutes } from './routes/decisions.ts'
import { replayRoutes } from './routes/replay.ts'
import { ruleRoutes } from './routes/rules.ts'
import { sessionRoutes } from './routes/sessions.ts'

/** Returns everything that the page can ask for, by its name under `/api/`. */
export const allRoutes = (context: PageContext) => ({
  ...aboutRoutes(context),
  ...changeRoutes(context),
  ...agentRoutes(context),
  ...approvalRoutes(context),
  ...decisionRoutes(context),
  ...whyRoutes(context),
  ...sessionRoutes(context),
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

/** The contents of the frame, whichever view is open. */
const aboutRoutes = ({ version, cwd, places, record }: PageContext) => ({
  about: answering(z.strictObject({}), () => ({
    version,
    /** The project that is shown first. */
    cwd,
    stateFolder: places.folder,
    agentTitles: Object.fromEntries(agentNames.map((name) => [name, titleOf(name)])),
    /** False if nothing was recorded yet. */
    isRecorded: record.look().reader !== undefined,
  })),
})
