import { commandNotes, commandText, pathText } from '../../words/command-text.ts'
import type { Impact } from '../../model/impact.ts'
import { impactText } from '../../words/impact-words.ts'
import type { Severity } from '../../model/effect.ts'
import { type ShellCommand, type ShellFacts, type ShellFlow, type TouchedPath, unknownPart } from '../../model/shell.ts'
import { firstLine, printable } from '../../model/text.ts'
import type { ToolFacts } from '../../model/tool-facts.ts'
import { cutLine } from './layout.ts'

/** A rule's answer to some of the commands of a call. */
interface CommandRemark {
  readonly effect: string
  readonly rule: string
  readonly severity: Severity | undefined
  /** Indices of the commands. */
  readonly commands: readonly number[] | undefined
}

/** Formats the facts about a call: the commands with the rules' remarks on each, or the paths. @param fitting cuts a line */
export function callLines(
  isShell: boolean,
  { shell, paths, impacts }: ToolFacts,
  remarks: readonly CommandRemark[],
  fitting: (line: string) => string = cutLine,
): readonly string[] {
  const remarksOf = (index: number) =>
    remarks
      .filter(({ commands }) => commands?.includes(index) === true)
      .map(({ effect, rule, severity }) => `^ ${effect}: ${rule}${severity === undefined ? '' : `, ${severity}`}`)
  const impactsAt = (index: number) => impacts.filter(({ by }) => by === index).map(impactLine)
  const lines = isShell ? shellLines(shell, impactsAt, remarksOf) : pathLines(paths)
  return lines.map((line) => fitting(`  ${printable(line)}`))
}

/** Formats the commands that a shell text would run, each below the one that starts it. */
function shellLines(
  { commands, flows, uncertain, forkBomb }: ShellFacts,
  impactsAt: (index: number) => readonly string[],
  remarksOf: (index: number) => readonly string[],
): readonly string[] {
  const lines = commands.flatMap((command, index) => {
    const depth = depthOf(command, commands)
    const indent = `${' '.repeat(width)}${'  '.repeat(depth)}    `
    const head = `${String(index).padStart(width)}  ${'  '.repeat(depth)}${headOf(command, commands, index)}`
    return [head, ...[...detailsOf(command), ...impactsAt(index), ...remarksOf(index)].map((line) => indent + line)]
  })
  return [
    ...lines,
    ...flows.map((flow) => `${' '.repeat(width)}  ${flowText(flow)}`),
    ...(forkBomb === true ? ['a fork bomb: it keeps starting copies of itself'] : []),
    ...uncertain.map((what) => `uncertain: ${what}`),
  ]
}
const impactLine = (impact: Impact): string => `${impact.unsure === true ? 'perhaps ' : ''}${impactText(impact)}`

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
  const { cwd, folder, elsewhere, startedBy } = command
  const before = startedBy === undefined ? undefined : commands[startedBy]
  const last = commands.slice(0, index).findLast((one) => one.startedBy === startedBy) ?? before
  const notes = [
    ...commandNotes(command, before),
    ...(cwd === undefined && elsewhere !== true
      ? [folder === undefined ? 'in an unknown folder' : `in ${folder.value.replaceAll(unknownPart, '…')}`]
      : []),
    ...(cwd !== undefined && last !== undefined && cwd !== last.cwd ? [`in ${cwd}`] : []),
  ]
  const line = firstLine(commandText(command))
  const shown = line.length > shownMax ? `${line.slice(0, shownMax).toWellFormed()}…` : line
  return notes.length === 0 ? shown : `${shown}   [${notes.join(', ')}]`
}
const shownMax = 200

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

function pathLines(paths: readonly TouchedPath[]): readonly string[] {
  const lines = paths.slice(0, pathsMax).map((path) => `${path.access} ${pathText(path)}`)
  return paths.length > pathsMax ? [...lines, `and ${paths.length - pathsMax} more paths`] : lines
}
const pathsMax = 20

function flowText({ from, to, via, as }: ShellFlow): string {
  return `${from} → ${to} by ${via}${as === 'code' ? ', which runs it as code' : ''}`
}
