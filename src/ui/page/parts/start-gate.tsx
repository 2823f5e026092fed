import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { ask, failureOf, type RequestFailed } from '../fetch.ts'
import { Failed } from './states.tsx'

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
