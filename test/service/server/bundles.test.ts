import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, it, onTestFinished, vi } from 'vitest'
import { placesOf } from '../../../src/files/state/places.ts'
import { askStatus } from '../../../src/service/server/heartbeats.ts'
import { openResident } from '../../../src/service/server/resident.ts'
import { overHttp } from '../../support/ask-hook.ts'
import { serveFolder } from '../../support/bundle-server.ts'
import { channel, denyRm, makeTeam } from '../../support/bundles.ts'
import { startCollector } from '../../support/collector.ts'
import { folderWith } from '../../support/workspace.ts'

const soon = { timeout: 120_000, interval: 100 }

it('a gate follows the channel of the managed file, decides by what it gets, and reports it', async () => {
  const team = makeTeam()
  team.publish('r1', denyRm, { mode: 'enforce' })
  const server = await serveFolder(team.repository.folder)
  const collector = await startCollector()
  const folder = folderWith({
    'home/x': '',
    'work/x': '',
    'managed/hooks.json': {
      json: { bundle: { url: server.url, channel, poll: 5 }, export: { otlp: { url: collector.url, logs: false } } },
    },
    'managed/root.json': readFileSync(team.file('metadata/1.root.json'), 'utf8'),
  })
  const env = { HOME: join(folder, 'home'), HOOKGATE_HOME: join(folder, 'state') }
  const places = placesOf({ env, platform: process.platform, uid: process.getuid?.(), home: env.HOME })
  mkdirSync(places.folder, { mode: 0o700 })
  const lines: string[] = []
  const log = pino({ base: null }, { write: (line: string) => void lines.push(line) })
  const gate = { env, home: env.HOME, managedFolder: join(folder, 'managed') }
  const options = { places, version: '1.2.3', log, gate, httpPort: undefined, idleMs: 600_000 }
  const resident = await openResident(options)
  onTestFinished(async () => {
    resident.end('the test is over')
    await resident.ended
  })
  const decide = async (command: string) => {
    const event = {
      hook_event_name: 'PreToolUse',
      session_id: 's',
      transcript_path: '/t',
      cwd: join(folder, 'work'),
      tool_name: 'Bash',
      tool_input: { command },
    }
    const body = JSON.stringify({ agent: 'claude-code', event })
    return JSON.stringify(JSON.parse((await overHttp(places, '/v1/decide', { body })).body))
  }
  await vi.waitFor(async () => expect(await decide('rm -rf x')).toContain('"deny"'), soon)
  await vi.waitFor(
    async () =>
      expect(await askStatus(places)).toMatchObject({
        running: true,
        bundle: { freshness: 'fresh', activated: { revision: 'r1', mode: 'enforce' } },
      }),
    soon,
  )
  expect(lines.join('')).toContain('the bundle team r1 is in force: enforce')
  await server.close()
  await vi.waitFor(() => expect(lines.join('')).toMatch(/new bundles cannot be had.*ECONNREFUSED/), soon)
  expect(await decide('rm -rf y')).toContain('"deny"')
  await vi.waitFor(() => {
    const sent = collector.requests.map(({ text }) => text).join('')
    expect(sent).toContain('hookgate.bundle.activated')
    expect(sent).toContain('hookgate.bundle.age')
    expect(sent).toMatch(/"hookgate\.bundle\.revision","value":\{"stringValue":"r1"/)
  }, soon)
})
