import { asksForHelp } from '../../words/options.ts'
import type { Impact, ImpactArea } from '../../model/impact.ts'
import type { ShellFacts, ShellWord } from '../../model/shell.ts'
import type { Call } from '../../words/calls.ts'
import type { Area, Deed, DeedCondition, Deeds, Saying } from '../programs/deeds/deeds.ts'
import { lineIn, type LineRules, type LooseLine } from '../../words/loose-line.ts'
import { type ImpactFound, makeImpact, namesGiven } from './make-impact.ts'
import { namedIn, namesOf, thingNamed } from './naming.ts'
import { fixedWords, isTrial, likeness, type Pattern, destroyingWords, saidBy } from '../programs/deeds/pattern.ts'
import { areas } from '../programs/areas.ts'
import { codeOnStdin, entriesOfVersion, optionsKnown, programNamed, type RegistryEntry } from '../programs/table.ts'

/** Options with which nearly every program only says what it would do, or shows its help. */
const commonTrials = 'help dry-run dryrun dry_run what-if whatif generate-cli-skeleton'

/** Returns what a call does by the deeds of its program. */
export const impactsByDeeds = (call: Call, shell: ShellFacts): readonly Impact[] =>
  deedsOf(call.program).flatMap(({ deeds, area, rules }) =>
    // Stages are read beside all other impacts, by `withStages`, and what goes live by `goesLive`.
    deeds.stage === undefined && deeds.live === undefined
      ? impactsOf(call, shell, lineIn(call, rules, asStdin), deeds, area)
      : [],
  )

/** Returns what a call does by the deeds of its program in one area. */
function impactsOf(
  call: Call,
  shell: ShellFacts,
  line: LooseLine,
  deeds: Deeds,
  area: PreparedDeeds['area'],
): readonly Impact[] {
  if (deeds.harmless?.some((pattern) => likeness(pattern, line, true) === 'yes')) return []
  const impacts = [deeds, ...(deeds.also ?? [])].flatMap((deed) => {
    const found = foundIn(deed, deeds, line)
    if (found === undefined) return []
    const holds = (condition: DeedCondition | undefined) => condition?.(call, line, shell) !== false
    if (!holds(deed.when) || !holds(area.when)) return []
    const isGrave = found.undo === 'work' && deed.neverIf !== undefined && holds(deed.neverIf)
    const impact = impactOf(isGrave ? { ...found, undo: 'never' } : found, { call, line, deed, deeds, area })
    const finished = area.finish === undefined ? impact : area.finish(impact, line, found.count)
    return finished === undefined ? [] : [finished]
  })
  return impacts.some(({ unsure }) => unsure) ? impacts.filter(isSaidFirst) : impacts
}

/** False for an impact that is said before. Words that are known only at run time may be like several patterns. */
const isSaidFirst = (impact: Impact, at: number, all: readonly Impact[]): boolean =>
  all.findIndex((one) => isSame(one, impact)) === at

const isSame = (one: Impact, other: Impact): boolean =>
  one.kind === other.kind && one.object === other.object && one.names.join(' ') === other.names.join(' ')

/** Writes another command's output as the pipe that it is: `-` for the `/dev/fd/63` of `<(…)`, also behind an option. */
const asStdin = (word: ShellWord): ShellWord => {
  const value = word.value.replace(/(?<=^|=|^-f)\/dev\/(?:stdin|fd\/\d+)$/, '-')
  return value === word.value ? word : { ...word, value }
}

/** The words of a command line that say what it does. */
interface Found {
  readonly undo: Impact['undo']
  readonly words: string
  /** The number of its words, without options. */
  readonly count: number
  /** Of its options, those that say it too. */
  readonly options: readonly string[]
  readonly unsure?: true
}

function foundIn(deed: Deed, deeds: Deeds, line: LooseLine): Found | undefined {
  const isAnything = deeds.runsAnything === true && line.words[0]?.unknown === true
  let unsure: Found | undefined
  for (const undo of ['never', 'work', 'easily'] as const) {
    for (const pattern of deed[undo] ?? []) {
      const like = likeness(pattern, line)
      if (like === 'no') continue
      // Only now, since most command lines are like no pattern.
      const trial = trialOf(deeds, line)
      if (trial === 'yes') return undefined
      const found: Found = { undo, ...saidBy(pattern, line) }
      if (like === 'yes' && trial === 'no') return found
      if (!isAnything) unsure ??= { ...found, unsure: true }
    }
  }
  const words = deed.byVerb === undefined ? undefined : destroyingWords(line, deeds)
  if (words === undefined || deed.byVerb === undefined) return unsure
  const found: Found = { undo: deed.byVerb, words, count: words.split(' ').length, options: [] }
  switch (trialOf(deeds, line)) {
    case 'yes':
      return undefined
    case 'no':
      return found
    case 'maybe':
      return { ...found, unsure: true }
  }
}

const trialOf = ({ trials = '', hIsNoHelp }: Deeds, line: LooseLine) =>
  isTrial(line, [commonTrials, ...(hIsNoHelp === true ? [] : ['h']), trials].join(' ').trim())

interface FoundIn {
  readonly call: Call
  readonly line: LooseLine
  readonly deed: Deed
  readonly deeds: Deeds
  readonly area: PreparedDeeds['area']
}

function impactOf({ undo, words, count, options, unsure }: Found, { call, line, deed, deeds, area }: FoundIn): Impact {
  const [pattern, saying] = sayingOf(deed, line, unsure === true)
  const saidObject = saying.object ?? deed.object ?? area.object
  const read = namedIn(line.words, Math.max(count, fixedWords(pattern ?? '')), {
    isObjectSaid: saidObject !== undefined,
    options,
    nicknames: deeds.nicknames ?? {},
    isObjectLast: saidObject === undefined && (saying.objectLast ?? deed.objectLast ?? deeds.objectLast) === true,
  })
  const object = saidObject ?? read.object
  const which = saying.names ?? deed.names ?? area.names
  const names = namesOf(line, which, { ...read, object })
  // Where something is copied from says nothing of where it is changed.
  const places =
    deeds.namesAreIds === true ? [] : which === 'last' ? names : [...read.names, ...names, ...namesGiven(line)]
  const trial = saying.trial ?? deed.trial
  const extent = saying.extent ?? deed.extent
  return makeImpact(call, line, {
    kind: saying.kind ?? deed.kind ?? area.kind ?? read.kind ?? (undo === 'work' ? 'change' : 'delete'),
    thing: saying.thing ?? deed.thing ?? (object === undefined ? undefined : thingNamed(object)) ?? area.thing,
    area: area.name,
    ...(object !== undefined && { object }),
    names,
    places,
    undo,
    ...(extent !== undefined && { extent }),
    ...(unsure && { unsure }),
    ...(trial !== undefined &&
      unsure !== true && { instead: `show the person what \`${trial.replace(/^\*/, call.program)}\` says first` }),
    ...(saying.optional === true &&
      options[0] !== undefined && { instead: `leave out \`${options[0]}\`, or ask the person` }),
    words,
  })
}

/** Returns what is said of a command by the first pattern that fits, or that may fit where the deed is not certain. */
function sayingOf({ says = {} }: Deed, line: LooseLine, unsure: boolean): readonly [Pattern | undefined, Saying] {
  const fitting = Object.entries(says).flatMap(([pattern, saying]) => {
    const like = likeness(pattern, line)
    return like === 'no' ? [] : [{ pattern, saying, isSure: like === 'yes' }]
  })
  const found = fitting.find(({ isSure }) => isSure) ?? (unsure ? fitting[0] : undefined)
  return found === undefined ? [undefined, {}] : [found.pattern, found.saying]
}

/** Deeds of a program, as a command line is held against them. */
interface PreparedDeeds {
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
  const entries = entriesOfVersion(program)
  const made = entries.flatMap((entry) => deedsIn(entry))
  if (entries.length > 0) prepared.set(program, made)
  return made
}

function deedsIn({ name, program: { does, abbreviates }, family }: RegistryEntry): readonly PreparedDeeds[] {
  if (does === undefined) return []
  return [does].flat().flatMap((deeds) => {
    const area = deeds.area ?? family.area
    const defaults = area === undefined ? undefined : areas[area]
    return area === undefined || defaults === undefined
      ? []
      : [
          {
            deeds: withShown(deeds),
            area: { ...defaults, name: area },
            rules: { ...rulesOf(name, deeds), ...(abbreviates && { abbreviates }) },
          },
        ]
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

/** Match the verb of an unknown program, and the port or address of this machine that it opens. */
const verb = /^(?:tunnel|expose|share|funnel)$/
const opened = /^(?:https?:\/\/)?(?:localhost|127\.0\.0\.1|0\.0\.0\.0)(?::\d+)?\/?$|^\d{2,5}$/
/** Match modules that open a tunnel, and a call of Gradio that does. */
const module = /\b(?:py)?(?:ngrok|localtunnel|cloudflared|untun|zrok|tunnelmole)\b/
const shares = /\blaunch\((?:(?!\blaunch\()[^)])*\bshare\s*=\s*True/

const opens = {
  kind: 'open',
  thing: 'machine',
  area: 'opened-access',
  object: 'this machine to others, from outside',
  names: [],
  undo: 'work',
} as const satisfies Omit<ImpactFound, 'words'>

/** Finds opened access to this machine that tables of commands cannot describe. */
export function impactsOfAccess(call: Call): readonly Impact[] {
  if (isOpenShell(call)) return [impactOfOpening(call, '', { object: 'shell of this machine', undo: 'never' })]
  const text = call.args === call.command.args ? (call.command.code?.text ?? '') : ''
  if (/\b(?:import|from|require|use)\b/.test(text) && (module.test(text) || shares.test(text)))
    return [impactOfOpening(call, '…', { through: 'code' })]
  if (call.args === call.command.args && isOpenDebugger(call))
    return [impactOfOpening(call, '…', { object: 'the debugger of a program, in which others can run code' })]
  return openedByVerb(call)
}

/** Options by which a debugger listens to all machines. */
const listensToAll =
  /(?:^| )--(?:inspect(?:-brk|-wait|-publish-uid)?|remote-debugging-address|inspect-port|listen)[= ](?:0\.0\.0\.0|\[?::\]?(?![\da-f]))|(?:^|[ ,])address=(?:\*|0\.0\.0\.0):\d/
/** Words by which a command is one of a debugger: servers have an option `--listen` too. */
const debugs = /--inspect|remote-debugging|jdwp|debugpy|\b(?:dlv|headless)\b/

/** True for a debugger in which whoever reaches this machine can run code. In a container, its open ports decide that. */
function isOpenDebugger({ command, program, args }: Call): boolean {
  if (command.elsewhere === true) return false
  const text = `${program} ${args.map(({ value }) => value).join(' ')}`
  return listensToAll.test(text) && debugs.test(text)
}

const impactOfOpening = (call: Call, words: string, more: Partial<ImpactFound> = {}): Impact =>
  makeImpact(call, lineIn(call, {}), { ...opens, words, ...more })

/** True for a shell, or a language without a script, whose input or output is a connection. */
function isOpenShell({ command, args }: Call): boolean {
  const { program, written, code, reach, redirections, paths } = command
  if (args !== command.args || code?.text !== undefined) return false
  const isOnSocket = redirections.some(({ target }) => /^\/dev\/(?:tcp|udp)\//.test(target?.value ?? ''))
  if (!isOnSocket && !reach.some((one) => one.through === 'wrapper' && one.connected === true)) return false
  const speaks = codeOnStdin(program)
  // An unknown program at a socket is more likely a shell than an unknown program that a server starts.
  if (speaks === undefined) return isOnSocket && program === '' && written !== undefined
  const runsFile = paths.some((path) => path.access === 'execute' && path.written !== written?.value)
  return speaks === 'shell' || isOnSocket || !runsFile
}

/** Finds access that an unknown program opens, by its verb. */
function openedByVerb(call: Call): readonly Impact[] {
  const does = deedsOf(call.program).some(({ deeds }) => deeds.live === undefined)
  if (programNamed(call.program) !== undefined || does) return []
  const words = call.args.map(({ value }) => value)
  const at = words.slice(0, 2).findIndex((word) => verb.test(word))
  if (at === -1 || asksForHelp(call.args) || !words.slice(at).some((word) => opened.test(word))) return []
  return [impactOfOpening(call, words[at] ?? '')]
}
