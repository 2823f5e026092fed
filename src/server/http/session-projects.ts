import { createHash } from 'node:crypto'
import type { HookEvent } from '../../model/event.ts'
import { limits } from '../../model/limits.ts'
import { keptProjects } from './kept-projects.ts'

/** The project of every session that does not name it with each event: Claude Code's HTTP hooks name no project at all. */
export interface SessionProjects {
  /** The event in the project in which its session began, or was first heard of, wherever it has gone with `cd`. */
  settle(event: HookEvent): HookEvent
}

/**
 * INVARIANT: what the rules of a session are does not follow its working folder, or `cd` would lead past them. What is
 * forgotten, for more than `limits.sessionsRememberedMax` others, is learnt anew from the next event.
 *
 * @param folder where the gate that comes after this one finds them: an agent could end a gate. Default: it does not
 */
export function rememberProjects(folder?: string, sessionsMax: number = limits.sessionsRememberedMax): SessionProjects {
  const kept = folder === undefined ? undefined : keptProjects(folder, sessionsMax)
  const projects = new Map<string, string>()
  return {
    settle(event) {
      const { agent, session, workspaceRoots } = event
      // Of sessions without an id, one would have another's project.
      if (session.id === '') return event
      const key = `${agent} ${keyOf(session.id)}`
      const known = isBegin(event) ? undefined : (projects.get(key) ?? kept?.read(key))
      const project = known ?? workspaceRoots[0] ?? session.cwd
      if (known === undefined) kept?.write(key, project)
      // Behind all others: the first is the one that was not heard of for the longest.
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

/** Those of `clear` and `compact` come in the middle, wherever the session has gone. */
const isBegin = ({ name, trigger }: HookEvent) =>
  name === 'SessionStart' && (trigger === 'startup' || trigger === 'resume')

/** An id is as long as its sender likes. */
const keyOf = (id: string) =>
  id.length <= limits.rememberedKeyCharactersMax ? id : createHash('sha256').update(id).digest('hex')
