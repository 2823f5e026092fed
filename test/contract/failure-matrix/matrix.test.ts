import { describe, expect, it, onTestFinished } from 'vitest'
import { openMatrix } from './matrix.ts'
import type { Row } from './row.ts'
import { rows } from './rows.ts'
import { processTag } from '../../support/processes.ts'

function rowOf(id: string): Row {
  const row = rows.find((one) => one.id === id)
  if (row === undefined) throw new Error(`there is no row \`${id}\``)
  return row
}

describe('the matrix', () => {
  it('does not count a failure that it could not cause', async () => {
    const matrix = openMatrix({ env: processTag().env, hookgate: ['/bin/false'], hookFor: () => '#!/bin/sh\n' })
    onTestFinished(() => matrix.close())
    for (const id of ['gate-busy', 'disk-full', 'worker-dies', 'rules-broken-later', 'rules-missing']) {
      // oxlint-disable-next-line no-await-in-loop -- sequential runs are easier to follow
      await expect(matrix.ask(rowOf(id), 'cline', 'client')).rejects.toMatchObject({ code: 'unavailable' })
    }
  })
})
