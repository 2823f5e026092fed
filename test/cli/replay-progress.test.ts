import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { progressLine, showProgress } from '../../src/cli/commands/replay/replay.ts'

/** Collects what is drawn on a terminal. */
function terminal(isTTY: boolean, columns = 120) {
  const written: string[] = []
  return { isTTY, columns, written, write: (text: string) => written.push(text) }
}

describe('the progress of a replay', () => {
  it('is the part that was read, the calls, the rate and the time that is left', () => {
    expect(progressLine({ calls: 12_345, bytes: 250, bytesTotal: 1000 }, 10)).toBe(
      '[######..................] 25 %, 12,345 calls, 1,235 a second, 30 s left',
    )
    expect(progressLine({ calls: 10, bytes: 100, bytesTotal: 1000 }, 60)).toMatch(/, 9 min left$/)
    expect(progressLine({ calls: 10, bytes: 100, bytesTotal: 1000 }, 3600)).toMatch(/, 9\.0 h left$/)
  })

  it('claims no part and no time that cannot be known', () => {
    expect(progressLine({ calls: 10, bytes: 0, bytesTotal: 0 }, 5)).toBe('10 calls, 2 a second')
    expect(progressLine({ calls: 0, bytes: 0, bytesTotal: 1000 }, 0)).toBe(
      '[........................] 0 %, 0 calls, 0 a second',
    )
    expect(progressLine({ calls: 9, bytes: 2000, bytesTotal: 1000 }, 1)).toMatch(/100 %, .* 0 s left$/)
  })

  it('is drawn on one line of a terminal, removed at the end, and never written into a file', async () => {
    const [shown, file] = [terminal(true, 30), terminal(false)]
    const progress = () => ({ calls: 0, bytes: 10, bytesTotal: 20 })
    const ends = [shown, file].map((one) => showProgress(progress, one))
    await expect.poll(() => shown.written.length).toBeGreaterThan(1)
    for (const end of ends) end()
    const drawn = shown.written.length
    await sleep(300)
    expect(shown.written).toHaveLength(drawn)
    // oxlint-disable-next-line no-control-regex -- the sequence that clears a line
    for (const text of shown.written) expect(text).toMatch(/^\r\u001b\[K.{0,29}$/)
    expect(shown.written.at(-1)).toBe('\r\u001b[K')
    expect(file.written).toEqual([])
  })
})
