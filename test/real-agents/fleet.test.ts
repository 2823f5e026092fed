import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { z } from 'zod'
import { isInCohort } from '../../src/bundle/machine/kept.ts'
import { Release } from '../../src/bundle/names.ts'
import { serveFolder } from '../support/bundle-server.ts'
import { hookgate } from '../support/cli.ts'
import { attributesOf, startCollector } from '../support/collector.ts'
import { folderWith, writeFiles } from '../support/workspace.ts'
import { canAdminister } from './administrator.ts'
import { type Pinned, programOf } from './pins.ts'
import { worldOf } from './world.ts'

const agents = ['claude-code', 'codex', 'droid'] as const
/** Looks follow every five seconds, and further apart after failures. */
const soon = { timeout: 60_000, interval: 500 }
const Status = z.looseObject({
  freshness: z.string(),
  release: z.looseObject({ mode: z.string() }).nullable().default(null),
  switched: z.array(z.string()),
  lastLook: z.looseObject({ problem: z.string().optional() }).nullable(),
})

/** A machine with an `/etc` of its own, whose administrator has an agent follow a channel. */
async function laptop(agent: Pinned, machineId: string, managed: object, pinned: string) {
  const disk = folderWith({ 'lib/x': '' })
  spawnSync('cp', ['-a', '/etc', join(disk, 'etc')])
  writeFiles(disk, { 'etc/machine-id': `${machineId}\n`, 'etc/hookgate/hooks.json': { json: managed } })
  cpSync(pinned, join(disk, 'etc/hookgate/root.json'))
  const mounts = 'mount --bind "$0/etc" /etc && mount --bind "$0/lib" /var/lib && exec "$@"'
  const world = await worldOf(agent, [], ['unshare', '--mount', 'sh', '-c', mounts, disk])
  onTestFinished(() => world.close())
  for (const argv of [['disable', agent], ['enable', '--managed', agent], ['up']]) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const { exitCode, stderr } = await world.cli(argv)
    expect({ argv, exitCode, stderr }).toMatchObject({ exitCode: 0 })
  }
  return {
    /** Waits until the state of the machine's bundle is this one. */
    state: (wanted: object) =>
      vi.waitFor(async () => {
        const { stdout } = await world.cli(['bundle', 'status', '--json'])
        expect(Status.parse(JSON.parse(stdout))).toMatchObject(wanted)
      }, soon),
    /** Returns whether the agent could do what the rules of the bundle are about. */
    async pushes() {
      const call = world.launch.shell('touch pushed')
      const ran = await world.run(() => ({ main: [{ calls: [call] }] }))
      expect({ said: ran.said, asked: ran.asked.length > 0 }).toMatchObject({ asked: true })
      return ran.made('pushed')
    },
  }
}

describe.runIf(canAdminister && agents.every((agent) => programOf(agent) !== undefined))('a fleet of laptops', () => {
  it(
    'sees a rule before it is enforced, obeys it, is let off it, and cannot be turned back',
    { timeout: 590_000 },
    async () => {
      const folder = folderWith({ 'rules/hooks.json': { json: { permissions: { deny: ['Bash(touch pushed)'] } } } })
      const team = async (...words: readonly string[]) => {
        const { exitCode, stdout, stderr } = await hookgate(['bundle', ...words], { cwd: folder })
        expect({ words, exitCode, stderr }).toMatchObject({ exitCode: 0 })
        return stdout
      }
      const signed = ['--keys', 'keys', '--channel', 'laptops'] as const
      await team('keys', 'repo', ...signed, '--no-passphrase')
      await team('make', 'rules', '--name', 'acme', '--revision', '1', '--out', '1.gz')
      const rollout = ['--percent', '10', '--mode', 'observe', '--json'] as const
      const release = Release.parse(JSON.parse(await team('publish', 'repo', '1.gz', ...signed, ...rollout)))
      cpSync(join(folder, 'repo'), join(folder, 'before'), { recursive: true })

      const server = await serveFolder(join(folder, 'repo'))
      const collector = await startCollector()
      const managed = {
        bundle: { url: server.url, channel: 'laptops', poll: 5 },
        export: { otlp: { url: collector.url } },
      }
      const ids = idsFor(release)
      const laptops = []
      for (const [at, agent] of agents.entries()) {
        // oxlint-disable-next-line no-await-in-loop -- each is a gate and an agent
        laptops.push(await laptop(agent, ids[at] ?? '', managed, join(folder, 'repo/metadata/1.root.json')))
      }
      const [first, second, third] = laptops
      if (first === undefined || second === undefined || third === undefined) throw new Error('there are three')

      await first.state({ freshness: 'fresh', release: { mode: 'observe' } })
      for (const other of [second, third]) {
        // oxlint-disable-next-line no-await-in-loop -- as above
        await other.state({ freshness: 'fresh', release: null })
      }
      // oxlint-disable-next-line no-await-in-loop -- one agent at a time
      for (const one of laptops) expect(await one.pushes()).toBe(true)
      const sent = (agent: string) =>
        collector
          .logs()
          .map(attributesOf)
          .filter((one) => one['gen_ai.agent.name'] === agent && one['hookgate.subject'] === 'touch pushed')
      const rule = 'managed:bundle/hooks.json#permissions.deny'
      await vi.waitFor(() => {
        const observed = agents.map((agent) => sent(agent).flatMap((one) => one['hookgate.rules.observed'] ?? []))
        expect(agents.map((agent) => sent(agent).length > 0)).toEqual([true, true, true])
        expect(observed).toEqual([[rule], [], []])
      }, soon)

      await team('promote', 'repo', ...signed, '--percent', '100', '--mode', 'enforce')
      for (const one of laptops) {
        // oxlint-disable-next-line no-await-in-loop -- as above
        await one.state({ release: { mode: 'enforce' } })
        // oxlint-disable-next-line no-await-in-loop -- as above
        expect(await one.pushes()).toBe(false)
      }

      // Whoever has the server puts back what was signed before.
      const put = (from: string) => {
        rmSync(join(folder, 'repo'), { recursive: true })
        cpSync(join(folder, from), join(folder, 'repo'), { recursive: true })
      }
      cpSync(join(folder, 'repo'), join(folder, 'now'), { recursive: true })
      put('before')
      const problem: unknown = expect.stringMatching(/version/)
      await first.state({ release: { mode: 'enforce' }, lastLook: { problem } })
      expect(await first.pushes()).toBe(false)
      put('now')

      await team('revoke', 'repo', ...signed, '--observe', '--reason', 'issue 12')
      await first.state({ switched: [expect.stringContaining('issue 12')] })
      expect(await first.pushes()).toBe(true)
    },
  )
})

/** Returns ids of machines, of which only the first one is among those that a release is for. */
function idsFor(release: Release): readonly string[] {
  const all = Array.from({ length: 200 }, (_, at) => `${at}`.padStart(32, '0'))
  const isIn = (id: string) => isInCohort(release, createHash('sha256').update(`hookgate bundle\0${id}`).digest('hex'))
  return [...all.filter(isIn).slice(0, 1), ...all.filter((id) => !isIn(id)).slice(0, agents.length - 1)]
}
