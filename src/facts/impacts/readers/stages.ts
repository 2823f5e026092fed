import type { Impact } from '../../../model/impact.ts'
import type { ShellCommand, ShellFacts, TouchedPath } from '../../../model/shell.ts'
import type { Call } from '../../../words/calls.ts'
import { hostOf, isLoopback, requestOf } from '../../../words/request.ts'
import { flagsNearlyEverywhere, isOneOf, lineIn, type LooseLine } from '../../../words/loose-line.ts'
import { lineOf, onlyTries, wordsBeside } from '../../../words/options.ts'
import { tokensOf } from '../../../words/names.ts'
import type { Deeds, Stage } from '../../programs/deeds/deeds.ts'
import { type ImpactFound, makeImpact } from '../make-impact.ts'
import { likeness } from '../../programs/deeds/pattern.ts'
import { deedsOf } from '../by-deeds.ts'
import { hasTrait, sqlWordsOf } from '../../programs/table.ts'

/** Verbs that change a running system so that its users notice at once; the first bring a new version to them. */
const deploys = 'deploy deployment redeploy release promote ship apply up publish provision cutover upgrade replace'
const changesAtOnce =
  'migrate migration migrations seed failover rollback undo restore drain destroy delete remove rm down drop reset wipe purge truncate uninstall teardown'
/** Verbs that change less of it, or only for a time. */
const changesLess =
  'submit sync install scale set setenv patch edit put update boot restart reload reboot stop unset create add send'
const runs = 'exec run'

type Doing = Pick<ImpactFound, 'kind' | 'undo' | 'object' | 'instead'>
const release = 'have the person do it'
const changesLittle: Doing = { kind: 'change', undo: 'work', object: 'what runs', instead: release }
const doingsOf: readonly (readonly [string, Doing])[] = [
  [deploys, { kind: 'deploy', undo: 'never', object: 'new version', instead: release }],
  [changesAtOnce, { ...changesLittle, undo: 'never' }],
  [changesLess, changesLittle],
  [
    runs,
    {
      kind: 'run',
      undo: 'work',
      object: 'command',
      instead: 'have the person run it',
    },
  ],
]
const doingOf: ReadonlyMap<string, Doing> = new Map(
  doingsOf.flatMap(([verbs, doing]) => verbs.split(' ').map((verb) => [verb, doing] as const)),
)

/** Verbs by which every later command acts on what they name. */
const choosing = 'use use-context select activate target link switch get-credentials'
const chooses: Doing = {
  ...changesLittle,
  object: 'where later commands act',
  instead: 'name the place in the one command that is meant',
}
/** Verbs that change a machine, where they are those of a program of its system. */
const onMachines = 'start reload pull enable disable ci upgrade dist-upgrade autoremove'
/** Verbs in front of a noun, as clouds have them: `update-function-code`. */
const compound =
  /^(?:update|create|put|start|run|publish|deploy|modify|set|restart|reboot|stop|send|execute|register)(?=-)/
/** Verbs that bring files to the last word. */
const transfers = 'cp copy mv sync rsync'
/** Words of task runners that say nothing of the task. */
const runnersOwn = 'run exec install update create add set'

/** Words that only look, or write about it: among the first words of a program, nothing happens. */
const looking =
  'pr mr issue gist new generate g make dev init download status list ls get show describe view info inspect diff plan validate logs log history help version preview pull whoami lint check verify tail search explain template print export ps events top wait url open docs cat dry-run'
const onlyLooks = (word: string) => isOneOf(word.toLowerCase(), looking) || /^(?:get|list|describe)-(?!cred)/.test(word)

/** Options with which programs only say what they would do. */
const trials = 'local dry-run dryrun check plan preview preview-only help h list what-if syntax-check pretend'.split(
  ' ',
)
/** Options whose value is no stage, though it may be called production. */
const unplaced = 'mode build-mode configuration message m title body description notes body-file notes-file t reason'
/** Options whose values are only written beside a thing: `--tags env=prod`. */
const noted = 'tags labels'

/** Options that say where packages come from. */
const ofPackages = 'address repository archive folder alias unknown index list setting unchecked'

/** Variables that say which stage is meant, and which database. */
const sayingWhere =
  /(?:^|_)(?:ENV|ENVIRONMENT|STAGE|TARGET|TIER|CONTEXT|WORKSPACE|PROFILE|PROJECT|NAMESPACE|CLUSTER|DATABASE_URL|DB_URL|DB_HOST|SETTINGS_MODULE|KUBECONFIG|HOST)$/
const sayingDatabase = /(?:^|_)(?:PGHOST|PGDATABASE|PGSERVICE|MYSQL_HOST|DATABASE_URL|DB_URL|DB_HOST)$/

type Targets = Impact['targets']

/** A change of what runs somewhere, with all that may say where. */
interface StageChange extends Doing, Pick<ImpactFound, 'words' | 'where'>, Partial<Pick<ImpactFound, 'thing'>> {
  readonly targets: Targets
}

/**
 * Adds that a call changes what runs in a stage that it names: production, staging. An impact that says what it does is
 * given the names of the stage; where there is none, the change itself is the impact.
 */
export function withStages(impacts: readonly Impact[], call: Call, shell: ShellFacts): readonly Impact[] {
  const changes = [
    ownChange(call),
    changeThere(call, shell),
    pushed(call),
    copied(call),
    requested(call, shell),
    ofRows(call, shell, impacts),
  ]
    .filter((one) => one !== undefined)
    .filter(({ targets }) => Object.keys(targets).length > 0)
  if (changes.length === 0) return impacts
  const targets: Targets = Object.fromEntries(changes.flatMap((one) => Object.entries(one.targets)))
  if (impacts.some(({ kind }) => kind !== 'show'))
    return impacts.map((one) => (one.kind === 'show' ? one : { ...one, targets: { ...targets, ...one.targets } }))
  const line = lineIn(call, {})
  const own = changes
    .filter((one, at) => !changes.some((other, otherAt) => saysMore(other, one, otherAt > at)))
    .map(({ thing = 'deployment', ...change }) =>
      makeImpact(call, line, { area: 'stages', thing, names: [], places: placesIn(targets), ...change, targets }),
    )
  return [...impacts, ...own]
}

/** True if a change is the same as another one, and graver, or found by what is read later, which is more exact. */
const saysMore = (one: StageChange, other: StageChange, isLater: boolean): boolean =>
  one.kind === other.kind && (one.undo === other.undo ? isLater : one.undo === 'never')

/** All that may name the stage, options without a value among them: `--prod`. */
const placesIn = (targets: Targets) =>
  Object.entries(targets).flatMap(([name, values]) => (values.length === 0 ? [name] : values))

const task: Stage = { named: 'task' }

/** Returns the role of a call in stages, with how its command lines are read. */
function stageOf({ program, args, command }: Call) {
  const found = deedsOf(program).find(({ deeds }) => deeds.stage !== undefined)
  const { stage, ...deeds }: Deeds = found?.deeds ?? {}
  const rules = { ...found?.rules, valued: `${found?.rules.valued ?? ''} ${unplaced} ${noted}` }
  const operand = wordsBeside(args)[0] ?? ''
  if (stage !== undefined) {
    if (stage.named !== 'code') return { stage, deeds, rules }
    return isScript(operand) ? { stage: task, deeds, rules } : undefined
  }
  const written = command.written?.value ?? ''
  const isOwn = isScript(written) || /^(?:\.{1,2}\/|[\w-]+\/)/.test(written)
  return isOwn ? { stage: task, deeds, rules, script: written.split('/').at(-1) ?? '' } : undefined
}

const isScript = (word: string) => /(?:\.(?:sh|bash|zsh|py|js|ts|mjs|cjs|rb|pl|php|ps1|go)|^artisan)$/.test(word)

/** Returns the change that a command makes by its own words. */
function ownChange(call: Call): StageChange | undefined {
  const found = stageOf(call)
  if (found === undefined || found.stage.named === 'machine') return undefined
  const { stage, deeds, rules, script } = found
  const isTask = stage.named === 'task'
  // What stands behind the dashes is the task's own.
  const args = isTask ? call.args.filter(({ value }) => value !== '--') : call.args
  const end = call.args.findIndex(({ value }) => value === '--')
  const line = lineIn({ ...call, args: isTask ? args : call.args }, rules)
  if (onlyTries(isTask || end === -1 ? args : args.slice(0, end), ...trials, ...(deeds.trials ?? '').split(' ')))
    return undefined
  if (deeds.harmless?.some((pattern) => likeness(pattern, line, true) === 'yes') === true) return undefined
  const all = [...(script === undefined ? [] : [script]), ...line.words.map(({ text }) => text)]
  const words = all.filter((word) => !isAssignment(word))
  if (words.slice(0, isTask ? 2 : 4).some(onlyLooks)) return undefined
  const done = verbIn(words, isTask, stage.verb)
  if (done === undefined) return undefined
  const operands = words.slice(0, 3).some((word) => isOneOf(word, transfers)) ? words.slice(-1) : words
  const isNamed = stage.named !== 'options' || isOneOf(words[0] ?? '', 'context workflow ci')
  const assigned = all.filter(isAssignment).map((word) => word.slice(word.indexOf('=') + 1))
  const targets: Targets = {
    ...optionsOf(line, stage.isTried === true ? `${ofPackages} e env` : ofPackages),
    ...given('words', isNamed ? operands.filter((word) => word !== done.verb) : []),
    ...given('variables', [...assigned, ...variablesOf(call, sayingWhere)]),
  }
  const shown = words.slice(0, words.indexOf(done.word) + 1).join(' ')
  return { ...done.does, ...(stage.isTried === true && { undo: 'work' }), words: shown, targets }
}

const isAssignment = (word: string) => /^[A-Z_]+=/.test(word)

const given = (name: string, values: readonly string[]): Targets =>
  values.some(Boolean) ? { [name]: values.filter(Boolean) } : {}

/** Returns the values of a command line's options, and the options that have none. */
function optionsOf({ options }: LooseLine, more: string): Targets {
  const named = [...options].flatMap(([name, values]) => {
    // A text of its own: `-f body='What runs in production …'`.
    const places = values.filter((value) => value !== '' && !isOneOf(/^(\w+)=/.exec(value)?.[1] ?? '-', unplaced))
    const isPlaced = places.length > 0 || (/^[a-z]{3,}$/.test(name) && !isOneOf(name, flagsNearlyEverywhere))
    return isPlaced && !isOneOf(name, `${unplaced} ${noted} ${more}`) ? [[name, places] as const] : []
  })
  return Object.fromEntries(named)
}

const variablesOf = ({ args, environment }: Call, isMeant: RegExp): readonly string[] => [
  ...environment.flatMap(({ name, value }) => (isMeant.test(name) ? [value.value, value.variable ?? ''] : [])),
  ...args.map(({ variable = '' }) => variable),
]

/**
 * Returns the verb among the words of a command. The name of a task or a script says both what is done and where, a
 * subcommand says what is done and the words behind it where.
 */
function verbIn(words: readonly string[], isTask: boolean, verb: string | undefined) {
  const doing = (isTask ? words : words.slice(0, 4)).flatMap((word) =>
    (isTask ? tokensOf(word) : subcommandsIn(word)).map((one) => ({ word, verb: one })),
  )
  const known = doing.filter(
    (one) =>
      (doingOf.has(one.verb) || (!isTask && compound.test(one.verb))) && !(isTask && isOneOf(one.verb, runnersOwn)),
  )
  const choice = isTask ? undefined : words.slice(0, 3).find((word) => isOneOf(word, choosing))
  const found =
    known.find((one) => doingOf.get(one.verb)?.undo === 'never') ??
    (choice === undefined ? undefined : { word: choice, verb: choice }) ??
    known[0] ??
    (verb === undefined ? undefined : { word: '', verb })
  return found === undefined ? undefined : { ...found, does: doneBy(found.verb) }
}

/** Verbs in a program's words: `env:set` sets, `update-function-code` updates, `deploy-prod.yml` deploys. */
function subcommandsIn(word: string): readonly string[] {
  const text = word.toLowerCase()
  return compound.test(text) ? [text, text.slice(0, text.indexOf('-'))] : text.split(':')
}

/** Returns what is done by a verb that is known, or else that has a noun behind it. */
const doneBy = (verb: string): Doing => (isOneOf(verb, choosing) ? chooses : (doingOf.get(verb) ?? changesLittle))

/** Returns the change that a command makes on another machine, where another command starts it. */
function changeThere(call: Call, shell: ShellFacts): StageChange | undefined {
  const starter = starterOf(call, shell)
  if (starter === undefined || call.command.wrapper === true) return undefined
  const { stage } = stageOf(call) ?? {}
  const words = wordsBeside(call.args)
  const verbs = words.slice(0, 3).flatMap((word) => word.split(':'))
  const verb = stage === undefined ? undefined : verbs.find((word) => doingOf.has(word) || isOneOf(word, onMachines))
  const isOwn = /[/.]/.test(call.command.written?.value ?? '') && tokensOf(call.program).some((one) => doingOf.has(one))
  const path = call.command.paths.find((one) => isChanged(one, starter))?.written
  const isEnd = stage?.named === 'machine' && stage.verb !== undefined
  if (verb === undefined && !isOwn && path === undefined && !isEnd) return undefined
  return { ...changesLittle, words: verb ?? '', targets: given('host', [starter.network?.host ?? '']) }
}

/** Returns the command that starts another one on another machine. */
function starterOf({ command }: Call, { commands }: ShellFacts): ShellCommand | undefined {
  // A command's starter has a smaller index, so this ends.
  for (let one: ShellCommand | undefined = command; one?.startedBy !== undefined;) {
    one = commands[one.startedBy]
    if (one?.network?.host !== undefined && !isLoopback(one.network.host)) return one
  }
  return undefined
}

/** A file there that remains. What the starter writes is here, and receives what is printed there. */
const isChanged = ({ access, absolute = '', written }: TouchedPath, { paths }: ShellCommand) =>
  (access === 'write' || access === 'delete') &&
  !/^\/(?:tmp|var\/tmp|dev)\//.test(absolute) &&
  !paths.some((path) => path.written === written)

/** Names that every clone has for the place that it comes from, and for its main branch. */
const usual = 'origin upstream main master HEAD'

/** Returns what a push brings to a remote or a branch that is called like a stage. */
function pushed({ program, command }: Call): StageChange | undefined {
  const line = hasTrait(program, 'git') ? lineOf(command) : undefined
  if (line?.subcommand !== 'push' || line.surely('dry-run', 'n')) return undefined
  const [remote, ...refs] = line.operands.map(({ value }) => value)
  if (remote === undefined) return undefined
  const place = /[:/]/.test(remote) ? hostOf(remote) : remote
  const branches = refs
    .map((ref) => ref.replace(/^.*:|^\+/, '').replace(/^(?:refs\/heads\/)?(?:(?:deploy|release|env)\/)?/, ''))
    .filter((branch) => /^[a-z]+$/i.test(branch))
  const isDeployed = deedsOf(place).some(({ deeds }) => deeds.stage?.takesPushes)
  const targets = {
    ...given('remote', isOneOf(place, usual) ? [] : [place]),
    ...given(
      'branch',
      branches.filter((branch) => !isOneOf(branch, usual)),
    ),
  }
  const does: Doing = isDeployed ? doneBy('deploy') : { ...changesLittle, kind: 'publish', object: 'the commits' }
  return { ...does, undo: 'work', words: `push ${remote}`, targets, ...(isDeployed && { where: 'production' }) }
}

/** Returns the change that a copy makes on another machine, or in a place of a cloud. */
function copied({ args, command }: Call): StageChange | undefined {
  const { direction, host = '', url } = command.network ?? {}
  if (direction === undefined || direction === 'receive') return undefined
  if (onlyTries(args, 'dry-run', 'dryrun', 'n')) return undefined
  const stored = { ...changesLittle, object: 'stored files' }
  if (
    direction === 'send' &&
    url === undefined &&
    host !== '' &&
    !isLoopback(host) &&
    command.paths.some(({ access }) => access === 'read')
  )
    return { ...stored, words: '', targets: given('host', [host]) }
  const verb = args.find(({ value }) => isOneOf(value, transfers))?.value
  const places = args.map(({ value }) => value).filter((value) => value.includes(':'))
  const words = args.map(({ value }) => value)
  return verb === undefined
    ? undefined
    : { ...stored, words: words.slice(0, words.indexOf(verb) + 1).join(' '), targets: given('place', places) }
}

/** Returns the databases that may be meant, where a client changes rows. */
function ofRows(call: Call, shell: ShellFacts, impacts: readonly Impact[]): StageChange | undefined {
  if (!impacts.some(({ area, through }) => area === 'sql' && through === undefined)) return undefined
  if (sqlWordsOf(call.program)?.ofFile === true) return undefined
  const words = call.args.map(({ value }) => value).filter((value) => !/\s/.test(value))
  const host = starterOf(call, shell)?.network?.host ?? ''
  const targets = given('database', [host, ...words, ...variablesOf(call, sayingDatabase)])
  return { ...changesLittle, words: '', targets }
}

/** Returns the task that a request starts whose name says both what it does and where: `POST …/job/deploy-prod/build`. */
function requested(call: Call, shell: ShellFacts): StageChange | undefined {
  const request = requestOf(call, shell)
  if (request === undefined || /^(?:GET|HEAD)$/.test(request.method)) return undefined
  const parts = request.urls.flatMap((url) => url.replace(/^\w+:\/\/[^/]*/, '').split(/[/?]/))
  const tasks = parts.filter((name) => tokensOf(name).some((token) => doingOf.get(token)?.undo === 'never'))
  const named = tasks.filter((name) => tokensOf(name).length > 1)
  return { ...changesLittle, words: request.method, targets: given('task', named) }
}
