import { placesOf, type Whereabouts } from '../server/places.ts'
import { readPrivate } from '../server/private-file.ts'
import { processStart } from '../server/process-start.ts'

/**
 * The user's token, where the resident gate itself listens on a port. INVARIANT: anybody may listen on a port that the gate
 * has left or never had, so nobody is shown the token of whom it is not known that it is the gate.
 */
export function gateToken(port: number, whereabouts: Whereabouts): string | undefined {
  try {
    const places = placesOf(whereabouts)
    const state: unknown = JSON.parse(readPrivate(places.state) ?? 'null')
    if (typeof state !== 'object' || state === null || !('http' in state) || !('pid' in state)) return undefined
    if (state.http !== `http://127.0.0.1:${port}` || typeof state.pid !== 'number') return undefined
    const started = 'processStart' in state ? state.processStart : null
    if (processStart(state.pid, whereabouts.platform) !== started) return undefined
    return readPrivate(places.token)?.trim()
  } catch {
    // Without it the gate does not take the event, which is then kept in a file.
    return undefined
  }
}
