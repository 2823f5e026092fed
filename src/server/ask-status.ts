import { errorText } from '../model/errors.ts'
import { askGate } from './ask-gate.ts'
import { GateStatus } from './gate-status.ts'
import type { Places } from './places.ts'
import { presenceAt } from './presence.ts'
import { checkPlaces } from './private-folder.ts'

export type AskedStatus =
  | ({ readonly running: true } & GateStatus)
  /** `why` where somebody is there, and cannot say. */
  | { readonly running: false; readonly why: string | null; readonly socket: string; readonly log: string }

/** What the gate says of itself, or that there is none. @throws HookgateError `unavailable` where its folder is not fit */
export async function askStatus(places: Places): Promise<AskedStatus> {
  checkPlaces(places)
  const { socket, log } = places
  const not = (why: string | null): AskedStatus => ({ running: false, why, socket, log })
  const presence = await presenceAt(places)
  switch (presence.kind) {
    case 'absent':
      return not(null)
    case 'silent':
      return not('something holds its socket and does not answer; `hookgate down` stops a stuck gate')
    case 'unexpectedPeer':
      return not(`another program is listening on its socket: ${presence.why}`)
    case 'answering':
      break
  }
  try {
    const { body } = await askGate(socket, { path: '/v1/status' })
    return { running: true, ...GateStatus.parse(JSON.parse(body.toString())) }
  } catch (error) {
    const { pid, version } = presence.hello
    return not(
      `the running gate (pid ${pid}) is version ${version} and is not compatible (${errorText(error).split('\n')[0]}); run \`hookgate up\``,
    )
  }
}
