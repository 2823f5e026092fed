import type { z } from 'zod'
import { issuesOf } from '../service/server/http/issues.ts'

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
