import type { Deeds, Family } from './deeds.ts'
import { families } from './families/index.ts'

interface Known {
  readonly deeds: Deeds
  readonly family: Family
}

const none: readonly Known[] = []

/** All programs with deeds, by name. */
const known: ReadonlyMap<string, readonly Known[]> = byName()

function byName(): ReadonlyMap<string, readonly Known[]> {
  const all = new Map<string, Known[]>()
  for (const family of families) {
    for (const [names, deeds] of Object.entries(family.programs)) {
      for (const name of names.split(' ')) {
        const before = all.get(name)
        if (before === undefined) all.set(name, [{ deeds, family }])
        else before.push({ deeds, family })
      }
    }
  }
  return all
}

/** Returns what is known of what a program does to what others depend on. */
export const deedsOf = (program: string): readonly Known[] => known.get(program) ?? none
