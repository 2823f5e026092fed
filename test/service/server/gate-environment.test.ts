import { readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { dialects } from '../../support/dialects.ts'
import { agentNames } from '../../../src/agents/registry.ts'
import type { CommandHandler } from '../../../src/model/rule.ts'
import { gateEnvironment, keepEnvironment, withoutSession } from '../../../src/service/server/gate-environment.ts'
import { ensurePlaces } from '../../../src/files/state/own-folder.ts'
import { residentUser } from '../../support/resident.ts'
import { sampleEvent } from '../../support/samples.ts'

const hook: CommandHandler = {
  kind: 'command',
  dialect: 'claude-code',
  program: { form: 'shell', shell: 'sh', command: 'true' },
  env: {},
  plainTextEvents: [],
  async: false,
}

describe('the variables that an agent sets for its child processes', () => {
  it.each(agentNames)('are not passed on to the gate (%s)', (agent) => {
    const { env } = dialects[agent].environment(sampleEvent('PreToolUse', agent), hook, {})
    expect(withoutSession(env)).toEqual({})
    const { places } = residentUser()
    ensurePlaces(places)
    if (Object.keys(env).length > 0) keepEnvironment(places, { ...env, PATH: '/of/the/session' })
    expect(gateEnvironment(places, {}, true)['PATH']).not.toContain('/of/the/session')
  })
})

describe('the PATH of a gate in the background', () => {
  it('has no folder of the project in which `npx` started it, and no relative one', () => {
    const { places } = residentUser()
    ensurePlaces(places)
    const folders = ['/work/a/node_modules/.bin', 'bin', '', '/usr/bin', '/home/me/node_modules/tools', '/opt/bin']
    keepEnvironment(places, { PATH: folders.join(delimiter) })
    const wanted = ['/usr/bin', '/opt/bin'].join(delimiter)
    expect(JSON.parse(readFileSync(join(places.folder, 'environment.json'), 'utf8'))).toEqual({ PATH: wanted })
    expect(gateEnvironment(places, {}, true)['PATH']).toBe(wanted)
  })
})
