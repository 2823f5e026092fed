import { useEffect, useState } from 'preact/hooks'
import type { AnsweringName, AnswerOf, AskedOf, PartOf, StreamingName } from '../api.ts'

/** A request that was not answered: why, and what to do about it. */
export class RequestFailed extends Error {
  override readonly name = 'RequestFailed'
  readonly code: string
  readonly remedy: string

  constructor(code: string, message: string, remedy: string) {
    super(message)
    this.code = code
    this.remedy = remedy
  }
}

/** Returns why a request failed, or else what is wrong with this page. */
export const failureOf = (cause: unknown): RequestFailed =>
  cause instanceof RequestFailed ? cause : new RequestFailed('defect', String(cause), 'reload the page')

const tokenName = 'hookgate-page'

/**
 * Takes the page's token out of the address, where the link left it, and keeps it for this origin: another tab and a
 * reload need it too.
 */
export function keepToken(): void {
  const token = /^#token=([\w-]+)$/.exec(location.hash)?.[1]
  if (token === undefined) return
  localStorage.setItem(tokenName, token)
  history.replaceState(undefined, '', '/')
}

/** Asks for an answer. @throws RequestFailed */
export async function ask<Name extends AnsweringName>(
  name: Name,
  asked: AskedOf<Name>,
  signal?: AbortSignal,
): Promise<AnswerOf<Name>> {
  const response = await send(name, asked, signal)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- by the same build, which checks that it is this type
  return (await response.json()) as AnswerOf<Name>
}

/**
 * Asks for an answer in parts, until it ends or `signal` is aborted.
 *
 * @param onOpen called when the request is accepted: the first part may take long
 * @throws RequestFailed, also if the connection ends
 */
export async function* askForParts<Name extends StreamingName>(
  name: Name,
  asked: AskedOf<Name>,
  signal: AbortSignal,
  onOpen?: () => void,
): AsyncIterable<PartOf<Name>> {
  const { body } = await send(name, asked, signal)
  onOpen?.()
  if (body === null) return
  for await (const line of streamLines(body)) {
    const part: unknown = JSON.parse(line)
    const failed = problemIn(part)
    if (failed !== undefined) throw failed
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as in `ask`
    yield part as PartOf<Name>
  }
}

async function send(name: string, asked: unknown, signal?: AbortSignal): Promise<Response> {
  const response = await fetch(`/api/${name}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'hookgate-page': localStorage.getItem(tokenName) ?? '' },
    body: JSON.stringify(asked),
    ...(signal !== undefined && { signal }),
  }).catch((cause: unknown) => {
    if (signal?.aborted === true) throw cause
    throw unreachable()
  })
  if (response.ok) return response
  const problem = problemIn(await response.json().catch(() => undefined))
  throw problem ?? new RequestFailed('unknown', `the answer has the status ${response.status}`, 'reload the page')
}

const unreachable = () =>
  new RequestFailed('unreachable', 'the page is no longer served', 'run `hookgate ui` again, and open its link')

function problemIn(value: unknown): RequestFailed | undefined {
  if (typeof value !== 'object' || value === null || !('error' in value)) return undefined
  const { error } = value
  if (typeof error !== 'object' || error === null || !('code' in error && 'message' in error)) return undefined
  const remedy = 'remedy' in error ? String(error.remedy) : ''
  return new RequestFailed(String(error.code), String(error.message), remedy)
}

async function* streamLines(body: ReadableStream<Uint8Array>): AsyncIterable<string> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  try {
    while (true) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const { done, value } = await reader.read().catch((cause: unknown) => {
        throw failureOfRead(cause)
      })
      if (done) return
      const lines = (text + decoder.decode(value, { stream: true })).split('\n')
      text = lines.pop() ?? ''
      yield* lines.filter((line) => line !== '')
    }
  } finally {
    // Rejects if the connection has ended, which is fine.
    await reader.cancel().catch(() => {})
  }
}

/** One that was aborted is meant to end. */
const failureOfRead = (cause: unknown) =>
  cause instanceof DOMException && cause.name === 'AbortError' ? cause : unreachable()

/** The state of a request. A new one keeps the last answer until it has its own. */
type Asking<Answer> =
  | { readonly state: 'waiting'; readonly answer?: Answer }
  | { readonly state: 'answered'; readonly answer: Answer }
  | { readonly state: 'failed'; readonly error: RequestFailed; readonly answer?: Answer }

/**
 * Sends a request when a component is shown, and again whenever the request changes. The second value asks again.
 *
 * @param asked compared by its JSON
 */
export function useAnswer<Name extends AnsweringName>(
  name: Name,
  asked: AskedOf<Name>,
): readonly [Asking<AnswerOf<Name>>, () => void] {
  const [asking, setAsking] = useState<Asking<AnswerOf<Name>>>({ state: 'waiting' })
  const [turn, setTurn] = useState(0)
  const key = JSON.stringify(asked)
  useEffect(() => {
    const stop = new AbortController()
    const set = (next: (before: Asking<AnswerOf<Name>>) => Asking<AnswerOf<Name>>) => {
      if (!stop.signal.aborted) setAsking(next)
    }
    async function request(): Promise<void> {
      set(({ answer }) => ({ state: 'waiting', ...(answer !== undefined && { answer }) }))
      try {
        const answer = await ask(name, asked, stop.signal)
        set(() => ({ state: 'answered', answer }))
      } catch (cause) {
        const error = failureOf(cause)
        set(({ answer }) => ({ state: 'failed', error, ...(answer !== undefined && { answer }) }))
      }
    }
    void request()
    return () => stop.abort()
  }, [name, key, turn])
  return [asking, () => setTurn((before) => before + 1)]
}
