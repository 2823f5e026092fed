import { hostname } from 'node:os'
import { titleOf } from '../../../agents/registry.ts'
import { userName } from '../../../files/home-folder.ts'
import { deviceId } from '../../../record/export/resource.ts'
import { ocsfEvent } from '../../../record/ocsf/event.ts'
import type { StoredDecision } from '../../../record/read.ts'
import { jsonText } from '../../command.ts'

/** Returns each decision as a line of OCSF. @param file the database */
export function ocsfLines(file: string): (one: StoredDecision) => string {
  const origin = { hostname: hostname(), device: deviceId(file), user: userName(), titleOf }
  return (one) => jsonText(ocsfEvent(one, origin))
}
