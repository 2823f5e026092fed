import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { OpenRequest } from '../../src/model/approval.ts'
import type { Turn } from './model/script.ts'
import type { Pinned } from './pins.ts'
import type { Inside, Ran, Started, World } from './world.ts'

const Listed = z.looseObject({ requests: z.array(OpenRequest) })
const Rules = z.looseObject({})

/** What somebody is asked about, and how long. */
export interface Asking {
  readonly waitSeconds: number
  readonly ask?: readonly string[]
  readonly files?: Readonly<Record<string, string>>
  readonly started?: Started
}

/** The requests that wait for a person. */
export async function requestsIn(world: World) {
  const { stdout } = await world.cli(['approvals', '--json'])
  return Listed.parse(JSON.parse(stdout)).requests
}

/** Has the agent take a turn that a rule asks about, and does something to it as soon as a call of it waits. */
export async function whileAsked(
  world: World,
  agent: Pinned,
  turns: (inside: Inside) => readonly Turn[],
  { waitSeconds, ask, files, started }: Asking,
  meanwhile: (id: string, inside: Inside) => Promise<unknown>,
): Promise<Ran> {
  const file = join(world.home, '.config/hookgate/hooks.json')
  const before = readFileSync(file, 'utf8')
  const rules = Rules.parse(JSON.parse(before))
  const approvals = { insteadOf: [agent], waitSeconds }
  writeFileSync(file, JSON.stringify({ ...rules, ...(ask !== undefined && { permissions: { ask } }), approvals }))
  const { promise: within, resolve: enter } = Promise.withResolvers<Inside>()
  const running = world.run(
    (inside) => {
      const [first, ...others] = turns(inside)
      return { main: first === undefined ? [] : [{ ...first, before: () => enter(inside) }, ...others] }
    },
    files,
    started,
  )
  const inside = await within
  while (true) {
    // oxlint-disable-next-line no-await-in-loop -- waiting is the point
    const [request] = await requestsIn(world)
    if (request !== undefined) {
      // oxlint-disable-next-line no-await-in-loop -- once
      await meanwhile(request.id, inside)
      return running.finally(() => writeFileSync(file, before))
    }
    // oxlint-disable-next-line no-await-in-loop -- waiting is the point
    await sleep(100)
  }
}
