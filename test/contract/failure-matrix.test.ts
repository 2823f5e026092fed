import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { entryFile, version } from '../../src/files/program-files.ts'
import { chooseClient, hookScript } from '../../src/service/client/index.ts'
import { toolEventOf } from '../../src/install/doctor/faults.ts'
import { openMatrix } from './failure-matrix/matrix.ts'
import { type Way, waysOf } from './failure-matrix/row.ts'
import { rows } from './failure-matrix/rows.ts'
import { agentNames, type KnownAgent } from '../../src/agents/registry.ts'
import { sampleOf } from '../support/sample.ts'
import { liveProcesses, processTag, until } from '../support/processes.ts'

const bin = entryFile('cli/bin')
const folder = mkdtempSync(join(tmpdir(), 'hookgate-test-'))
const { client } = await chooseClient({ folder: join(folder, 'clients'), node: process.execPath })
const { tag, env } = processTag()
const matrix = openMatrix({
  env,
  hookgate: [process.execPath, bin],
  hookFor: (agent, places) =>
    hookScript(client, {
      agent,
      event: toolEventOf(agent),
      folder: places.folder,
      socket: places.socket,
      version: version(),
      node: process.execPath,
      bin,
      // Long enough for a loaded machine.
      aliveMs: 5000,
    }),
})

afterAll(async () => {
  matrix.close()
  rmSync(folder, { recursive: true, force: true })
  if (!(await until(() => liveProcesses(tag).length === 0))) throw new Error('a process is still running')
})

/** Samples one of a way's agents, rotated by row: each row is run in each way, and each agent in two rows. */
function sampledAgents(way: Way, row: number): readonly KnownAgent[] {
  const agents = agentNames.filter((agent) => waysOf(agent).includes(way))
  const first = row % agents.length
  return sampleOf([...agents.slice(first), ...agents.slice(0, first)], agents.length)
}

const ways: readonly Way[] = [...new Set(agentNames.flatMap(waysOf))]
const cases = rows.flatMap((row, index) =>
  ways
    .filter((way) => row.sees[way] !== undefined)
    .flatMap((way) => sampledAgents(way, index).map((agent) => ({ row, agent, way, what: row.what }))),
)

describe.concurrent('the failure matrix', () => {
  it.each(cases)('$agent by $way, when $what', async ({ row, agent, way }) => {
    const observed = await matrix.ask(row, agent, way)
    expect(observed?.judgement).toEqual({ kind: 'ok' })
    expect(observed?.seen.kind).toBe(row.sees[way]?.kind)
  })

  it('covers every failure that the design names', () => {
    const named = [
      'gate-absent gate-busy event-malformed event-too-large rules-malformed rules-missing',
      'hook-missing hook-not-executable hook-timeout hook-killed hook-garbage',
      'policy-throws policy-loops policy-memory worker-dies disk-full',
    ]
    expect(rows.map(({ id }) => id)).toEqual(expect.arrayContaining(named.join(' ').split(' ')))
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length)
  })

  it('has an `onFailure: continue` row beside each failing hook that blocks', () => {
    const ids = rows.filter(({ cause }) => cause.kind === 'hook').map(({ id }) => id)
    const musts = ids.filter((id) => !id.endsWith('-continue'))
    expect(ids.filter((id) => id.endsWith('-continue'))).toEqual(musts.map((id) => `${id}-continue`))
  })
})

describe('the simulated full disk', () => {
  it('keeps a program from writing a single byte', () => {
    const file = join(folder, 'written')
    spawnSync('/bin/sh', ['-c', 'ulimit -f 0 && exec "$0" "$@"', '/bin/sh', '-c', `echo something > '${file}'`])
    expect(existsSync(file)).toBe(true)
    expect(spawnSync('/bin/sh', ['-c', `test -s '${file}'`]).status).toBe(1)
  })
})
