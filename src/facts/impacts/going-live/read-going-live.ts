import type { Impact } from '../../../model/impact.ts'
import { lineIn } from '../../../words/loose-line.ts'
import type { ShellFacts } from '../../../model/shell.ts'
import { makeImpact } from '../make-impact.ts'
import { pushesImage } from './pushed-images.ts'
import type { GoingLive } from '../../programs/deeds/deeds.ts'
import { likeness } from '../../programs/deeds/pattern.ts'
import { hasTrait } from '../../programs/table.ts'
import { deedsOf } from '../by-deeds.ts'
import { onlyTries } from '../../../words/options.ts'
import { namesTrial } from '../../../words/names.ts'
import { type Call, callsIn } from '../../../words/calls.ts'

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
  instead: 'push it under a tag of its own first',
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

/** Programs whose name says that they bump, tag, push and publish in one go. */
const releases = /(?:^|[-_])(?:releaser?|publish)(?:$|[-_])/

/** What makes something live if the program's entry does not say it: any of its usual verbs. */
const byAnyVerb: GoingLive = { verbs: ['name', 'publish', 'upload', 'deploy'] }
const notAtAll: GoingLive = {}

/** Joins the words of a call with the options before its subcommand at the end: `gh --verbose release create`. */
function subcommandFirst(words: readonly string[]): string {
  const first = Math.max(
    words.findIndex((word) => !word.startsWith('-')),
    0,
  )
  return [...words.slice(first), ...words.slice(0, first)].join(' ')
}

/** Returns how a program puts something in front of everybody: as its deeds say, or by any verb. */
function liveOf(program: string): GoingLive {
  const found = deedsOf(program).find(({ deeds }) => deeds.live !== undefined)?.deeds.live
  return found ?? (hasTrait(program, 'prints') ? notAtAll : byAnyVerb)
}

/** Returns the thing that a program puts in front of everybody at once; `undefined` if there is none. */
function goesLive(call: Call): string | undefined {
  const { program, args } = call
  const words = args.map(({ value }) => value)
  if (program === '' || onlyTries(args, ...trials)) return undefined
  const operands = words.filter((word) => !word.startsWith('-')).slice(0, 3)
  const [first = ''] = operands
  const { by, verbs = [], toNamed, kindFirst } = liveOf(program)
  if (by !== undefined && toNamed === true && isElsewhere(words)) return undefined
  if (by?.test(subcommandFirst(words)) === true) return kindFirst === true ? operands.slice(0, 2).join(' ') : first
  if (verbs.length === 0 || looks.test(words[0] ?? '')) return undefined
  if (verbs.includes('name') && releases.test(program)) return first
  if (verbs.includes('publish')) {
    const verb = operands.find((word) => /(?:^|[:.])publish$/.test(word) && !word.startsWith('vendor'))
    if (verb !== undefined) return verb
  }
  if (verbs.includes('upload') && hands.test(first) && words.some((word) => packaged.test(word))) return first
  if (!verbs.includes('deploy')) return undefined
  // `prisma migrate deploy` brings a database's tables up to date: other rules judge migrations.
  const verb = operands.find((word, at) => /^(?:[a-z]+[:-])?deploy$/.test(word) && operands[at - 1] !== 'migrate')
  if (verb === undefined || (verb !== first && looks.test(first))) return undefined
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
