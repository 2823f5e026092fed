import { join } from 'node:path'
import { eventSpellings } from '../../agents/event-names.ts'
import { commandsIn, isLaunch, ownHookAgent, ownHookBytesMax } from '../../model/own-hook.ts'
import type { InstallContext } from '../install-context.ts'
import { isLink, lookAt, type Looked } from '../files/look-at.ts'

export interface LookedHook {
  readonly event: string
  readonly file: string
  /** `hand`: a person's own, that does nothing but ask hookgate. */
  readonly own: 'absent' | 'yes' | 'hand' | 'no'
  readonly looked: Looked
}

/** A hook of Cline's, and whether it is one that we wrote. */
function lookAtHook(folder: string, event: string, context: InstallContext): LookedHook {
  const file = join(folder, context.platform === 'win32' ? `${event}.ps1` : event)
  // One of Cline's engines passes over links, and what one leads to may be anybody's.
  if (isLink(file)) return { event, file, own: 'no', looked: { real: file, present: undefined } }
  const looked = lookAt(file, context.scope === 'project' ? context.cwd : undefined)
  const { present } = looked
  if (present === undefined) return { event, file, own: 'absent', looked }
  return { event, file, own: whose(present.bytes), looked }
}

function whose(bytes: Buffer): LookedHook['own'] {
  if (bytes.length > ownHookBytesMax) return 'no'
  const text = bytes.toString()
  if (ownHookAgent(text) === 'cline') return 'yes'
  return isLaunch(commandsIn(text.replaceAll('\r\n', '\n'))) ? 'hand' : 'no'
}

/** Every hook that Cline could have in a folder. */
export const lookAtHooks = (folder: string, context: InstallContext): readonly LookedHook[] =>
  eventSpellings('cline').map((event) => lookAtHook(folder, event, context))
