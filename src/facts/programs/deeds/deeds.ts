import type { ShellFacts, ShellCommand } from '../../../model/shell.ts'
import type { Impact, ImpactArea, ImpactKind, ImpactThing } from '../../../model/impact.ts'
import type { Call } from '../../../words/calls.ts'
import type { LooseLine, LineRules } from '../../../words/loose-line.ts'
import type { Pattern, VerbRules } from './pattern.ts'
import { soundsSecret } from '../../../words/names.ts'

/** Narrows deeds by what no pattern says, such as the path of a request. */
export type DeedCondition = (call: Call, line: LooseLine, shell: ShellFacts) => boolean

/** Overrides for commands whose words do not say what they do, or to what. */
export interface Saying {
  /** Default: as the verb among the words says, or else `delete`. */
  readonly kind?: ImpactKind
  /** Default: as the object's name says, or else that of the family. */
  readonly thing?: ImpactThing
  /** The object: in the singular without an article, or a phrase that begins with `the`, `all`, `what` or the like. */
  readonly object?: string
  /**
   * The words that name it: the one before the verb, the first or the last behind it, none, or the values of options
   * (`-n|--name`). Default: the values of an option that is called like the object, or all words behind the verb.
   */
  readonly names?: 'before' | 'first' | 'last' | 'none' | `-${string}`
  /** Default: as the options and the number of names say. */
  readonly extent?: Impact['extent']
  /** The object follows the verb, as in `delete namespace staging`. Otherwise it precedes the verb. */
  readonly objectLast?: true
  /** An option with which it only says what it would do, or a command that says it: `--dry-run`, `cdk diff`, `* plan` of the program itself. */
  readonly trial?: string
  /** Without the option of its pattern, the command does something else, which is mostly what is wanted. */
  readonly optional?: true
}

/** Commands of a program that do the same kind of thing. Each says at most one thing of a command line. */
export interface Deed extends Saying {
  /** The same of some of its commands, by pattern. The first that fits counts; what it leaves out is as above. */
  readonly says?: Readonly<Record<Pattern, Saying>>
  /** Commands that nothing undoes. */
  readonly never?: readonly Pattern[]
  /** Commands that take work to undo. */
  readonly work?: readonly Pattern[]
  /** Commands that a call like them undoes, and that still interrupt others: the restart of a service. */
  readonly easily?: readonly Pattern[]
  /** The same of commands that no pattern names and whose verb takes something away: `compute instances delete`. */
  readonly byVerb?: 'never' | 'work'
  readonly when?: DeedCondition
  /** Where it holds, nothing undoes the commands in `work` either: the service is one without which nothing works. */
  readonly neverIf?: DeedCondition
}

/** What commands show of secrets: `GitHub token`, `the keychain`. */
export interface Shown extends Saying {
  readonly object: string
  readonly when?: DeedCondition
}

/**
 * What the commands of a program do to things that others may depend on. It is held against each command line that
 * starts the program, and says nothing of files and the network: these are in the program's `Row`. The options of a row
 * are not said again: `valued` and `flags` have those that it lacks.
 */
export interface Deeds extends Deed, LineRules, VerbRules {
  /** Default: that of the program's family. */
  readonly area?: ImpactArea
  /** Further deeds, of other kinds. */
  readonly also?: readonly Deed[]
  /** Secrets that it shows, by pattern, as they are called there. Default of `names`: as for deeds. */
  readonly shows?: Readonly<Record<Pattern, string | Shown>>
  /** Commands that look like one of these by their words, and are none. */
  readonly harmless?: readonly Pattern[]
  /** Options besides `commonTrials` with which the program only says what it would do. */
  readonly trials?: string
  /** The first word is the name of a file or a task, so that nothing follows from one that is not known. */
  readonly runsAnything?: true
  /** `-h` does not request help: it names a host, or halts. */
  readonly hIsNoHelp?: true
  /** How its command lines name the stage on which it acts: production, staging, development. */
  readonly stage?: Stage
  /** Which of its calls put something in front of everybody at once. Absent: those whose verbs say so. */
  readonly live?: GoingLive
  /** Calls that put an image, a chart or a model where others get it, and the words of them that say where. */
  readonly images?: Readonly<Record<Pattern, ImagePlace>>
  /** Calls that raise the version and tag the commit: pipelines publish what has such a tag, once that is pushed. */
  readonly versions?: readonly Pattern[]
  /** Calls that push the tags that their options or words name. */
  readonly tagPushes?: Pattern
  /** Plain names for the program's own words: `{ pvc: 'volume claim' }`. */
  readonly nicknames?: Readonly<Record<string, string>>
  /** Things have ids, and no names that say where they are: Stripe's `prod_1` is a product. */
  readonly namesAreIds?: true
}

/** How a program names a stage. */
export interface Stage {
  /**
   * `words`: by words and options. `options`: its words are other names. `task`: it runs a task that is called by what it
   * does and where. `code`: it runs a file of such a name. `machine`: it changes the machine on which it runs.
   */
  readonly named: 'words' | 'options' | 'task' | 'code' | 'machine'
  /** What it does where no word says so. */
  readonly verb?: string
  /** A remote of git that is called like the program deploys what is pushed to it. */
  readonly takesPushes?: true
  /** Mostly, it runs here what is tried. */
  readonly isTried?: true
}

/**
 * What an unknown program is taken to do by its verbs: `publish` is `publish` or `docs:publish`, `upload` hands a package
 * to others by any such verb (`push shop.snap`), `deploy` is `deploy` or `app:deploy`. `name`: it is called by it.
 */
export type LiveVerb = 'name' | 'publish' | 'upload' | 'deploy'

/** How a program puts something in front of everybody at once. */
export interface GoingLive {
  /** Calls that do though no verb says so, as the manual has it: what is behind the program's name matches this. */
  readonly by?: RegExp
  /** The verbs that mean it here. Default: none, since they go to a preview, to messages, or are judged by other rules. */
  readonly verbs?: readonly LiveVerb[]
  /** Its deployment goes to the environment or application that its words name, which may be one of trials. */
  readonly toNamed?: true
  /** Its first word is only the kind of thing: `release create`. */
  readonly kindFirst?: true
}

/**
 * Where a call puts an image: all words behind those of the pattern, the last or the first, those that are addresses, the
 * first with the second as its tag, the values of options, or a variable.
 */
export type ImagePlace = 'all' | 'last' | 'first' | 'addresses' | 'tagged' | `-${string}` | `$${string}`

/** The defaults of what programs do to a kind of system. */
export interface Area {
  readonly thing: ImpactThing
  /** Where all are of one kind, or act on one thing. */
  readonly kind?: ImpactKind
  readonly object?: string
  readonly names?: Saying['names']
  /** Where it does not hold, none of the programs does anything. */
  readonly when?: DeedCondition
  /** Completes an impact by what no pattern says, or leaves it out. The last is how many words say what is done. */
  readonly finish?: (impact: Impact, line: LooseLine, count: number) => Impact | undefined
}

/** Most programs of clouds are written `<things> <verb> <name>`: their first verb decides. */
export const byVerb: Deeds = { byVerb: 'never' }

const area = 'going-live'

/** Makes the deeds of a program of which only these verbs put something in front of everybody at once; without any: none. */
export const liveByVerbs = (...verbs: readonly LiveVerb[]): Deeds => ({ area, live: { verbs } })

/** Makes the deeds of a program that is live at once by calls whose words do not say so, and by no others. */
export const liveBy = (by: RegExp, more: Omit<GoingLive, 'by'> = {}): Deeds => ({ area, live: { by, ...more } })

/** The same, of a program whose verbs mean what they mean elsewhere. */
export const liveAlsoBy = (by: RegExp, more: Omit<GoingLive, 'by'> = {}): Deeds =>
  liveBy(by, { verbs: ['publish', 'upload', 'deploy'], ...more })

/** True if a command may read a secret: it names a value that sounds like one, or names no value. */
export const namesSecrets: DeedCondition = (_, { words }) => {
  const names = words.slice(1)
  return names.length === 0 || names.some(({ text, unknown }) => unknown || soundsSecret(text))
}

/**
 * Makes a condition that the arguments of a command, joined by blanks, match an expression. It is for programs whose
 * options and words have no order, so that no pattern of deeds fits, such as `taskkill /f /im *`.
 */
export const written =
  (like: RegExp): DeedCondition =>
  ({ args }) =>
    like.test(args.map(({ value }) => value).join(' '))

/** Makes a condition that a word of the command, or the value of an option, matches an expression: a path, a drive. */
export const hasWord =
  (like: RegExp): DeedCondition =>
  (_, { words, options }) =>
    [...words.map(({ text }) => text), ...[...options.values()].flat()].some((one) => like.test(one))

/** True if a command has an argument. */
export const hasArguments: DeedCondition = ({ args }) => args.length > 0

const isDownload = ({ network }: ShellCommand) => network?.direction === 'receive' || network?.direction === 'both'

/** Returns the commands whose input comes, directly or not, from a download. */
function downloaded({ commands, flows }: ShellFacts): ReadonlySet<number> {
  const reached = new Set(commands.flatMap((command, at) => (isDownload(command) ? [at] : [])))
  for (const from of reached) for (const flow of flows) if (flow.from === from) reached.add(flow.to)
  return reached
}

function isFedByDownload(at: number, shell: ShellFacts): boolean {
  const givers = downloaded(shell)
  return shell.flows.some(({ from, to }) => to === at && givers.has(from))
}

const fetched: Deed = {
  kind: 'run',
  thing: 'deployment',
  object: 'what is at',
  names: '-f|--filename|-k|--kustomize|--values|--repo|--file|-c|--compose-file|--from-module',
}

/**
 * Makes deeds that apply what is at an address: with the address among their words, or piped in from a download.
 *
 * @param named patterns of commands that name an address
 * @param piped patterns of commands that read stdin
 */
export const appliesFetched = (named: readonly Pattern[], piped: readonly Pattern[] = []): readonly Deed[] => [
  { ...fetched, work: named },
  { ...fetched, work: piped, when: ({ at }, _, shell) => isFedByDownload(at, shell) },
]

/** Makes the deeds of a program of which these calls put images where others get them. */
export const pushes = (images: Readonly<Record<Pattern, ImagePlace>>): Deeds => ({
  area,
  images,
  valued: 't tag f file o output platform build-arg target label dest src image creds authfile format p',
})

/** Makes the deeds of a program of which these calls raise the version and tag the commit. */
export const makesVersions = (...versions: readonly Pattern[]): Deeds => ({ area, versions })

const withPush = '--push|--output~registry|-o~registry|--output~push=true|-o~push=true'

/** The deeds of every program that builds images, such as `docker` and `podman`. */
export const imageBuilder: Deeds = pushes({
  push: 'last',
  '* push': 'all',
  'buildx imagetools create': '-t|--tag',
  [`build|bake ${withPush}`]: '-t|--tag',
  [`* build|bake ${withPush}`]: '-t|--tag',
})

/** What programs have in common that copy an image from one registry to another. */
export const imageCopier: Deeds = pushes({ 'copy|cp': 'last', '* copy|cp': 'last' })

export const platformStage: Deeds = { area: 'stages', stage: { named: 'words' } }
export const pushedStage: Deeds = { area: 'stages', stage: { named: 'words', takesPushes: true } }
export const namesStage: Deeds = { area: 'stages', stage: { named: 'options' } }
export const taskStage: Deeds = { area: 'stages', stage: { named: 'task' } }
export const codeStage: Deeds = { area: 'stages', stage: { named: 'code' } }
export const machineStage: Deeds = { area: 'stages', stage: { named: 'machine' } }
export const endStage: Deeds = { area: 'stages', stage: { named: 'machine', verb: 'stop' } }
