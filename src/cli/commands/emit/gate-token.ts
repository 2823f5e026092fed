import { placesOf, type PlacesOptions } from '../../../files/state/places.ts'
import { readPrivate } from '../../../files/private-folder.ts'
import { processStart } from '../../../service/server/process-start.ts'

/**
 * Returns the user's token, if the resident gate itself listens on the port.
 *
 * INVARIANT: any program may listen on a port that the gate has left or never had, so the token is sent only to a
 * listener that is known to be the gate.
 */
export function gateToken(port: number, whereabouts: PlacesOptions): string | undefined {
  try {
    const places = placesOf(whereabouts)
    const state: unknown = JSON.parse(readPrivate(places.state) ?? 'null')
    if (typeof state !== 'object' || state === null || !('http' in state) || !('pid' in state)) return undefined
    if (state.http !== `http://127.0.0.1:${port}` || typeof state.pid !== 'number') return undefined
    const started = 'processStart' in state ? state.processStart : null
    if (processStart(state.pid, whereabouts.platform) !== started) return undefined
    return readPrivate(places.token)?.trim()
  } catch {
    // Without the token the gate rejects the event, which is then stored in a file.
    return undefined
  }
}
