import { expect, it } from 'vitest'
import { dialectOf } from '../../src/agents/index.ts'
import { encodeCall } from '../../src/agents/neutral-call.ts'
import { agentNames } from '../../src/agents/registry.ts'

it.each(agentNames)('a described shell command and a described file are what %s would send', async (agent) => {
  const dialect = await dialectOf(agent)
  const toolOf = async (call: Parameters<typeof encodeCall>[1]) => {
    const wire = await encodeCall(agent, call, '/work', 's')
    return dialect.decodeEvent(wire ?? {}, { nowMs: 0, env: {}, cwd: '/work' }).tool
  }
  expect(await toolOf({ kind: 'shell', command: 'ls' })).toMatchObject({ kind: 'shell', command: 'ls' })
  expect(await toolOf({ kind: 'write', path: '/work/a.ts', content: 'x = 1' })).toMatchObject({
    kind: expect.stringMatching(/^(?:write|edit)$/),
    path: expect.stringMatching(/^(?:\/work\/)?a\.ts$/),
    content: expect.stringContaining('x = 1'),
  })
})
