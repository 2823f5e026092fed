import { createHash } from 'node:crypto'
import { dialects } from '../../dialect/index.ts'
import type { HookEvent } from '../../model/event.ts'
import { limits } from '../../model/limits.ts'

/** The project of every session that does not name it with each event: Claude Code's HTTP hooks name no project at all. */
export interface SessionProjects {
  /** The event in the project in which its session began, or was first heard of, wherever it has gone with `cd`. */
  settle(event: HookEvent): HookEvent
}

/**
 * INVARIANT: what the rules of a session are does not follow its working folder, or `cd` would lead past them. What is
 * forgotten, with the gate's end or for more than `limits.sessionsRememberedMax` others, is learnt anew from the next event.
 */
export function rememberProjects(sessionsMax: number = limits.sessionsRememberedMax): SessionProjects {
  const projects = new Map<string, string>()
  return {
    settle(event) {
      const { agent, session, workspaceRoots } = event
      // Of sessions without an id, one would have another's project.
      if (dialects[agent].namesProject || session.id === '') return event
      const key = `${agent} ${keyOf(session.id)}`
      const project = (isBegin(event) ? undefined : projects.get(key)) ?? workspaceRoots[0] ?? session.cwd
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
