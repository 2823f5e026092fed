import type { LineRules } from '../../words/loose-line.ts'
import { optionsKnown } from '../programs/table.ts'
import type { Deed, Deeds, Family } from './deeds.ts'
import { families } from './families/index.ts'

interface Known {
  readonly deeds: Deeds
  readonly family: Family
  /** How its command lines are read: by the options of its row, and by those that only the deeds say. */
  readonly rules: LineRules
}

const none: readonly Known[] = []

/** The deeds of all programs by name, in the order of the families. */
const byName: ReadonlyMap<string, readonly Omit<Known, 'rules'>[]> = Map.groupBy(
  families.flatMap((family) =>
    Object.entries(family.programs).flatMap(([names, deeds]) =>
      names.split(' ').map((name) => ({ name, deeds, family })),
    ),
  ),
  ({ name }) => name,
)

const prepared = new Map<string, readonly Known[]>()

/**
 * Returns what is known of what a program does to what others depend on. A key that ends in a dot stands for every name
 * that begins so: `mkfs.` for `mkfs.ext4`.
 */
export function deedsOf(program: string): readonly Known[] {
  const key = byName.has(program) ? program : program.slice(0, program.indexOf('.') + 1)
  const found = byName.get(key)
  if (found === undefined) return none
  const ready = prepared.get(key) ?? found.map((one) => prepare(key, one))
  prepared.set(key, ready)
  return ready
}

const prepare = (program: string, { deeds, family }: Omit<Known, 'rules'>): Known => ({
  deeds: withShown(deeds),
  family,
  rules: rulesOf(program, deeds),
})

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
