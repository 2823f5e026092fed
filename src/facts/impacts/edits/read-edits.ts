import type { Impact } from '../../../model/impact.ts'
import type { ShellCommand, ShellFacts } from '../../../model/shell.ts'
import type { TextChange } from '../../../model/tool-facts.ts'
import { isStreamEditor } from '../../shell-texts.ts'
import { findLostCheck, findLostTest, silence } from './checks.ts'
import {
  answersAlways,
  findIgnoredResult,
  findLoggedSecret,
  findMasterKey,
  findReversedCondition,
} from './conditions.ts'
import { brief, isProseOrTest, toJudgedChange, type JudgedChange, type LostGuard, pathIn } from './edited-file.ts'
import { loosened } from './lists.ts'
import { lostGuard } from './lost-guards.ts'
import { findMovedSource } from './moved-source.ts'
import { lostRefusal } from './refusals.ts'
import { opened } from './settings.ts'
import { tellsToGoOn } from './told-agents.ts'
import { findSilencedCheck, findLossByTables } from './trades.ts'

/** Finds the loss by one change. @param come the added texts of all changes: a guard may move to another file */
type LossReader = (change: JudgedChange, come: string) => LostGuard | undefined

const readers: readonly LossReader[] = [
  findLostCheck,
  answersAlways,
  findLostTest,
  findLossByTables,
  opened,
  findMovedSource,
  findReversedCondition,
  loosened,
  findMasterKey,
  findLoggedSecret,
  findIgnoredResult,
  lostRefusal,
  lostGuard,
]

/** Finds checks, guards and settings that edits of files remove or weaken. Yields after each change. */
export function* editPieces(
  changes: readonly TextChange[],
  roots: readonly string[],
  { commands }: ShellFacts,
): Generator<undefined, readonly Impact[]> {
  const all = changes.map((change) => ({ change, path: pathIn(roots, change) }))
  const read = all.flatMap(({ change, path }) => toJudgedChange(change, path) ?? [])
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

/** Returns a loss by a change of documentation or comments: agents act without the person, or a check is silenced. */
function hiddenBy({ removed, added }: TextChange, path: string): LostGuard | undefined {
  if (tellsToGoOn(path, removed, added))
    return { kind: 'weaken', object: 'rule', would: 'tell agents to go on without the person' }
  return isProseOrTest(path) ? undefined : findSilencedCheck({ path, removed: brief(removed), added: brief(added) })
}

const insertsSilence = (command: ShellCommand) =>
  isStreamEditor(command) &&
  command.args.some(({ value }) => /^-\w*i/.test(value)) &&
  command.args.some(({ value }) => silence.test(value))
const silencing: LostGuard = { kind: 'weaken', object: 'check', would: 'be silenced wherever this edits' }

/** Length of a command in an impact, in UTF-16 units: enough to recognise it by its first words. */
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
