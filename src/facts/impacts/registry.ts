import type { Deed, Deeds, Family } from './deeds.ts'
import { families } from './families/index.ts'

interface Known {
  readonly deeds: Deeds
  readonly family: Family
}

const none: readonly Known[] = []

const deedOfShowing = { kind: 'show', thing: 'secret' } as const

/** All programs with deeds, by name. */
const known: ReadonlyMap<string, readonly Known[]> = byName()

function byName(): ReadonlyMap<string, readonly Known[]> {
  const all = new Map<string, Known[]>()
  for (const family of families) {
    for (const [names, deeds] of Object.entries(family.programs)) {
      const own = { deeds: withShown(deeds), family }
      for (const name of names.split(' ')) {
        const before = all.get(name)
        if (before === undefined) all.set(name, [own])
        else before.push(own)
      }
    }
  }
  return all
}

/** Makes deeds of what a program shows. A secret that was seen takes work: it is made anew. */
function withShown(deeds: Deeds): Deeds {
  if (deeds.shows === undefined) return deeds
  const shown = Object.entries(deeds.shows).map(([pattern, said]): Deed =>
    Object.assign({}, deedOfShowing, { work: [pattern] }, typeof said === 'string' ? { object: said } : said),
  )
  return { ...deeds, also: [...(deeds.also ?? []), ...shown] }
}

/**
 * Returns what is known of what a program does to what others depend on. A key that ends in a dot stands for every name
 * that begins so: `mkfs.` for `mkfs.ext4`.
 */
export const deedsOf = (program: string): readonly Known[] =>
  known.get(program) ?? known.get(program.slice(0, program.indexOf('.') + 1)) ?? none
