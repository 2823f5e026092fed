import type { ComponentChildren, JSX } from 'preact'
import { useState } from 'preact/hooks'
import { ask, failureOf, type RequestFailed } from '../fetch.ts'
import { Coded } from './text.tsx'

/** Says what went wrong, and what to do. */
export function Failed({
  error,
  onRetry,
}: {
  readonly error: RequestFailed
  readonly onRetry?: () => void
}): JSX.Element {
  return (
    <div class="state failed" role="alert">
      <p class="what">
        <Coded text={sentence(error.message)} />
      </p>
      {error.remedy !== '' && (
        <p>
          To do: <Coded text={error.remedy} />
        </p>
      )}
      {onRetry !== undefined && (
        <button type="button" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  )
}

/** Says that there is nothing, and how there would be something. */
export function Empty({
  what,
  children,
}: {
  readonly what: string
  readonly children?: ComponentChildren
}): JSX.Element {
  return (
    <div class="state empty">
      <p class="what">{what}</p>
      {children}
    </div>
  )
}

/** Shown while the first answer is awaited. */
export function Waiting({ what }: { readonly what: string }): JSX.Element {
  return (
    <p class="state waiting" role="status">
      {what} …
    </p>
  )
}

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?:]$/.test(text) ? '' : '.'}`

/** A button that starts the resident gate. */
export function StartGate({ onStarted }: { readonly onStarted: () => void }): JSX.Element {
  const [isStarting, setStarting] = useState(false)
  const [error, setError] = useState<RequestFailed>()
  async function start(): Promise<void> {
    setStarting(true)
    setError(undefined)
    try {
      await ask('startGate', {})
      onStarted()
    } catch (cause) {
      setError(failureOf(cause))
    }
    setStarting(false)
  }
  return (
    <>
      {error !== undefined && <Failed error={error} />}
      <button type="button" class="main" disabled={isStarting} onClick={() => void start()}>
        {isStarting ? 'Starting …' : 'Start the gate'}
      </button>
    </>
  )
}
