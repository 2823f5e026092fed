import { describe, expect, it } from 'vitest'
import { recordStorm } from '../../bench/support/record-storm.ts'

describe.skipIf(process.platform === 'win32')('many writers of one record, of which some are killed', () => {
  it('leave a row for every answer that was given, or count it as lost; the chain holds', async () => {
    const { answered, unrecorded, rows, twice, lost, inFlightMax, check } = await recordStorm(2000, 10, 2)
    expect(answered).toBeGreaterThan(1900)
    expect(unrecorded).toBeLessThanOrEqual(lost)
    expect(rows + lost).toBeGreaterThanOrEqual(answered)
    expect(rows + lost).toBeLessThanOrEqual(answered + inFlightMax)
    expect(twice).toBe(0)
    expect(check).toMatchObject({ kind: 'whole', rows })
  })
})
