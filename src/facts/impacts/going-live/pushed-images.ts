import type { Call } from '../../../words/calls.ts'
import { setOf } from '../../../model/look-ups.ts'
import { isOneOf, lineIn } from '../../../words/loose-line.ts'
import type { ShellWord } from '../../../model/shell.ts'
import { isLoopback } from '../../../words/request.ts'
import { tokensOf } from '../../../words/names.ts'

/** Words of a tag that nobody deploys from without knowing: a trial, a branch, a request to merge. */
const passing = setOf(
  'dev develop development staging stage stg test testing tests sandbox qa uat local preview demo review pr mr wip tmp temp ci debug nightly snapshot'.split(
    ' ',
  ),
)

const engines = 'docker podman nerdctl buildah finch img'
const valued = 't tag f file o output platform build-arg target label dest src image creds authfile format p'

/** Programs that copy an image from one place to another, and their verbs for it. */
const copiers: Readonly<Record<string, string>> = {
  skopeo: 'copy sync',
  crane: 'copy cp push',
  gcrane: 'copy cp push',
  regctl: 'copy',
  oras: 'copy cp',
  cosign: 'copy',
  imgpkg: 'copy',
}

/** Programs that put an image, a chart or a model of this machine where others get it, and their verbs for it. */
const pushers: Readonly<Record<string, string>> = {
  oras: 'push attach',
  singularity: 'push',
  apptainer: 'push',
  ollama: 'push',
  cog: 'push',
  bentoml: 'push',
  flux: 'push',
  imgpkg: 'push',
  porter: 'publish',
}

/** Programs that may put an image where others get it. */
const imagePrograms: readonly string[] = [
  ...engines.split(' '),
  ...Object.keys(copiers),
  ...Object.keys(pushers),
  'pack',
  'ko',
]
const programs = setOf(imagePrograms)

/** Returns the words of a command that puts an image where others get it, and not on this machine, or under a tag for trials or of one commit. */
export function pushesImage(call: Call): string | undefined {
  const { program, args, environment } = call
  if (!programs.has(program)) return undefined
  const line = lineIn(call, { valued })
  const words = line.words.map(({ text }) => text)
  const [first = '', second = '', third = ''] = words
  if (isOneOf(program, engines)) {
    if (first === 'push') return goesTo(words.slice(program === 'docker' ? 1 : -1), 'push')
    if (second === 'push') return goesTo(words.slice(2), `${first} push`)
    if (first === 'buildx' && second === 'imagetools' && third === 'create')
      return goesTo(tagsOf(line.options), 'buildx imagetools create')
    const isBuild = words.slice(0, 2).some((word) => word === 'build' || word === 'bake')
    const isRegistry = ['o', 'output'].some((name) =>
      line.options.get(name)?.some((one) => /registry|push=true/.test(one)),
    )
    return isBuild && (line.has('push') || isRegistry) ? goesTo(tagsOf(line.options), 'build --push') : undefined
  }
  if (Object.hasOwn(copiers, program)) {
    const verb = words.slice(0, 2).find((word) => isOneOf(word, copiers[program] ?? ''))
    const place = words.at(-1) ?? ''
    const isKept = program === 'skopeo' && verb === 'copy' && !place.startsWith('docker://')
    if (verb !== undefined) return isKept ? undefined : goesTo([place], verb)
  }
  if (/^g?crane$/.test(program) && first === 'tag') return goesTo([`${second}:${third}`], 'tag')
  if (Object.hasOwn(pushers, program) && isOneOf(first, pushers[program] ?? ''))
    return goesTo(
      args.filter(isPlace).map(({ value }) => value),
      first,
    )
  if (program === 'pack' && first === 'build' && line.has('publish')) return goesTo([second], 'build --publish')
  if (program === 'ko' && isOneOf(first, 'build publish apply resolve') && !line.has('local') && !line.has('L')) {
    const registry = environment.findLast(({ name }) => name === 'KO_DOCKER_REPO')?.value.value
    return registry !== undefined && /^(?:ko|kind)\.local/.test(registry) ? undefined : goesTo([registry ?? ''], first)
  }
  return undefined
}

const tagsOf = (options: ReadonlyMap<string, readonly string[]>) =>
  ['t', 'tag'].flatMap((name) => options.get(name) ?? [])

/** True for a word that names a repository, or a registry and what is in it. */
const isPlace = ({ value }: ShellWord) => value.includes('/') && !value.startsWith('-') && !/^\.{0,2}\//.test(value)

/** True for a registry on this machine, and for a tag of trials. */
function isPassingPlace(place: string): boolean {
  const path = place.replace(/^[\w-]+:\/\//, '')
  const [registry = '', ...rest] = path.split('/')
  if (rest.length > 0 && isRegistryHere(registry)) return true
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

/** Returns the words of a push, unless it goes to passing places alone. */
const goesTo = (places: readonly string[], said: string) =>
  places.length > 0 && places.every((place) => isPassingPlace(place)) ? undefined : said
