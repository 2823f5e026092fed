import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createGate } from '../../src/index.ts'
import { claudeShell } from './wire.ts'

const policies = fileURLToPath(new URL('../../policies', import.meta.url))

/** All packs that come with hookgate and refuse or ask, for somebody whose home directory this is. */
export function openShippedGate(home: string) {
  const packs = readdirSync(policies).filter((name) => existsSync(join(policies, name, 'pack.json')))
  const rules = packs.filter((name) => name !== 'read-only-allow').map((name) => join(policies, name))
  const gate = createGate({ rules, discover: false, home, env: { HOME: home } })
  return {
    /** What they want of a command: no more than the ids of rules that refuse or ask by what they say, not by a failure. */
    async judge(
      command: string,
      cwd = join(home, 'proj'),
    ): Promise<{ readonly denied: string[]; readonly asked: string[] }> {
      const { evaluations } = await gate.decide(await gate.decode(claudeShell(command, cwd)))
      const wanting = (effect: string): string[] =>
        evaluations.flatMap((one) =>
          one.kind === 'applicable' && one.effect === effect ? [one.ruleId.slice(one.ruleId.lastIndexOf('/') + 1)] : [],
        )
      return { denied: wanting('deny'), asked: wanting('ask') }
    },
    close: () => gate.close(),
  }
}
