import type { Call } from '../../../words/calls.ts'
import { setOf } from '../../../model/look-ups.ts'
import { lineIn, type LooseLine } from '../../../words/loose-line.ts'
import { isLoopback } from '../../../words/request.ts'
import { tokensOf } from '../../../words/names.ts'
import type { ImagePlace } from '../../programs/deeds/deeds.ts'
import { fixedWords, likeness, saidBy } from '../../programs/deeds/pattern.ts'
import { deedsOf } from '../by-deeds.ts'

/** Words of a tag that nobody deploys from without knowing: a trial, a branch, a request to merge. */
const passing = setOf(
  'dev develop development staging stage stg test testing tests sandbox qa uat local preview demo review pr mr wip tmp temp ci debug nightly snapshot'.split(
    ' ',
  ),
)

/** Returns the words of a command that puts an image where others get it, and not on this machine, or under a tag for trials or of one commit. */
export function pushesImage(call: Call): string | undefined {
  const found = deedsOf(call.program).find(({ deeds }) => deeds.images !== undefined)
  if (found === undefined) return undefined
  const line = lineIn(call, found.rules)
  const [pattern, place] = Object.entries(found.deeds.images ?? {}).find(([one]) => likeness(one, line) === 'yes') ?? []
  if (pattern === undefined || place === undefined) return undefined
  const places = placesOf(call, line, place, fixedWords(pattern))
  if (places.length > 0 && places.every((one) => isPassingPlace(one))) return undefined
  return saidBy(pattern, line).words
}

/** Returns where a call puts an image. */
function placesOf({ environment }: Call, line: LooseLine, place: ImagePlace, count: number): readonly string[] {
  const words = line.words.slice(count).map(({ text }) => text)
  const [first = '', second = ''] = words
  switch (place) {
    case 'all':
      return words
    case 'last':
      return words.slice(-1)
    case 'first':
      return words.slice(0, 1)
    case 'tagged':
      return [`${first}:${second}`]
    case 'addresses':
      return words.filter(isAddress)
    default: {
      const name = place.replace(/^\$/, '')
      return name === place
        ? namesIn(place).flatMap((option) => line.options.get(option) ?? [])
        : environment.flatMap((one) => (one.name === name ? [one.value.value] : [])).slice(-1)
    }
  }
}

const namesIn = (options: string) => options.split('|').map((one) => one.replace(/^-+/, ''))

/** True for a word that names a repository, or a registry and what is in it. */
const isAddress = (text: string) => text.includes('/') && !/^\.{0,2}\//.test(text)

/** Addresses of images that stay on this machine: a folder, an archive, the store of an engine. */
const isHere = /^(?:dir|oci|oci-archive|docker-archive|docker-daemon|containers-storage|ostree|sif|tarball):/

/** True for a place on this machine, and for a tag of trials. */
function isPassingPlace(place: string): boolean {
  if (isHere.test(place) && !place.startsWith('oci://')) return true
  const path = place.replace(/^[\w-]+:\/\//, '')
  const [registry = '', ...rest] = path.split('/')
  if ((rest.length > 0 || registry.endsWith('.local')) && isRegistryHere(registry)) return true
  const name = rest.at(-1) ?? registry
  const at = name.indexOf(':')
  const tag = at === -1 ? '' : name.slice(at + 1)
  return isCommit(tag) || (at !== -1 && tokensOf(tag).some((one) => passing.has(one)))
}

/** A tag that is a commit's hash names one image for ever: it replaces none, and nobody gets it who does not ask for it. */
const isCommit = (tag: string) => /^(?:sha-|git-|g)?(?=[a-f]*\d)[\da-f]{7,40}$/.test(tag)

/** True for a registry of this machine, by its address or as a container is called: `kind-registry:5000`. */
const isRegistryHere = (registry: string) =>
  isLoopback(registry) ||
  /^(?:[\w-]+:\d+|[\w.-]+\.local(?:host)?(?::\d+)?|host\.docker\.internal(?::\d+)?)$/.test(registry)
