import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createGate, type Gate, type Verdict } from '../../src/library/index.ts'
import type { Row } from './corpus.ts'
import { placeOf, wireOf } from './row-event.ts'

const policies = fileURLToPath(new URL('../../policies', import.meta.url))

/** The packs that come with hookgate. */
export const packNames = readdirSync(policies).filter((name) => existsSync(join(policies, name, 'pack.json')))

/** The pack that returns `allow`. It is off unless it is enabled. */
const allowing = 'read-only-allow'

/** The pack whose answers hang on the calls before, of which a row has none. */
const sequences = 'data-flow'

/** All other packs that come with hookgate. */
const guarding = packNames.filter((name) => name !== allowing && name !== sequences)

export interface Judge {
  /** The verdict of the packs that refuse and ask. */
  readonly guarded: (row: Row) => Promise<Verdict>
  /** The verdict with the `allow` pack as well, which prompts for every unknown command. */
  readonly allowed: (row: Row) => Promise<Verdict>
  readonly close: () => Promise<void>
}

/** Answers as a user's gate with one preset would. */
export interface PresetJudge {
  readonly decide: (row: Row) => Promise<Verdict>
  readonly close: () => Promise<void>
}

/**
 * Opens gates with every pack enabled in a rules file, one for each home directory in the rows.
 *
 * @param preset that decides in place of all packs that refuse and ask
 */
export function openJudge(preset?: string): Judge {
  const guards = preset === undefined ? { packs: guarding.map((pack) => ({ pack })) } : { preset }
  const asking = { pack: allowing, params: { otherwise: 'ask' } }
  const gates = openGates()
  const guardedRules = gates.rulesFile('guarded', guards)
  const allowedRules = gates.rulesFile('allowed', { ...guards, packs: [...(guards.packs ?? []), asking] })
  return { guarded: gates.decideBy(guardedRules), allowed: gates.decideBy(allowedRules), close: () => gates.close() }
}

/** Opens a gate whose rules file names the preset and nothing else. */
export function openPresetJudge(preset: string): PresetJudge {
  const gates = openGates()
  return { decide: gates.decideBy(gates.rulesFile('preset', { preset })), close: () => gates.close() }
}

function openGates() {
  const folder = mkdtempSync(join(tmpdir(), 'hookgate-accuracy-'))
  const gates = new Map<string, Gate>()
  const decideBy = (rules: string) => async (row: Row) => {
    const { home } = placeOf(row)
    const key = `${rules} ${home}`
    const gate = gates.get(key) ?? createGate({ rules: [rules], discover: false, home, env: { HOME: home } })
    gates.set(key, gate)
    return gate.decide(await gate.decode(wireOf(row), { agent: 'claude-code' }))
  }
  return {
    rulesFile: (name: string, rules: object) => rulesFile(folder, name, rules),
    decideBy,
    async close() {
      await Promise.all([...gates.values()].map((gate) => gate.close()))
      rmSync(folder, { recursive: true })
    },
  }
}

function rulesFile(folder: string, name: string, rules: object): string {
  mkdirSync(join(folder, name))
  const file = join(folder, name, 'hooks.json')
  writeFileSync(file, JSON.stringify(rules))
  return file
}
