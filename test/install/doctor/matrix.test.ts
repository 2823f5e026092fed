import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openMatrix } from '../../../src/install/doctor/matrix.ts'
import type { Row } from '../../../src/install/doctor/row.ts'
import { rows } from '../../../src/install/doctor/rows.ts'
import { liveProcesses, processTag, until } from '../../support/processes.ts'

const bin = fileURLToPath(new URL('../../../src/cli/bin.ts', import.meta.url))

function matrixOf(hookgate: readonly [string, ...string[]]) {
  const { tag, env } = processTag()
  const matrix = openMatrix({ env, hookgate, hookFor: () => '#!/bin/sh\n' })
  onTestFinished(() => matrix.close())
  return { tag, matrix }
}

function rowOf(id: string): Row {
  const row = rows.find((one) => one.id === id)
  if (row === undefined) throw new Error(`there is no row \`${id}\``)
  return row
}

describe('the matrix', () => {
  it('takes no failure for shown that it could not bring about', async () => {
    const { matrix } = matrixOf(['/bin/false'])
    for (const id of ['gate-busy', 'disk-full', 'worker-dies', 'rules-broken-later', 'rules-missing']) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other is quicker to understand
      await expect(matrix.ask(rowOf(id), 'cline', 'client')).rejects.toMatchObject({ code: 'unavailable' })
    }
  })

  it('finds a command that lets the agent go ahead, and one that says nothing of why', async () => {
    const { matrix } = matrixOf(['/bin/sh', '-c', `echo '{"cancel":false}'`])
    const goesAhead = await matrix.ask(rowOf('gate-absent'), 'cline', 'run')
    expect(goesAhead?.judgement).toEqual({ kind: 'notSafe', why: 'it goes ahead' })
  })

  it('ends all that it has started when it is closed in the middle, and takes its folder away', async () => {
    const { tag, matrix } = matrixOf([process.execPath, bin])
    const asked = ['gate-busy', 'hook-timeout', 'worker-dies'].flatMap((id) =>
      (['http', 'run'] as const).map((way) => matrix.ask(rowOf(id), 'claude-code', way)),
    )
    const settled = Promise.allSettled(asked)
    expect(await until(() => liveProcesses(tag).length > 2, 20_000)).toBe(true)
    matrix.close()
    expect(await until(() => liveProcesses(tag).length === 0, 20_000)).toBe(true)
    expect(existsSync(matrix.folder)).toBe(false)
    await settled
    expect(liveProcesses(tag)).toEqual([])
  })
})
