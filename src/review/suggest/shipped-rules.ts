import { join } from 'node:path'
import { shippedFolder, shippedPacks } from '../../files/policy-files.ts'
import { createGate } from '../../gate/gate.ts'
import { restricts } from '../../model/effect.ts'
import type { HookEvent } from '../../model/event.ts'
import type { Environment } from '../../model/node-environment.ts'

/** Says what a policy that hookgate ships has against a call, though nobody has turned it on; `undefined` if none has. */
export type ObjectionTo = (event: HookEvent) => Promise<string | undefined>

export async function withShippedRules<T>(
  { home, env }: { readonly home: string; readonly env: Environment },
  use: (objectionTo: ObjectionTo) => Promise<T>,
): Promise<T> {
  const rules = shippedPacks().map((name) => join(shippedFolder, name))
  const gate = createGate({ rules, discover: false, home, env })
  try {
    return await use(async (event) => {
      // What an agent has asked about came before its permission prompt.
      const { decision, determining } = await gate.decide({ ...event, name: 'PreToolUse' })
      const [id = ''] = determining
      return restricts(decision)
        ? `${id.slice(id.lastIndexOf('/') + 1)} would ${decision === 'deny' ? 'refuse' : 'ask about'} it`
        : undefined
    })
  } finally {
    await gate.close()
  }
}
