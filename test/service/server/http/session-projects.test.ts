import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { limits } from '../../../../src/model/limits.ts'
import { dialects } from '../../../support/dialects.ts'
import { folderWith } from '../../../support/workspace.ts'
import { rememberProjects, sessionsRememberedMax } from '../../../../src/service/server/http/listener.ts'

const surroundings = { nowMs: 0, env: {}, cwd: '/' }

function eventOf(id: string, cwd: string) {
  const tool = { tool_name: 'Bash', tool_input: { command: 'ls' } }
  const wire = { session_id: id, transcript_path: '', cwd, hook_event_name: 'PreToolUse', ...tool }
  return dialects['claude-code'].decodeEvent(wire, surroundings)
}

describe('the projects of sessions', () => {
  it('are kept for a limited number of sessions, least recently used dropped first', () => {
    const sessions = rememberProjects()
    const rootOf = (id: string, cwd: string) => sessions.settle(eventOf(id, cwd)).workspaceRoots[0]
    for (let at = 0; at < sessionsRememberedMax; at += 1) rootOf(`s${at}`, '/began')
    expect(rootOf('s0', '/gone')).toBe('/began')
    expect(rootOf('another', '/began')).toBe('/began')
    expect(rootOf('s0', '/gone')).toBe('/began')
    expect(rootOf('s1', '/gone')).toBe('/gone')
  })

  it('are separate per agent, and not kept for a session without an id', () => {
    const sessions = rememberProjects()
    const wire = { session_id: 's', transcript_path: null, hook_event_name: 'PreToolUse', model: 'm', turn_id: 't' }
    const call = { permission_mode: 'default', tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: '1' }
    const ofCodex = (cwd: string) => dialects.codex.decodeEvent({ ...wire, ...call, cwd }, surroundings)
    sessions.settle(eventOf('s', '/claude'))
    expect(sessions.settle(ofCodex('/codex')).workspaceRoots).toEqual(['/codex'])
    expect(sessions.settle(ofCodex('/gone')).workspaceRoots).toEqual(['/codex'])
    sessions.settle(eventOf('', '/one'))
    expect(sessions.settle(eventOf('', '/two')).workspaceRoots).toEqual(['/two'])
  })

  it('are restored by the next gate until the session restarts, within the limit', () => {
    const folder = join(folderWith(), 'sessions')
    const rootOf = (id: string, cwd: string) => rememberProjects(folder, 20).settle(eventOf(id, cwd)).workspaceRoots[0]
    expect(rootOf('s', '/began')).toBe('/began')
    expect(rootOf('s', '/began/below')).toBe('/began')
    const start = { session_id: 's', transcript_path: '', cwd: '/new', hook_event_name: 'SessionStart' }
    rememberProjects(folder).settle(dialects['claude-code'].decodeEvent({ ...start, source: 'startup' }, surroundings))
    expect(rootOf('s', '/gone')).toBe('/new')
    for (let at = 0; at < 50; at += 1) rootOf(`s${at}`, '/began')
    expect(readdirSync(folder).length).toBeLessThanOrEqual(20)
    expect(rootOf('s49', '/gone')).toBe('/began')
  })

  it('are kept in memory by a gate that cannot write them', () => {
    const sessions = rememberProjects(join(folderWith({ file: '' }), 'file'))
    sessions.settle(eventOf('s', '/began'))
    expect(sessions.settle(eventOf('s', '/gone')).workspaceRoots).toEqual(['/began'])
  })

  it('are distinguished by ids of any length, and do not change the event’s working directory', () => {
    const sessions = rememberProjects()
    const long = 'x'.repeat(limits.cacheKeyCharactersMax + 1)
    sessions.settle(eventOf(`${long}1`, '/one'))
    sessions.settle(eventOf(`${long}2`, '/two'))
    expect(sessions.settle(eventOf(`${long}1`, '/gone'))).toMatchObject({
      workspaceRoots: ['/one'],
      session: { cwd: '/gone' },
    })
  })
})
