import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { largeText } from '../support/large-texts.ts'
import { sampleOf } from '../support/sample.ts'
import { seeded } from '../support/shell-inputs.ts'
import { openShippedGate } from '../support/shipped-gate.ts'

// The law: no event of 1 MB takes more than 250 ms of the gate's main thread, or 200 MB, whatever it contains. What breaks
// it is a loop over a part of an event in a loop over another: for events of this size it takes seconds.

const program = fileURLToPath(new URL('../support/large-event-costs.ts', import.meta.url))
const limitMs = 250
/** The heap of a gate that has loaded all packs, and 200 MB. A process that needs more is killed by V8. */
const heapMb = 56 + 200

const Cost = z.strictObject({ at: z.int(), name: z.string(), ms: z.number().optional() })
type Cost = z.infer<typeof Cost>

interface Costs {
  readonly costs: readonly Cost[]
  /** Events that the process did not survive. */
  readonly unfinished: readonly string[]
}

/** Decides the events of a range in a process of its own. It is killed once an event takes a minute. */
async function costsOf(from: number, to: number, kind: string): Promise<Costs> {
  const args = [
    `--max-old-space-size=${heapMb}`,
    '--disable-warning=ExperimentalWarning',
    program,
    `${from}`,
    `${to}`,
    kind,
  ]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const costs: Cost[] = []
  let current: string | undefined
  let watch: NodeJS.Timeout | undefined
  for await (const line of createInterface(child.stdout)) {
    clearTimeout(watch)
    const cost = Cost.parse(JSON.parse(line))
    current = cost.ms === undefined ? cost.name : undefined
    if (cost.ms !== undefined) costs.push(cost)
    watch = setTimeout(() => child.kill('SIGKILL'), 60_000)
  }
  clearTimeout(watch)
  return { costs, unfinished: current === undefined ? [] : [current] }
}

const tooSlow = ({ costs }: Costs) => costs.filter(({ ms = 0 }) => ms > limitMs)
const isWhole = sampleOf([0, 1], 2).length === 2
/** Each whole run decides thousands of events, 0.4 s each on a quiet machine. */
const wholeMs = 7_200_000

describe('no large event holds up the gate', () => {
  it('of random grammar, as a command or in another field', { timeout: wholeMs }, async () => {
    const count = isWhole ? 3000 : 60
    const found = await costsOf(0, count, 'random')
    expect(tooSlow(found)).toEqual([])
    expect(found.unfinished).toEqual([])
    expect(found.costs).toHaveLength(count)
  })

  it.runIf(isWhole)('of any production of the languages that are read', { timeout: wholeMs }, async () => {
    const found = await costsOf(0, 1_000_000, 'productions')
    expect(tooSlow(found)).toEqual([])
    expect(found.unfinished).toEqual([])
    expect(found.costs.length).toBeGreaterThan(1000)
  })
})

describe('a danger in a text that is too large to follow', () => {
  const gate = openShippedGate('/home/u')
  afterAll(() => gate.close())
  const seeds = Array.from({ length: isWhole ? 300 : 20 }, (_, at) => at)

  it.each(seeds)('is not passed: before the text of seed %i', async (seed) => {
    const { value } = largeText(seeded(seed), 200_000)
    const { denied, asked } = await gate.judge(`rm -rf ~\n${value}`)
    expect([...denied, ...asked]).not.toEqual([])
  })

  it.each([
    ['here-documents', `cat ${'<<E '.repeat(20_000)}`],
    ['arithmetic', `echo ${'$((1,'.repeat(20_000)}`],
    ['words', `echo ${'"a" '.repeat(30_000)}`],
    ['redirections', `echo ${'>f '.repeat(30_000)}`],
    ['coprocesses', 'coproc a\n'.repeat(12_000)],
    ['patterns of a case', `case x in ${'a|'.repeat(50_000)}b) c;; esac`],
  ])('is not passed: behind many %s', async (_, text) => {
    const { denied, asked } = await gate.judge(`${text}\nrm -rf ~`)
    expect([...denied, ...asked]).not.toEqual([])
  })
})
