import { readdirSync } from 'node:fs'
import type { GatePaths } from '../../src/files/state/places.ts'
import { askHook, overHttp } from './ask-hook.ts'

/** Writes a policy that denies every command, names it, and uses some milliseconds of CPU. */
export const refusesAll = (rounds: number) => `import { definePolicy, deny } from 'hookgate/policy'
export default definePolicy({
  id: 'refuses-all',
  description: 'Refuses every command',
  on: 'PreToolUse',
  tool: 'shell',
  decide({ tool }) {
    let n = 0
    for (let i = 0; i < ${rounds}; i++) n += i % 7
    return deny('refused: ' + tool.command + (n < 0 ? n : '.'))
  },
  examples: [{ name: 'any', given: { tool: 'shell', input: { command: 'x' } }, want: 'deny' }],
})
`

/** The outcome of one event: its own denial, a denial for a failure, or a broken connection; else a defect. */
export type Outcome = 'refused' | 'failed' | 'broken' | `wrong: ${string}`

/** Sends one command with a unique name. */
export async function outcomeOf(places: Pick<GatePaths, 'socket' | 'key'>, id: string): Promise<Outcome> {
  try {
    const { exitCode, stdout, stderr } = await askHook(places, `command-${id}`, 120_000)
    const text = stdout + stderr
    if (exitCode !== 2) return `wrong: exit code ${exitCode}: ${text.slice(0, 200)}`
    const named = new Set(text.match(/command-\w+/g))
    if (named.size === 0) return 'failed'
    return named.size === 1 && named.has(`command-${id}`) ? 'refused' : `wrong: of another event: ${[...named].join()}`
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    return brokenCodes.has(code) ? 'broken' : `wrong: ${code}`
  }
}

/** The errors that make a client decide without a gate. */
const brokenCodes: ReadonlySet<string> = new Set(['ECONNRESET', 'ECONNREFUSED', 'EPIPE', 'ENOENT', 'EAGAIN'])

/** Counts the outcomes. */
export function tally(outcomes: readonly Outcome[]): Readonly<Partial<Record<Outcome, number>>> {
  const counts: Partial<Record<Outcome, number>> = {}
  for (const outcome of outcomes) counts[outcome] = (counts[outcome] ?? 0) + 1
  return counts
}

/** Sends `count` commands from so many concurrent clients. */
export async function storm(
  places: Pick<GatePaths, 'socket' | 'key'>,
  count: number,
  clients: number,
  prefix = 'n',
): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  let next = 0
  const client = async () => {
    while (next < count) {
      const id = `${prefix}${next}`
      next += 1
      // oxlint-disable-next-line no-await-in-loop -- a client sends one event at a time
      outcomes.push(await outcomeOf(places, id))
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  return outcomes
}

export const descriptorsOf = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length

/** Returns how many events a gate has decided since its start. */
export async function decidedBy(places: Pick<GatePaths, 'socket' | 'key'>): Promise<number> {
  const text = (await overHttp(places, '/metrics')).body
  return [...text.matchAll(/^hookgate_decisions_total(?:\{[^}]*\})? (\d+)/gm)].reduce(
    (sum, [, n]) => sum + Number(n),
    0,
  )
}
