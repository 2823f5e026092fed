import { z } from 'zod'
import { firstLine } from '../../model/text.ts'
import { askGate } from '../../server/ask-gate.ts'
import type { GatePaths } from '../../server/places.ts'
import type { Finding } from './checks.ts'

/** The part of a gate's recent events that is needed here, the same in every version. */
const Kept = z.looseObject({
  events: z.array(
    z.looseObject({
      record: z
        .looseObject({
          failures: z.array(
            z.looseObject({ ruleId: z.string(), failure: z.looseObject({ code: z.string(), message: z.string() }) }),
          ),
        })
        .optional(),
    }),
  ),
})

/** Finds the hooks and policies that failed lately in the running gate, those in quarantine among them. */
export async function recentFailures({ socket }: GatePaths): Promise<readonly Finding[]> {
  const events = await keptEvents(socket)
  const records = events.flatMap(({ record }) => (record === undefined ? [] : [record]))
  const byRule = Map.groupBy(
    records.flatMap(({ failures }) => failures),
    ({ ruleId }) => ruleId,
  )
  return [...byRule].flatMap(([ruleId, failures]) => {
    const last = failures.at(-1)?.failure
    // These broke nothing: the findings about rules name them.
    if (last === undefined || last.code === 'untrusted' || last.code === 'cancelled') return []
    const often = failures.length === 1 ? 'once' : `${failures.length} times`
    const state = last.message.startsWith('quarantined') ? 'notSafe' : 'note'
    const what = `${ruleId} failed ${often} in the last ${records.length} events: ${firstLine(last.message)}`
    return [{ about: 'failures', state, what, remedy: 'fix it; `hookgate check` may say more' } satisfies Finding]
  })
}

async function keptEvents(socket: string) {
  try {
    const { status, body } = await askGate(socket, { path: '/v1/events' })
    const kept = Kept.safeParse(JSON.parse(body.toString()))
    return status === 200 && kept.success ? kept.data.events : []
  } catch {
    // `checkGate` reports a gate that does not answer.
    return []
  }
}
