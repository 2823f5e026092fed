import type { CompoundCommand, CompoundList, ParsedScript, Redirected, Statement } from 'unbash'
import { shellLimits } from '../../../model/limits.ts'
import type {
  ShellAssignment,
  ShellCode,
  ShellCommand,
  ShellFlow,
  ShellNetwork,
  ShellReach,
  ShellRedirection,
  ShellSurroundings,
  TouchedPath,
} from '../../../model/shell.ts'
import type { LeftOut } from '../../bounds.ts'
import type { Field } from '../values/field.ts'
import type { Text, Texts } from '../values/text.ts'
import type { Sink, State } from './state.ts'

export interface Place {
  readonly start: number
  readonly end: number
}

/** A simple command whose words are expanded. */
export interface Expanded {
  /** The program and its arguments. */
  readonly fields: readonly Field[]
  readonly assignments: readonly ShellAssignment[]
  /** Texts of the assignments' values, for what they come from. */
  readonly assigned: readonly Text[]
  readonly redirections: readonly ShellRedirection[]
  readonly place: Place
  /** The commands that stand in its words, from the first index to before the last. */
  readonly inWords: { readonly from: number; readonly to: number }
}

/** A command while it is still being made. */
export interface Draft extends Omit<
  ShellCommand,
  'wrapper' | 'code' | 'uncertain' | 'startedBy' | 'paths' | 'network'
> {
  startedBy?: number
  paths: readonly TouchedPath[]
  network?: ShellNetwork
  wrapper?: true
  code?: ShellCode
  readonly uncertain: string[]
}

/** A loop that `break` and `continue` leave, and the one around it. */
export interface Loop {
  readonly left: State[]
  readonly again: State[]
  readonly outer: Loop | undefined
}

/** A call of a function: what it started of itself tells a fork bomb. */
export interface Call {
  readonly name: string
  /** How much of `reach` is older than the call. */
  readonly reached: number
  /** Calls of the same function inside of it that run beside it. */
  multiplied: number
  readonly outer: Call | undefined
}

/** A text that runs as a script, and the one that it runs in. */
export interface RunningText {
  readonly text: string
  readonly outer: RunningText | undefined
}

/** How the interpreter has come to where it is. What never changes while a list of commands runs. */
export interface Frame {
  readonly reach: readonly ShellReach[]
  readonly startedBy?: number
  readonly elsewhere?: true
  readonly user?: string
  /** The text whose positions the nodes have. */
  readonly source: string
  /** Where the commands stand in the outermost text, if `source` is another. */
  readonly place?: Place
  readonly depth: number
  /** States at the ends of the shell's ways out: `exit`, and a failure under `set -e`. */
  readonly exits: State[]
  readonly returns?: State[]
  readonly loop?: Loop
  readonly call?: Call
  readonly running?: RunningText
  /** Variables that `local` hides, as they were before. */
  readonly hidden?: Map<string, State['variables'] extends Map<string, infer V> ? V | undefined : never>
  /** A condition: a failure in it ends nothing. */
  readonly tested?: true
}

/** What reads the output of others, `>(…)` or a coprocess: it runs when they are done. */
export interface Pending {
  readonly sink: Sink
  readonly run: (content: Texts, state: State) => void
}

/** What one analysis has found so far, and what it may still spend. */
export interface Context {
  readonly around: ShellSurroundings
  readonly commands: Draft[]
  readonly flows: ShellFlow[]
  readonly uncertain: Set<string>
  forkBomb: boolean
  steps: number
  characters: number
  /** Commands that a further round of a loop would only repeat, by what they are. */
  repeated: Map<string, number> | undefined
  pending: Pending[]
  /** Descriptors for `<(…)` are given from 63 downwards, as bash does. */
  nextDescriptor: number
  /** Runs a script's commands in the state; set where all parts are put together. */
  readonly script: (script: ParsedScript, state: State, frame: Frame) => Outcome
  /** Runs text as a script, in the state itself. */
  readonly text: (text: Text, state: State, frame: Frame) => Outcome
  /** Runs the body of a function. */
  readonly body: (node: CompoundCommand | Redirected | CompoundList, state: State, frame: Frame) => Outcome
  /** Runs a command whose words are expanded: `asProgram` where no function, alias or builtin can be meant. */
  readonly words: (words: Expanded, state: State, frame: Frame, asProgram: boolean) => Outcome
}

/** The states in which something may end: with success and with failure. Both may be the same one. Neither: it ends the shell. */
export interface Outcome {
  readonly ok?: State | undefined
  readonly fail?: State | undefined
}

/** Runs commands in order, in the state itself. */
export type RunList = (context: Context, state: State, frame: Frame, statements: readonly Statement[]) => Outcome

export const ended: Outcome = {}
export const succeeded = (state: State): Outcome => ({ ok: state })
export const failed = (state: State): Outcome => ({ fail: state })
export const bothOutcomes = (state: State): Outcome => ({ ok: state, fail: state })

/** Takes one step, or says that there are none left. */
export function step(context: Context): boolean {
  if (++context.steps <= shellLimits.stepsMax && context.commands.length < shellLimits.commandsMax) return true
  note(context, 'the command is too long to be followed completely')
  return false
}

/** Whether so many characters more may be made. */
export function spend(context: Context, characters: number): boolean {
  context.characters += characters
  if (context.characters <= shellLimits.charactersMax) return true
  note(context, 'the values of the command are too large to be followed')
  return false
}

export function note(context: Context, what: string): void {
  if (context.uncertain.size < shellLimits.uncertaintiesMax) context.uncertain.add(what)
}

/** Notes an uncertainty of a command as well as of the whole text. */
export function noteOf(context: Context, command: number | undefined, what: string): void {
  const draft = command === undefined ? undefined : context.commands[command]
  if (draft?.uncertain.includes(what) === false) draft.uncertain.push(what)
  note(context, what)
}

/** Says what is left out of a command, of which the whole text is not known then. */
export function noteLeftOut(context: Context, { uncertain }: Draft, what: LeftOut): void {
  if (!uncertain.includes(what)) uncertain.push(what)
  note(context, what)
}

export const withReach = (frame: Frame, reach: ShellReach): Frame => ({ ...frame, reach: [...frame.reach, reach] })
