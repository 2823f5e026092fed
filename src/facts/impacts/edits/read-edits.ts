import type { Impact } from '../../../model/impact.ts'
import type { ShellCommand, ShellFacts } from '../../../model/shell.ts'
import type { TextChange } from '../../../model/tool-facts.ts'
import { isStreamEditor } from '../../shell-texts.ts'
import { lostCheck, lostTest, silence } from './checks.ts'
import { answersAlways, ignoredResult, loggedSecret, masterKey, turnedRound } from './conditions.ts'
import { brief, isAside, judged, type JudgedChange, type LostGuard, pathIn } from './edited-file.ts'
import { loosened } from './lists.ts'
import { lostGuard } from './lost-guards.ts'
import { movedSource } from './moved-source.ts'
import { lostRefusal } from './refusals.ts'
import { opened } from './settings.ts'
import { tellsToGoOn } from './told-agents.ts'
import { silenced, traded } from './trades.ts'

/** Finds what one change takes away. @param come what all changes of the call add: a guard may move to another file */
type LossReader = (change: JudgedChange, come: string) => LostGuard | undefined

const readers: readonly LossReader[] = [
  lostCheck,
  answersAlways,
  lostTest,
  traded,
  opened,
  movedSource,
  turnedRound,
  loosened,
  masterKey,
  loggedSecret,
  ignoredResult,
  lostRefusal,
  lostGuard,
]

/** Finds what edits of files take away from checks, guards and settings, or have guard less: a change at a time. */
export function* editPieces(
  changes: readonly TextChange[],
  roots: readonly string[],
  { commands }: ShellFacts,
): Generator<undefined, readonly Impact[]> {
  const all = changes.map((change) => ({ change, path: pathIn(roots, change) }))
  const read = all.flatMap(({ change, path }) => judged(change, path) ?? [])
  const come = read.map(({ added }) => added).join('\n')
  const found: Impact[] = []
  const add = (loss: LostGuard | undefined, { path, at }: Pick<TextChange, 'path' | 'at'>) => {
    if (loss !== undefined) found.push(impactOf(loss, path, at, at === undefined ? undefined : commands[at]))
  }
  for (const { change, path } of all) add(hiddenBy(change, path), { ...change, path })
  for (const change of read) {
    add(firstLoss(change, come), change)
    yield
  }
  for (const [at, command] of commands.entries()) {
    if (insertsSilence(command) && !found.some(({ by }) => by === at)) add(silencing, { path: '', at })
  }
  return found
}

function firstLoss(change: JudgedChange, come: string): LostGuard | undefined {
  for (const read of readers) {
    const loss = read(change, come)
    if (loss !== undefined) return loss
  }
  return undefined
}

/** Returns what a change has go unseen: by the person, or by a check. */
function hiddenBy({ removed, added }: TextChange, path: string): LostGuard | undefined {
  if (tellsToGoOn(path, removed, added))
    return { kind: 'weaken', object: 'rule', would: 'tell agents to go on without the person' }
  return isAside(path) ? undefined : silenced({ path, removed: brief(removed), added: brief(added) })
}

const insertsSilence = (command: ShellCommand) =>
  isStreamEditor(command) &&
  command.args.some(({ value }) => /^-\w*i/.test(value)) &&
  command.args.some(({ value }) => silence.test(value))
const silencing: LostGuard = { kind: 'weaken', object: 'check', would: 'be silenced wherever this edits' }

/** As much of a command as its first words need to be recognised by, in UTF-16 units. */
const commandCharactersMax = 400

function impactOf({ kind, object, name, would }: LostGuard, path: string, at?: number, command?: ShellCommand): Impact {
  const words = command?.args.filter(({ value }) => !value.startsWith('-')).map(({ value }) => value) ?? []
  return {
    kind,
    thing: 'guard',
    area: 'protection',
    object,
    names: name === undefined ? [] : [name],
    where: 'unknown',
    extent: 'one',
    undo: 'work',
    ...(would !== undefined && { consequence: `which would ${would}` }),
    instead: 'keep it, or have the person agree',
    through: 'file',
    by: at ?? path,
    words: command === undefined ? 'edit' : `${command.program} …`,
    command: [command?.program ?? path, ...words].join(' ').slice(0, commandCharactersMax),
    targets: path === '' ? {} : { file: [path] },
  }
}
