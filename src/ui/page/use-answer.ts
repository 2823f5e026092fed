import { useEffect, useState } from 'preact/hooks'
import type { AnsweringName, AnswerOf, AskedOf } from '../api.ts'
import { ask, failureOf, type RequestFailed } from './fetch.ts'

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
