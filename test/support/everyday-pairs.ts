import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createGate } from '../../src/library/index.ts'
import { claudeShell } from './wire.ts'

/** An everyday call, and beside it a dangerous one of nearly the same form. */
export type Pair = readonly [everyday: string, dangerous: string]

/** Calls of one kind, and the name of the rule that stops the dangerous ones, if it is one rule. */
export interface Kind {
  readonly kind: string
  readonly rule: string
  readonly pairs: readonly Pair[]
}

/** Tests with the preset `recommended` that the everyday calls pass, and that a rule stops the dangerous ones. */
export function testPairs(kinds: readonly Kind[]): void {
  const home = '/home/u'
  const folder = mkdtempSync(join(tmpdir(), 'everyday-pairs-'))
  const rules = join(folder, 'hooks.json')
  writeFileSync(rules, JSON.stringify({ preset: 'recommended' }))
  const gate = createGate({ placement: 'caller', rules: [rules], discover: false, home, env: { HOME: home } })
  afterAll(async () => {
    await gate.close()
    rmSync(folder, { recursive: true })
  })
  const stoppedBy = async (command: string) => {
    const { evaluations } = await gate.decide(await gate.decode(claudeShell(command, join(home, 'proj'))))
    return evaluations.flatMap((one) =>
      one.kind === 'applicable' && (one.effect === 'deny' || one.effect === 'ask')
        ? [one.ruleId.slice(one.ruleId.lastIndexOf('/') + 1)]
        : [],
    )
  }
  describe.each(kinds)('$kind', ({ pairs, rule }) => {
    it.each(pairs)('passes in %s, and is stopped in %s', async (everyday, dangerous) => {
      expect(await stoppedBy(everyday)).toEqual([])
      expect(await stoppedBy(dangerous)).toContain(rule)
    })
  })
}
