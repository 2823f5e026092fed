import {
  type ShellCommand,
  type ShellFacts,
  type ShellFlow,
  type ShellReach,
  type ShellWord,
  type TouchedPath,
  unknownPart,
} from '../../model/shell.ts'
import { firstLine, quotedWord } from '../../model/text.ts'

/** Returns remarks about one command, by its index. */
export type RemarksOf = (index: number) => readonly string[]

/** Formats the commands that a shell text would run, each below the one that starts it, for people. */
export function shellLines(
  { commands, flows, uncertain, forkBomb }: ShellFacts,
  remarksOf: RemarksOf,
): readonly string[] {
  const lines = commands.flatMap((command, index) => {
    const depth = depthOf(command, commands)
    const indent = `${' '.repeat(width)}${'  '.repeat(depth)}    `
    const head = `${String(index).padStart(width)}  ${'  '.repeat(depth)}${headOf(command, commands, index)}`
    return [head, ...[...detailsOf(command), ...remarksOf(index)].map((line) => indent + line)]
  })
  return [
    ...lines,
    ...flows.map((flow) => `${' '.repeat(width)}  ${flowText(flow)}`),
    ...(forkBomb === true ? ['a fork bomb: it keeps starting copies of itself'] : []),
    ...uncertain.map((what) => `uncertain: ${what}`),
  ]
}
/** Width of a command's number: no call has a thousand commands. */
const width = 3

/** INVARIANT: a command comes after the one that starts it, so the loop terminates. */
function depthOf({ startedBy }: ShellCommand, commands: readonly ShellCommand[]): number {
  let depth = 0
  for (let at = startedBy; at !== undefined && at < commands.length && depth < deepest; at = commands[at]?.startedBy) {
    depth += 1
  }
  return depth
}
const deepest = 20

function headOf(command: ShellCommand, commands: readonly ShellCommand[], index: number): string {
  const { written, args, assignments, redirections, cwd, user, elsewhere, reach, startedBy } = command
  const words = [
    ...assignments.map(({ name, value }) => `${name}=${wordText(value)}`),
    ...(written === undefined ? [] : [wordText(written)]),
    ...args.map(wordText),
    ...redirections.map(({ operator, target }) => `${operator} ${target === undefined ? '-' : wordText(target)}`),
  ]
  const before = startedBy === undefined ? undefined : commands[startedBy]
  const last = commands.slice(0, index).findLast((one) => one.startedBy === startedBy) ?? before
  const notes = [
    ...reachText(reach, before?.reach ?? []),
    ...(user === undefined || user === before?.user ? [] : [`as ${user}`]),
    ...(elsewhere === true && before?.elsewhere !== true ? ['on another machine'] : []),
    ...(cwd === undefined && elsewhere !== true ? ['in an unknown folder'] : []),
    ...(cwd !== undefined && last !== undefined && cwd !== last.cwd ? [`in ${cwd}`] : []),
  ]
  const line = firstLine(words.join(' '))
  const shown = line.length > shownMax ? `${line.slice(0, shownMax).toWellFormed()}…` : line
  return notes.length === 0 ? shown : `${shown}   [${notes.join(', ')}]`
}
const shownMax = 200

/** Formats an expanded word. An unknown part is shown as its variable, or as `…`. */
function wordText({ value, variable, pattern }: ShellWord): string {
  const text = value.replaceAll(unknownPart, variable === undefined ? '…' : `$${variable}`)
  if (pattern !== undefined) return text
  return /^[\w@%+=:,./~$…{}-]+$/u.test(text) ? text : quotedWord(text)
}

/** Formats how a command is reached, relative to the command that starts it. */
function reachText(reach: readonly ShellReach[], before: readonly ShellReach[]): readonly string[] {
  const own = reach.slice(before.length)
  const texts = own.map((one) => {
    switch (one.through) {
      case 'wrapper':
        return one.program
      case 'function':
      case 'alias':
        return `${one.through} ${one.name}`
      case 'code':
        return `${one.language} code`
      case 'subshell':
      case 'pipeline':
      case 'background':
      case 'coproc':
      case 'condition':
      case 'loop':
      case 'case':
      case 'substitution':
      case 'trap':
      case 'eval':
        return one.through
    }
  })
  return texts.length === 0 ? [] : [`through ${texts.join(', ')}`]
}

function detailsOf({ paths, network, code, wrapper, uncertain }: ShellCommand): readonly string[] {
  return [
    ...(wrapper === true ? ['only starts what is listed below it'] : []),
    ...pathLines(paths),
    ...(network === undefined ? [] : [`${network.direction}: ${network.url ?? network.host ?? 'an unknown host'}`]),
    ...(code === undefined ? [] : [codeText(code)]),
    ...uncertain.map((what) => `uncertain: ${what}`),
  ]
}

function codeText({ language, text, does }: NonNullable<ShellCommand['code']>): string {
  const what = text === undefined ? 'unknown' : firstLine(text).slice(0, shownMax).toWellFormed()
  return `${language} code${does.length === 0 ? '' : ` that ${does.join(', ')}`}: ${what}`
}

export function pathLines(paths: readonly TouchedPath[]): readonly string[] {
  const lines = paths.slice(0, pathsMax).map((path) => {
    const { access, written, pattern, absolute, real, recursive, metadata, unresolved } = path
    const notes = [
      ...(recursive === true ? ['and everything below'] : []),
      ...(metadata === true ? ['its entry only'] : []),
      ...(unresolved === true ? ['not fully known'] : []),
      ...(real === undefined ? [] : [`really ${real}`]),
    ]
    const known = pattern ?? (unresolved === true ? written : (absolute ?? written))
    return `${access} ${known}${notes.length === 0 ? '' : ` (${notes.join(', ')})`}`
  })
  return paths.length > pathsMax ? [...lines, `and ${paths.length - pathsMax} more paths`] : lines
}
const pathsMax = 20

function flowText({ from, to, via, as }: ShellFlow): string {
  return `${from} → ${to} by ${via}${as === 'code' ? ', which runs it as code' : ''}`
}
