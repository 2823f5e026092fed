import { errorText } from '../../model/errors.ts'
import { askGate } from './ask-gate.ts'
import { GateStatus } from './gate-status.ts'
import type { GatePaths } from '../../files/state/places.ts'
import { presenceAt } from './presence.ts'
import { checkPlaces } from '../../files/state/own-folder.ts'

export type StatusAnswer =
  | ({ readonly running: true } & GateStatus)
  /** `why` is set if the socket is in use, but no compatible gate answers on it. */
  | { readonly running: false; readonly why: string | null; readonly socket: string; readonly log: string }

/** Asks the gate for its status. @throws HookgateError `unavailable` if the gate's folder is not private */
export async function askStatus(places: GatePaths): Promise<StatusAnswer> {
  checkPlaces(places)
  const { socket, log } = places
  const notRunning = (why: string | null): StatusAnswer => ({ running: false, why, socket, log })
  const presence = await presenceAt(places)
  switch (presence.kind) {
    case 'absent':
      return notRunning(null)
    case 'silent':
      return notRunning('something holds its socket and does not answer; `hookgate down` stops a stuck gate')
    case 'unexpectedPeer':
      return notRunning(`another program is listening on its socket: ${presence.why}`)
    case 'answering':
      break
  }
  try {
    const { stdout } = await askGate(places, { to: 'status' })
    return { running: true, ...GateStatus.parse(JSON.parse(stdout)) }
  } catch (error) {
    const { pid, version } = presence.hello
    return notRunning(
      `the running gate (pid ${pid}) is version ${version} and is not compatible (${errorText(error).split('\n')[0]}); run \`hookgate up\``,
    )
  }
}
