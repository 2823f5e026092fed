import { isTelling, isWild, meaning } from './names.ts'
import type { Place } from './place-list.ts'

/** A place as the names on the way to it, for patterns to be tried on. */
interface Likely {
  readonly names: readonly string[]
  readonly below: boolean
  /** The group that has the same exceptions. */
  readonly group: number
}

const sourceOf = (at: string) =>
  at.replaceAll(/[$()+./[\\\]^{|}]|\*|\?/g, (one) => (one === '*' ? '[^/]*' : one === '?' ? '[^/]' : `\\${one}`))

/** Places as regular expressions, those with the same exceptions together. Made once, as making them takes milliseconds. */
export interface PlacePatterns {
  readonly groups: readonly Group[]
  /** Folders of which everything is a place. */
  readonly folders: RegExp
  readonly likely: readonly Likely[]
}

interface Group {
  readonly plain: RegExp
  readonly below: RegExp
  readonly but: readonly RegExp[]
}

export function patternsOf(places: readonly Place[]): PlacePatterns {
  const groups = new Map<string, Place[]>()
  for (const place of places) {
    const key = (place.but ?? []).join(' ')
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [place])
    else group.push(place)
  }
  const alike = [...groups.values()]
  return {
    groups: alike.map(groupOf),
    folders: new RegExp(`/(?:${[...foldersOf(places), never].map(sourceOf).join('|')})$`),
    likely: alike.flatMap((group, at) => group.flatMap((place) => likelyOf(place, at))),
  }
}

/** The paths that may be among some places: one look for all of them, since most paths are near none. */
export interface Nearness extends Pick<Group, 'plain' | 'below'> {
  /** Matches a path that has, for one of the places, the name of a file or folder that every path to that place has. */
  readonly name: RegExp
}

export function nearnessOf(...all: readonly (readonly Place[])[]): Nearness {
  const places = all.flat()
  const names = places.map(({ at }) => {
    const way = at.replace(/\/\*\*$/, '').split('/')
    return way.findLast((name) => !/[*?]/.test(name)) ?? way.at(-1) ?? ''
  })
  return { ...regionOf(places), name: new RegExp(`^(?:${[...new Set(names)].map(sourceOf).join('|')})$`) }
}

/** False if a fully known path is none of the places. Patterns of whole paths take long, so the names are looked at first. */
export function isNear({ name, plain, below }: Nearness, names: readonly string[]): boolean {
  if (!names.some((one) => name.test(one))) return false
  const path = `/${names.join('/')}`
  return plain.test(path) || below.test(path)
}

/** True if a fully known path is one of the places. */
export function isAmong({ groups }: PlacePatterns, names: readonly string[]): boolean {
  const path = `/${names.join('/')}`
  return groups.some(({ plain, below, but }) => {
    if (plain.test(path) && !matchesAny(names.at(-1) ?? '', but)) return true
    const rest = below.exec(path)?.[1]
    return rest !== undefined && !rest.split('/').some((name) => matchesAny(name, but))
  })
}

/** True for a folder that is secret as a whole. */
export const isAllAmong = ({ folders }: PlacePatterns, names: readonly string[]): boolean =>
  folders.test(`/${names.join('/')}`)

/** A name of a pattern, and which names it means. */
interface Tried {
  readonly name: string
  readonly means: RegExp | undefined
}

/** Takes a pattern's names apart, to hold it against all lists of places. */
export const triedOf = (names: readonly string[]): readonly Tried[] =>
  names.map((name) => ({ name, means: isWild(name) ? meaning(name) : undefined }))

/**
 * True if a pattern is likely to match something at one of the places. A pattern that says nothing of the file, `gh/*`, is
 * so only among settings: elsewhere a folder of that name holds sources.
 */
export function mayBeAmong({ groups, likely }: PlacePatterns, tried: readonly Tried[], inSettings: boolean): boolean {
  const last = tried.at(-1)?.name ?? ''
  const saysFile = inSettings || isTelling(last)
  if (sources.test(last)) return false
  return likely.some((one) => {
    const but = groups[one.group]?.but ?? []
    return one.below ? isBelow(tried, one.names, but) : saysFile && isAt(tried, one.names, but)
  })
}

/** Sources, of which no program keeps secrets in a folder for them: an `auth/*.ts` is code that signs people in. */
const sources = /\.(?:[cm]?[jt]sx?|py|rb|go|rs|php|java|kt|cs|swift|dart|ex|vue|svelte|css|html)$/

/** No path has such a name. */
const never = '\n'

const foldersOf = (places: readonly Place[]) =>
  places.flatMap(({ at }) => (at.endsWith('/**') ? [at.slice(0, -3)] : []))

const groupOf = (places: readonly Place[]): Group => ({
  ...regionOf(places),
  but: (places[0]?.but ?? []).map(meaning),
})

function regionOf(places: readonly Place[]): Pick<Group, 'plain' | 'below'> {
  const plain = places.flatMap(({ at }) => (at.endsWith('/**') ? [] : [at]))
  return {
    plain: new RegExp(`/(?:${[...plain, never].map(sourceOf).join('|')})$`),
    below: new RegExp(`/(?:${[...foldersOf(places), never].map(sourceOf).join('|')})/(.+)$`, 's'),
  }
}

const matchesAny = (name: string, patterns: readonly RegExp[]) => patterns.some((pattern) => pattern.test(name))

function likelyOf({ at }: Place, group: number): readonly Likely[] {
  const below = at.endsWith('/**')
  const named = (below ? at.slice(0, -3) : at).replaceAll('?', ' ').split('/')
  const last = named.pop() ?? ''
  const ends = new Set([
    last.replace(/^\*/, 'server').replaceAll('*', ''),
    last.replace(/^\*/, 'server').replaceAll('*', '.local'),
    last.replace(/^\*/, 'server').replaceAll('*', '1'),
  ])
  return [...ends].map((end) => ({ names: [...named, end], below, group }))
}

const means = ({ name, means: pattern }: Tried, wanted: string) =>
  wanted === '*' || (pattern === undefined ? name === wanted : pattern.test(wanted))

function isAt(tried: readonly Tried[], names: readonly string[], but: readonly RegExp[]): boolean {
  // Most places end otherwise, and there are hundreds of them.
  if (tried.length < names.length || !means(tried.at(-1) ?? nothing, names.at(-1) ?? '')) return false
  const tail = tried.slice(-names.length)
  return (
    names.every((wanted, at) => means(tail[at] ?? nothing, wanted)) &&
    // Where a place has a wildcard, a written name is no evidence: `*/src/*` is not `home/*/.npmrc`.
    tail.some(({ name }, at) => names[at] !== '*' && isTelling(name)) &&
    !matchesAny(tail.at(-1)?.name ?? '', but)
  )
}

const nothing: Tried = { name: '', means: undefined }

function isBelow(tried: readonly Tried[], names: readonly string[], but: readonly RegExp[]): boolean {
  for (let start = 0; start + names.length < tried.length; start++) {
    const folder = tried.slice(start, start + names.length)
    if (
      !names.every((wanted, at) => means(folder[at] ?? nothing, wanted)) ||
      !folder.some(({ name }, at) => names[at] !== '*' && isTelling(name))
    )
      continue
    if (!tried.slice(start + names.length).some(({ name }) => matchesAny(name, but))) return true
  }
  return false
}
