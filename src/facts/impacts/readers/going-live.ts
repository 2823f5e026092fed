import type { Impact } from '../../../model/impact.ts'
import { lineIn, type LooseLine } from '../../../words/loose-line.ts'
import type { ShellFacts } from '../../../model/shell.ts'
import { makeImpact } from '../make-impact.ts'
import type { GoingLive, ImagePlace } from '../../programs/deeds/deeds.ts'
import { fixedWords, likeness, saidBy } from '../../programs/deeds/pattern.ts'
import { hasTrait } from '../../programs/table.ts'
import { deedsOf } from '../by-deeds.ts'
import { onlyTries, wordsBeside } from '../../../words/options.ts'
import { namesTrial, tokensOf } from '../../../words/names.ts'
import { type Call, callsIn } from '../../../words/calls.ts'
import { setOf } from '../../../model/look-ups.ts'
import { isLoopback } from '../../../words/request.ts'

/** Finds what a call puts in front of everybody at once: a deployment, a release, an image. */
export function goingLive(call: Call, shell: ShellFacts): readonly Impact[] {
  const image = pushesImage(call)
  const words = image ?? goesLive(call) ?? pushesVersion(call, shell)
  if (words === undefined) return []
  const names = image === undefined ? [] : placesIn(call)
  const found = image === undefined ? published(words) : pushedImage
  return [makeImpact(call, lineIn(call, {}), { area: 'going-live', names, undo: 'work', words, ...found })]
}

/** Words of a command that name an image. */
const placesIn = ({ args }: Call): readonly string[] =>
  args.flatMap(({ value }) => (/^(?!-)[\w.-]+[/:]/.test(value) && !/[\s=]/.test(value) ? [value] : []))

const pushedImage = {
  kind: 'publish',
  thing: 'package',
  object: 'image',
  consequence: 'which others run and build from',
  instead: 'push it with a tag for trials first, such as `dev`',
} as const

const published = (words: string) =>
  ({
    kind: /deploy|\bup\b|redeploy/.test(words) ? 'deploy' : 'publish',
    thing: 'deployment',
    object: 'this project',
    consequence: 'for everybody at once',
    instead: 'have the person release it',
  }) as const

/** Options with which nothing leaves this machine. */
const trials =
  'dry-run dry_run dryrun check preview snapshot help h version local build-only skip-publish no-publish validate list what-if release-version'.split(
    ' ',
  )
/** First words of programs that only look, prepare, or run something here. */
const looks =
  /^(?:init|build|check|help|verify|status|plan|preview|changelog|lint|notes|generate|config|healthcheck|list|ls|show|info|logs|validate|test|dev|serve|start|login|logout|whoami|emulators:\w+|hosting:channel:deploy|add|docs|describe|get|search)$/
const isElsewhere = (words: readonly string[]) => words.some(namesTrial)
/** A package as registries and stores take it. */
const packaged =
  /\.(?:whl|tar\.(?:gz|bz2)|tgz|conda|snap|charm|rockspec|gem|vsix|crx|xpi|aab|apk|ipa|nupkg|podspec|deb|rpm|jar|zip|crate|pkg|msix)$/
const hands = /^(?:upload|push|submit|release|sign|publish|deploy)$/

/** Verbs that put a version into service: `deploy`, `functions:deploy`, `redeploy`, `start-deployment`. */
const deploying = /^(?:[a-z]+[:-])?(?:re)?deploy$|^(?:create|start)-(?:[a-z]+-)*deployment$/
/** Programs whose name says that they bump, tag, push and publish in one go. */
const releases = /(?:^|[-_])(?:releaser?|publish)(?:$|[-_])/

/** What makes something live if the program's entry does not say it: any of its usual verbs. */
const byAnyVerb: GoingLive = { verbs: ['name', 'publish', 'upload', 'deploy'] }
const notAtAll: GoingLive = {}

/**
 * Returns the words of a call from its subcommand on, with what is in front of it at the end: `gh -R a/b release create`. A
 * word behind an option may be its value or the subcommand, so there may be two ways to read them.
 */
function fromSubcommand(call: Call): readonly string[] {
  const words = call.args.map(({ value }) => value)
  const plain = words.findIndex((word) => !word.startsWith('-'))
  const { text = '' } = lineIn(call, deedsOf(call.program)[0]?.rules ?? {}).words[0] ?? {}
  const starts = new Set([plain, words.indexOf(text)].map((at) => Math.max(at, 0)))
  return [...starts].map((at) => [...words.slice(at), ...words.slice(0, at)].join(' '))
}

/** Returns how a program puts something in front of everybody: as its deeds say, or by any verb. */
function liveOf(program: string): GoingLive {
  const found = deedsOf(program).find(({ deeds }) => deeds.live !== undefined)?.deeds.live
  return found ?? (hasTrait(program, 'prints') ? notAtAll : byAnyVerb)
}

/** Returns the thing that a program puts in front of everybody at once; `undefined` if there is none. */
function goesLive(call: Call): string | undefined {
  const live = liveWords(call)
  return live === undefined || onlyTries(call.args, ...trials) ? undefined : live
}

/** Returns the word by which a call puts something in front of everybody at once, whether or not it only tries to. */
function liveWords(call: Call): string | undefined {
  const { program, args } = call
  if (program === '') return undefined
  const words = args.map(({ value }) => value)
  const operands = wordsBeside(args).slice(0, 3)
  const [first = ''] = operands
  const { by, verbs = [], toNamed, kindFirst } = liveOf(program)
  if (by !== undefined && toNamed === true && isElsewhere(words)) return undefined
  const line = by && fromSubcommand(call).find((one) => by.test(one))
  // Behind an option may stand its value, which is no word of the command.
  if (line !== undefined) return (kindFirst === true ? /^[^-].*?(?= -|$)/s : /^[^-]\S*/).exec(line)?.[0] ?? ''
  if (verbs.length === 0 || looks.test(words[0] ?? '')) return undefined
  if (verbs.includes('name') && releases.test(program)) return first
  if (verbs.includes('publish')) {
    const verb = operands.find((word) => /(?:^|[:.])publish$/.test(word) && !word.startsWith('vendor'))
    if (verb !== undefined) return verb
  }
  if (verbs.includes('upload') && hands.test(first) && words.some((word) => packaged.test(word))) return first
  if (!verbs.includes('deploy')) return undefined
  // `prisma migrate deploy` brings a database's tables up to date: other rules judge migrations. `az vm redeploy` moves a machine.
  const verb = operands.find((word, at) => deploying.test(word) && !/^(?:migrate|vm)$/.test(operands[at - 1] ?? ''))
  if (verb === undefined || (verb !== first && looks.test(first))) return undefined
  // `aws deploy get-deployment`: the service has this name.
  if (verb === first && /^(?:get|list|describe|batch-get|wait)(?:-|$)/.test(operands[1] ?? '')) return undefined
  return isElsewhere(words) ? undefined : operands.slice(0, operands.indexOf(verb) + 1).join(' ')
}

/** True for a command that makes a version: raises it, and tags the commit. */
function makesVersion(call: Call): boolean {
  const found = deedsOf(call.program).find(({ deeds }) => deeds.versions !== undefined)
  if (found === undefined) return false
  if (onlyTries(call.args, 'dry-run', 'list', 'help') || onlyTries(call.args, 'no-git-tag-version')) return false
  const line = lineIn(call, found.rules)
  return found.deeds.versions?.some((pattern) => likeness(pattern, line) === 'yes') === true
}

const version = /^(?:refs\/tags\/)?v?\d+\.\d+[\w.+-]*$/

/** Returns the words of a push of tags behind a command that made a version: pipelines publish what has such a tag. */
function pushesVersion(call: Call, shell: ShellFacts): string | undefined {
  const found = deedsOf(call.program).find(({ deeds }) => deeds.tagPushes !== undefined)
  if (found === undefined || onlyTries(call.args, 'dry-run', 'n')) return undefined
  const line = lineIn(call, found.rules)
  if (likeness(found.deeds.tagPushes ?? '', line) !== 'yes') return undefined
  const option = ['follow-tags', 'tags'].find((name) => line.has(name))
  const tags = option === undefined ? line.words.find(({ text }) => version.test(text))?.text : `--${option}`
  if (tags === undefined || !callsIn(shell).some((one) => one.at < call.at && makesVersion(one))) return undefined
  return `push ${tags}`
}

/** Words of a tag that nobody deploys from without knowing: a trial, a branch, a request to merge. */
const passing = setOf(
  'dev develop development staging stage stg test testing tests sandbox qa uat local preview demo review pr mr wip tmp temp ci debug nightly snapshot'.split(
    ' ',
  ),
)

/** Returns the words of a command that puts an image where others get it, and not on this machine, or under a tag for trials or of one commit. */
function pushesImage(call: Call): string | undefined {
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
