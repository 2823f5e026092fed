import { createHash } from 'node:crypto'
import { isAbsolute } from 'node:path'
import { openKeyValueStore } from '../../../files/key-value-store.ts'
import type { HookEvent } from '../../../model/event.ts'
import { limits } from '../../../model/limits.ts'

/** The projects of sessions whose events do not name one: Claude Code's HTTP hooks never do. */
export interface SessionProjects {
  /** Returns the event with the project in which its session began or was first seen, even after a `cd`. */
  settle(event: HookEvent): HookEvent
}

/**
 * Remembers the project of each session.
 *
 * INVARIANT: a session's rules do not follow its working folder, or an agent could escape them with `cd`. Beyond
 * `sessionsMax`, the least recently seen session is forgotten, and its project is taken from its next event.
 *
 * @param folder stores the projects for the next gate, since an agent could end this one. Default: memory only
 */
export function rememberProjects(folder?: string, sessionsMax: number = sessionsRememberedMax): SessionProjects {
  const stored = folder === undefined ? undefined : openKeyValueStore(folder, sessionsMax)
  const projects = new Map<string, string>()
  return {
    settle(event) {
      const { agent, session, workspaceRoots } = event
      // Sessions without an id would share one project.
      if (session.id === '') return event
      const key = `${agent} ${sessionKey(session.id)}`
      const known = isBegin(event) ? undefined : (projects.get(key) ?? projectIn(stored?.get(key)))
      const project = known ?? workspaceRoots[0] ?? session.cwd
      if (known === undefined) stored?.set(key, project)
      // Moves the session to the end of the map: the first entry is the least recently seen.
      projects.delete(key)
      projects.set(key, project)
      const [oldest] = projects.keys()
      if (projects.size > sessionsMax && oldest !== undefined) projects.delete(oldest)
      return project === workspaceRoots[0]
        ? event
        : Object.freeze({ ...event, workspaceRoots: Object.freeze([project]) })
    },
  }
}
/** Remembered projects of sessions whose events name none, as with HTTP hooks. The least recently used is evicted. */
export const sessionsRememberedMax = 1000

/** Returns a stored project, unless its file was damaged. */
const projectIn = (text: string | undefined) => (text !== undefined && isAbsolute(text) ? text : undefined)

/** Excludes `clear` and `compact`, which come mid-session, when the working folder may have changed. */
const isBegin = ({ name, trigger }: HookEvent) =>
  name === 'SessionStart' && (trigger === 'startup' || trigger === 'resume')

/** Hashes long ids: the sender chooses their length. */
const sessionKey = (id: string) =>
  id.length <= limits.cacheKeyCharactersMax ? id : createHash('sha256').update(id).digest('hex')
