import type { LineRules } from '../../words/loose-line.ts'
import type { ImpactArea } from '../../model/impact.ts'
import { areas } from '../programs/areas.ts'
import type { Area, Deed, Deeds } from '../programs/deeds/deeds.ts'
import { type RegistryEntry, entriesOf, optionsKnown } from '../programs/table.ts'

/** Deeds of a program, as a command line is held against them. */
export interface PreparedDeeds {
  readonly deeds: Deeds
  readonly area: Area & { readonly name: ImpactArea }
  /** How its command lines are read: by the options of its row, and by those that only the deeds say. */
  readonly rules: LineRules
}

const prepared = new Map<string, readonly PreparedDeeds[]>()

/** Returns what is known of what a program does to what others depend on. */
export function deedsOf(program: string): readonly PreparedDeeds[] {
  const ready = prepared.get(program)
  if (ready !== undefined) return ready
  const entries = entriesOf(program)
  const made = entries.flatMap((entry) => deedsIn(entry))
  if (entries.length > 0) prepared.set(program, made)
  return made
}

function deedsIn({ name, program: { does }, family }: RegistryEntry): readonly PreparedDeeds[] {
  if (does === undefined) return []
  return [does].flat().flatMap((deeds) => {
    const area = deeds.area ?? family.area
    const defaults = area === undefined ? undefined : areas[area]
    return area === undefined || defaults === undefined
      ? []
      : [{ deeds: withShown(deeds), area: { ...defaults, name: area }, rules: rulesOf(name, deeds) }]
  })
}

const deedOfShowing = { kind: 'show', thing: 'secret' } as const

/** Makes deeds of what a program shows. A secret that was seen takes work: it is made anew. */
function withShown(deeds: Deeds): Deeds {
  if (deeds.shows === undefined) return deeds
  const shown = Object.entries(deeds.shows).map(([pattern, said]): Deed =>
    Object.assign({}, deedOfShowing, { work: [pattern] }, typeof said === 'string' ? { object: said } : said),
  )
  return { ...deeds, also: [...(deeds.also ?? []), ...shown] }
}

/** An option that deeds say otherwise than the row counts as they say: the row has that of all subcommands. */
function rulesOf(program: string, deeds: Deeds): LineRules {
  const row = optionsKnown(program)
  if (row === undefined) return deeds
  const { valued = '', flags = '' } = deeds
  const own = new Set(`${valued} ${flags}`.split(' '))
  const withMore = (some: string, more: readonly string[]) =>
    [some, ...more.filter((name) => !own.has(name))].join(' ').trim()
  return {
    ...deeds,
    valued: withMore(valued, row.valued),
    flags: withMore(flags, row.flags),
    oneDash: deeds.oneDash ?? row.oneDash,
  }
}
