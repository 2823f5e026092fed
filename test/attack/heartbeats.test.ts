import { truncateSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { limits } from '../../src/model/limits.ts'
import { hookgateHere } from '../support/cli.ts'
import { heartbeatLine } from '../support/heartbeats.ts'
import { folderWith } from '../support/workspace.ts'

// Whoever reaches a collector can have it keep anything.

it('a sender that makes up more machines than a list has keeps none of those that came before from being listed', async () => {
  const now = Date.now()
  const one = heartbeatLine('HOST', now)
  const { resourceLogs } = JSON.parse(one) as { resourceLogs: readonly [object] }
  const template = JSON.stringify(resourceLogs[0])
  const perLine = 1000
  const lines = Array.from({ length: limits.machinesMax / perLine + 1 }, (_, line) => {
    const all = Array.from({ length: perLine }, (_each, at) => template.replaceAll('HOST', `h${line * perLine + at}`))
    return `{"resourceLogs":[${all.join(',')}]}\n`
  })
  const folder = folderWith({ 'agents.json': heartbeatLine('the real one', now) + lines.join('') })
  const { stdout, stderr } = await hookgateHere(['machines', join(folder, 'agents.json')])
  expect(stdout).toMatch(/^the real one /m)
  expect(stdout).toContain(`${limits.machinesMax.toLocaleString('en-US')} machines; nothing is wrong`)
  expect(stderr).toContain(`1001 heartbeats of more than ${limits.machinesMax} machines are left out`)
})

it('a text of a megabyte in a heartbeat takes a line of the list', async () => {
  const long = 'x'.repeat(1024 * 1024)
  const some = { 'user.name': long, 'hookgate.agents.broken': Array.from({ length: 9999 }, () => long.slice(0, 99)) }
  const folder = folderWith({ 'agents.json': heartbeatLine(long, Date.now(), some) })
  const { stdout } = await hookgateHere(['machines', join(folder, 'agents.json')])
  expect(stdout.length).toBeLessThan(20_000)
})

it('a file of zeros that has no end worth waiting for is given up', async () => {
  const folder = folderWith({ 'agents.json': heartbeatLine('a', Date.now()) })
  truncateSync(join(folder, 'agents.json'), 4 * limits.sessionLostBytesMax)
  const { stdout, stderr } = await hookgateHere(['machines', join(folder, 'agents.json')])
  expect(stdout).toMatch(/^a /m)
  expect(stderr).toContain(`agents.json:2: the line is longer than ${limits.sessionLineBytesMax} bytes`)
})
