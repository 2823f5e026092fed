import { isAbsolute } from 'node:path'
import { z } from 'zod'
import type { GatePaths } from '../files/state/places.ts'
import type { InstallContext } from '../install/index.ts'
import type { LatestReader } from '../record/read.ts'
import { issuesOf } from '../service/server/http/bad-requests.ts'

/** A request, checked. */
type OpenedRequest =
  | { readonly kind: 'malformed'; readonly why: string }
  | { readonly kind: 'answer'; readonly answer: () => unknown }
  | { readonly kind: 'stream'; readonly stream: (signal: AbortSignal) => AsyncIterable<unknown> }

/** Something that the page can ask for under `/api/NAME`, as JSON by POST. */
export interface PageRoute {
  /** Reads the body of a request. */
  open(body: unknown): OpenedRequest
}

/** Declares a route with one answer. @param asked the schema of the request's body */
export const answering = <Asked extends z.ZodType, Answer>(
  asked: Asked,
  answer: (asked: z.output<Asked>) => Answer | Promise<Answer>,
) => ({
  asked,
  answer,
  open: (body: unknown) => opened(asked, body, (data) => ({ kind: 'answer', answer: () => answer(data) })),
})

/** Declares a route whose answer comes in parts, each a line of JSON, until it ends or `signal` is aborted. */
export const streaming = <Asked extends z.ZodType, Part>(
  asked: Asked,
  stream: (asked: z.output<Asked>, signal: AbortSignal) => AsyncIterable<Part>,
) => ({
  asked,
  stream,
  open: (body: unknown) =>
    opened(asked, body, (data) => ({ kind: 'stream', stream: (signal) => stream(data, signal) })),
})

function opened<Asked extends z.ZodType>(
  asked: Asked,
  body: unknown,
  use: (data: z.output<Asked>) => OpenedRequest,
): OpenedRequest {
  const { data, error } = asked.safeParse(body)
  return error === undefined ? use(data) : { kind: 'malformed', why: issuesOf(error) }
}

/** A folder that the page asks about. It says which: the process has a working folder of its own. */
export const Folder = z.string().refine((path) => isAbsolute(path) && !path.includes('\0'), 'is not an absolute path')

/** A request about one project. */
export const OfProject = z.strictObject({ project: Folder })

/** Everything that the routes of the page need. */
export interface PageContext {
  readonly places: GatePaths
  readonly version: string
  /** The folder in which `hookgate ui` was started: the project that the page shows first. Absolute. */
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** The folder with an administrator's rules. Default: the system's. */
  readonly managedFolder?: string | undefined
  /** The record, as it is now. */
  readonly record: LatestReader
  /** Returns what looking at agents and changing something needs, for a project. @throws HookgateError `usage` without a home folder */
  readonly installingIn: (project: string) => InstallContext
}
