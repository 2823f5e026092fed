import type { CompoundCommand, CompoundList, ParsedScript, Redirected, Statement } from 'unbash'
import { shellLimits } from '../../../model/limits.ts'
import {
  type ShellBind,
  type ShellAssignment,
  type ShellCode,
  type ShellSent,
  type ShellCommand,
  type ShellContainer,
  type ShellFlow,
  type ShellReach,
  type ShellRedirection,
  type ShellSurroundings,
  type TouchedPath,
  unknownPart,
} from '../../../model/shell.ts'
import type { ShellNetwork } from '../../../model/shell-network.ts'
import type { FileTexts } from '../../../model/tool-facts.ts'
import type { LeftOut } from '../../bounds.ts'
import type { ShellText, Texts, TextSource, Field } from '../values/text.ts'
import type { MadeFiles, Sink, State, Variable } from './state.ts'

export interface SourceRange {
  readonly start: number
  readonly end: number
}

/** A simple command after expansion of its words. */
export interface Expanded {
  /** The program, followed by its arguments. */
  readonly fields: readonly Field[]
  readonly assignments: readonly ShellAssignment[]
  /** The assigned values as texts, which record the commands whose output is in them. */
  readonly assigned: readonly ShellText[]
  readonly redirections: readonly ShellRedirection[]
  readonly place: SourceRange
  /** Indices of the commands in its words' substitutions: `from` inclusive, `to` exclusive. */
  readonly inWords: { readonly from: number; readonly to: number }
}

/** A command under construction: the mutable form of `ShellCommand`. */
export interface Draft extends Omit<
  ShellCommand,
  'wrapper' | 'code' | 'uncertain' | 'startedBy' | 'paths' | 'network' | 'writes'
> {
  writes?: string
  startedBy?: number
  paths: readonly TouchedPath[]
  network?: ShellNetwork
  wrapper?: true
  code?: ShellCode
  sends?: readonly ShellSent[]
  readonly uncertain: string[]
}

/** A running loop, with the states in which `break` (`left`) and `continue` (`again`) leave its body. */
export interface Loop {
  readonly left: State[]
  readonly again: State[]
  readonly outer: Loop | undefined
}

/** A running function call. The concurrent calls of the same function inside it reveal a fork bomb. */
export interface FunctionCall {
  readonly name: string
  /** The length of `reach` at the time of the call. */
  readonly reached: number
  /** The number of nested calls of the same function that run concurrently with this one. */
  multiplied: number
  readonly outer: FunctionCall | undefined
}

/** A text that is running as a script, linked to the text that started it. */
interface RunningText {
  readonly text: string
  readonly outer: RunningText | undefined
}

/** The interpreter's context of execution: how it got here. Immutable while a list of commands runs. */
export interface Frame {
  readonly reach: readonly ShellReach[]
  readonly startedBy?: number
  readonly elsewhere?: true
  readonly container?: ShellContainer
  readonly binds?: readonly ShellBind[]
  readonly user?: string
  /** The text that the positions of the syntax nodes refer to. */
  readonly source: string
  /** The origin of the unknown parts of `source`, if that is a text made of other commands' output. */
  readonly unknownFrom?: readonly TextSource[] | undefined
  /** The commands' position in the outermost text, if `source` is a different text. */
  readonly place?: SourceRange
  readonly depth: number
  /** States in which the shell may terminate: at `exit`, and on a failure under `set -e`. */
  readonly exits: State[]
  readonly returns?: State[]
  readonly loop?: Loop
  readonly call?: FunctionCall
  readonly running?: RunningText
  /** Variables shadowed by `local`, with their values from before. */
  readonly hidden?: Map<string, Variable | undefined>
  /** The command is one that a text mentions, so mistakes in its syntax say nothing. */
  readonly guessed?: true
  /** Set in a condition, where a failure does not end the shell under `set -e`. */
  readonly tested?: true
}

/** A deferred reader of other commands' output, `>(…)` or a coprocess. It is interpreted after its writers. */
interface PendingReader {
  readonly sink: Sink
  readonly run: (content: Texts, state: State) => void
}

/** The results of one analysis so far, and its budget. */
export interface Context {
  readonly around: ShellSurroundings
  readonly commands: Draft[]
  readonly flows: ShellFlow[]
  /** A patch stands in a file whose content is not known. */
  unread: boolean
  /** What patches and editors' commands change in files. */
  readonly texts: FileTexts[]
  readonly uncertain: Set<string>
  forkBomb: boolean
  steps: number
  characters: number
  /** The characters of all commands recorded so far. */
  recorded: number
  /** Their words. */
  recordedWords: number
  /** Commands of earlier rounds of a loop by their key, so that a further round does not add them again. */
  repeated: Map<string, number> | undefined
  pending: PendingReader[]
  readonly made: MadeFiles
  /** The next descriptor for `<(…)`, counting down from 63 as bash does. */
  nextDescriptor: number
  /**
   * Runs a script's commands in the state. A callback, since direct imports between the interpreter's parts would be
   * cyclic.
   */
  readonly script: (script: ParsedScript, state: State, frame: Frame) => CommandOutcome
  /** Parses text and runs it as a script, modifying the state. */
  readonly text: (text: ShellText, state: State, frame: Frame) => CommandOutcome
  /** Runs the body of a function. */
  readonly body: (node: CompoundCommand | Redirected | CompoundList, state: State, frame: Frame) => CommandOutcome
  /**
   * Runs a command whose words are expanded. `asProgram`: its name is a program, never a function, alias or builtin.
   */
  readonly words: (words: Expanded, state: State, frame: Frame, asProgram: boolean) => CommandOutcome
}

/**
 * The possible states after a command, by success and failure. Both may be the same object. If both are absent, control
 * does not continue: the shell has ended, or a loop or function was left.
 */
export interface CommandOutcome {
  readonly ok?: State | undefined
  readonly fail?: State | undefined
}

/** Runs commands in order, modifying the state. */
export type RunList = (context: Context, state: State, frame: Frame, statements: readonly Statement[]) => CommandOutcome

export const ended: CommandOutcome = {}
export const succeeded = (state: State): CommandOutcome => ({ ok: state })
export const failed = (state: State): CommandOutcome => ({ fail: state })
export const bothOutcomes = (state: State): CommandOutcome => ({ ok: state, fail: state })

/** Takes steps from the budget; returns false, and notes an uncertainty, if none is left. */
export function step(context: Context, steps = 1): boolean {
  context.steps += steps
  if (context.steps <= shellLimits.stepsMax && context.commands.length < shellLimits.commandsMax) return true
  note(context, 'the command is too long to be followed completely')
  return false
}

/** Takes the steps from the budget that reading a text of this length costs. */
export const stepForText = (context: Context, length: number): boolean =>
  step(context, length / shellLimits.charactersPerStep)

/** Takes the steps from the budget that copying, joining or searching this many values costs. */
export const stepForEach = (context: Context, values: number): boolean =>
  values === 0 || step(context, values / shellLimits.valuesPerStep)

/**
 * Takes a command's words and their characters from the budget of all recorded commands. Returns `undefined`
 * if that is enough. Otherwise returns how many words there is room for, notes an uncertainty and ends the analysis.
 */
export function record(context: Context, words: number, characters: number): number | undefined {
  const { recordedCharactersMax, recordedWordsMax } = shellLimits
  const isFull = context.recorded + characters > recordedCharactersMax
  if (!isFull && context.recordedWords + words <= recordedWordsMax) {
    context.recorded += characters
    context.recordedWords += words
    return undefined
  }
  note(context, tooLargeTogether)
  context.steps += shellLimits.stepsMax
  if (isFull) return 0
  const room = recordedWordsMax - context.recordedWords
  context.recorded += characters
  context.recordedWords = recordedWordsMax
  return room
}
export const tooLargeTogether = 'the commands are too large to be analyzed together'

/** Takes characters from the budget; returns false, and notes an uncertainty, if it is exhausted. */
export function spend(context: Context, characters: number): boolean {
  context.characters += characters
  if (context.characters <= shellLimits.charactersMax) return true
  note(context, 'the values of the command are too large to be followed')
  return false
}

export function note(context: Context, what: string): void {
  if (context.uncertain.size < uncertaintiesMax) context.uncertain.add(what)
}
/** Uncertainties reported for one text: further ones add no information. */
const uncertaintiesMax = 20

/** Notes an uncertainty of one command, and of the whole text. */
export function noteOf(context: Context, command: number | undefined, what: string): void {
  const draft = command === undefined ? undefined : context.commands[command]
  if (draft?.uncertain.includes(what) === false) draft.uncertain.push(what)
  note(context, what)
}

/** Notes that a limit cut a command's analysis short, for the command and for the whole text. */
export function noteLeftOut(context: Context, { uncertain }: Draft, what: LeftOut): void {
  if (!uncertain.includes(what)) uncertain.push(what)
  note(context, what)
}

/** Notes if a text that a command runs is not fully known. Returns whether nothing of it is. */
export function noteUnknownText({ uncertain }: Draft, text: string, program: string): boolean {
  if (!text.includes(unknownPart)) return false
  const isNothingKnown = text.replaceAll(unknownPart, '').trim() === ''
  const what = `${isNothingKnown ? 'the text' : 'a part of the text'} that \`${program}\` runs cannot be known`
  if (!uncertain.includes(what)) uncertain.push(what)
  return isNothingKnown
}

/** Makes a command from words that are expanded already. */
export const expandedFrom = (
  fields: readonly Field[],
  place: SourceRange,
  assignments: readonly ShellAssignment[] = [],
): Expanded => ({ fields, assignments, assigned: [], redirections: [], place, inWords: { from: 0, to: 0 } })

export const withReach = (frame: Frame, reach: ShellReach): Frame => ({ ...frame, reach: [...frame.reach, reach] })
