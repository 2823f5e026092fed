import { parse, type ParsedScript } from 'unbash'
import { shellLimits } from '../../model/limits.ts'
import { type ShellFacts, type ShellSurroundings, unknownPart } from '../../model/shell.ts'
import type { FileTexts } from '../../model/tool-facts.ts'
import { withEffects } from '../flows/index.ts'
import {
  bothOutcomes,
  type CommandOutcome,
  type Context,
  type Frame,
  note,
  noteOf,
  stepForText,
} from './state/context.ts'
import { freshState, noFiles, type Sink, type State } from './state/state.ts'
import { joinAll, stateAfter } from './state/join.ts'
import { runWords } from './run/simple.ts'
import { runBody, runList } from './run/walk.ts'
import { isKnown, type ShellText } from './values/text.ts'

/** The facts, with what patches and editors' commands change in files. */
export interface FoundFacts extends ShellFacts {
  readonly texts?: readonly FileTexts[]
  /** A patch stands in a file whose content is not known. */
  readonly unread?: true
}

/**
 * Analyses what a shell command's text would run. Never throws, and takes bounded time for any text: everything that it
 * does is counted against a budget of steps and characters.
 *
 * This is an abstract interpreter. It walks the script as a shell would run it, but a variable holds the set of its
 * possible values, and `unknownPart` stands for what is not known before execution. Both sides of a branch are taken,
 * and their states joined. A loop is walked to a fixpoint: after a few rounds its variables are widened. The analysis
 * over-approximates: whatever may happen counts as happening, or is listed in `uncertain`. Commands that a program
 * starts in turn come from the program's row in `programs/`, and are interpreted recursively.
 */
export function shellFacts(text: string, around: ShellSurroundings, onSpent?: (spent: Spent) => void): FoundFacts {
  const context = contextOf(around)
  try {
    runAll(context, text)
  } catch (error) {
    // An internal error must not let a command through unchecked, so it is reported as an uncertainty.
    note(context, `the command cannot be followed: ${error instanceof Error ? error.name : 'unknown error'}`)
  }
  onSpent?.(context)
  const { commands, flows, uncertain } = withEffects(context.commands, context.flows, around)
  return {
    commands,
    flows,
    uncertain: [...context.uncertain, ...uncertain],
    ...(context.forkBomb && { forkBomb: true }),
    ...(context.texts.length > 0 && { texts: context.texts }),
    ...(context.unread && { unread: true }),
  }
}

/** What an analysis has used of its budget; see `shellLimits`. */
export type Spent = Pick<Context, 'steps' | 'characters' | 'recorded' | 'recordedWords'>

function runAll(context: Context, text: string): void {
  const { textCharactersMax } = shellLimits
  const source = text.length > textCharactersMax ? text.slice(0, textCharactersMax) : text
  if (source.length < text.length) note(context, 'the command is too long to be read completely')
  const state = freshState(context.around.cwd, { list: [] })
  for (const [path, content] of context.around.files ?? []) {
    const sink: Sink = { kind: 'file' }
    state.files = state.files.with(path, sink)
    state.outputs = state.outputs.with(sink, [{ value: content }])
  }
  const frame: Frame = { reach: [], source, depth: 0, exits: [] }
  const script = readScript(context, source)
  const outcome = script === undefined ? bothOutcomes(state) : runScript(context, script, state, frame)
  const end = joinAll(context, [stateAfter(context, outcome), ...frame.exits]) ?? state
  for (let one = context.pending.shift(); one !== undefined; one = context.pending.shift())
    one.run(end.outputs.get(one.sink) ?? [{ value: unknownPart }], end)
}

function runScript(context: Context, script: ParsedScript, state: State, frame: Frame): CommandOutcome {
  if (frame.guessed !== true)
    for (const { message } of script.errors ?? []) note(context, `a part of it is not valid shell: ${message}`)
  return runList(context, state, frame, script.commands)
}

function runText(context: Context, text: ShellText, state: State, frame: Frame): CommandOutcome {
  if (frame.depth > shellLimits.depthMax) {
    note(context, 'commands are nested too deeply to be followed')
    return bothOutcomes(state)
  }
  if (!isKnown(text) && text.value === unknownPart) return bothOutcomes(state)
  if (timesRunning(frame, text.value) >= shellLimits.recursionMax) {
    noteOf(context, frame.startedBy, 'a script runs itself, and is not followed to its end')
    return bothOutcomes(state)
  }
  // Reading a text takes as long as expanding it four times.
  const script = stepForText(context, 4 * text.value.length) ? readScript(context, text.value) : undefined
  if (script === undefined) return bothOutcomes(state)
  const running = { text: text.value, outer: frame.running }
  return runScript(context, script, state, { ...frame, source: text.value, unknownFrom: text.from, running })
}

/** Parses a text; returns `undefined`, and notes it, if that would take more than linear time. */
function readScript(context: Context, text: string): ParsedScript | undefined {
  const tooMany =
    heredocsOnOneLine(text) > shellLimits.heredocsOnOneLineMax
      ? 'here-documents'
      : text.length * nestedExpansions(text) > nestedCharactersMax
        ? 'expansions in each other'
        : undefined
  if (tooMany === undefined) return parseGrouped(text)
  note(context, `the command has too many ${tooMany} to be read`)
  return undefined
}
/** Characters of a text, times the depth of its `${…}`: the parser reads the inside of each again. People write three. */
const nestedCharactersMax = 4 * 1024 * 1024

/**
 * Parses a text in which names in paths may stand in brackets, as folders of Next.js do: `app/(shop)/page.tsx`. Without
 * quotes that is no shell, or in zsh a pattern that means `app/shop`: it is read as a pattern that means both.
 */
function parseGrouped(text: string): ParsedScript {
  const script = parse(text)
  if (script.errors === undefined || script.errors.length === 0) return script
  const patterns = parse(text.replaceAll(/(?<=\/)\((\.{1,3}|\.{0,3}[\w-]+)\)(?=\/|\w)/g, '*$1*'))
  return patterns.errors === undefined || patterns.errors.length === 0 ? patterns : script
}

/** Counts how deep `${…}` are nested, with regard to quotes or without: the parser reads the inside of each again. */
function nestedExpansions(text: string): number {
  let [deepest, plain, unquoted, quotedTo] = [0, 0, 0, 0]
  const open: string[] = []
  for (const { index, 0: mark } of text.matchAll(/\\[^]|\$\{|[}"']/g)) {
    if (mark === '${') plain++
    else if (mark === '}') plain = Math.max(0, plain - 1)
    const top = open.at(-1)
    if (index >= quotedTo) {
      if (mark === "'" && top !== '"') quotedTo = text.indexOf("'", index + 1) + 1
      else if (mark === '${' || (mark === '"' && top !== mark)) open.push(mark)
      else if (mark === '"' || (mark === '}' && top === '${')) open.pop()
      unquoted += mark === '${' ? 1 : mark === '}' && top === '${' ? -1 : 0
    }
    deepest = Math.max(deepest, plain, unquoted)
  }
  return deepest
}

/** Counts at least the here-documents that begin on one line: for each of them the parser goes through the others. */
function heredocsOnOneLine(text: string): number {
  let most = 0
  let onLine = 0
  let from = 0
  for (let at = text.indexOf('<<'); at !== -1; at = text.indexOf('<<', at + 2)) {
    // A line goes on behind `\` at its end.
    onLine = /(?:^|[^\\])\n/.test(text.slice(from, at)) ? 1 : onLine + 1
    most = Math.max(most, onLine)
    from = at
  }
  return most
}

/** Counts the enclosing runs of the same text, to stop endless recursion: `bash b.sh` inside `b.sh`. */
function timesRunning({ running }: Frame, text: string): number {
  let times = 0
  for (let at = running; at !== undefined; at = at.outer) if (at.text === text) times++
  return times
}

function contextOf(around: ShellSurroundings): Context {
  const context: Context = {
    around,
    commands: [],
    flows: [],
    texts: [],
    unread: false,
    uncertain: new Set(),
    forkBomb: false,
    steps: 0,
    characters: 0,
    recorded: 0,
    recordedWords: 0,
    repeated: undefined,
    pending: [],
    made: noFiles(),
    nextDescriptor: 63,
    script: (script, state, frame) => runScript(context, script, state, frame),
    text: (text, state, frame) => runText(context, text, state, frame),
    body: (node, state, frame) => runBody(context, state, frame, node),
    words: (words, state, frame, asProgram) => runWords(context, state, frame, words, asProgram),
  }
  return context
}

/**
 * Analyses the text of a tool that runs PowerShell. Most of its commands are words, as a shell has them, and are read so,
 * each with its place in the text. A text with statements that no shell knows is read as code that is given to `pwsh`.
 */
export function powershellFacts(text: string, around: ShellSurroundings): FoundFacts {
  const facts = isStatement.test(text) ? undefined : shellFacts(asShell(text), around)
  if (facts !== undefined && !facts.uncertain.some((what) => what.includes('not valid shell'))) return facts
  const code = shellFacts(`pwsh -NoProfile -Command '${text.replaceAll("'", "'\\''")}'`, around)
  const place = { start: 0, end: text.length }
  return { ...code, commands: code.commands.map((command) => Object.assign({}, command, { place })) }
}

/** A variable that holds a known folder, an assignment, a list, a loop, a condition, the drive of all variables: PowerShell's own. */
const isStatement =
  /\$\{?env:(?:(?:local)?appdata|programdata|allusersprofile|userprofile)\b|\benv:[\\/*]{0,2}["']?(?=[\s|;)]|$)|(?:^|[;{])[ \t]*(?:\$[\w:]+\s*[-+]?=(?!=)|(?:foreach|if|while|function|try|param|switch)\b\s*[({])|@\(|\|\s*(?:%|ForEach-Object|foreach)\s*\{|^[ \t]*\(/im

/**
 * Writes backslashes as slashes, and commas between words and what is to become of errors as blanks, outside of quotes, so
 * that each word keeps its place.
 */
const asShell = (text: string) =>
  text.replaceAll(
    /(?<=\s)-(?:ea|erroraction|wa|warningaction)\s+\w+|'[^']*'|"(?:[^"`]|`[\s\S])*"|\\|,(?=\s|[\w.$~'"/\\])/g,
    (found) => (found === '\\' ? '/' : found === ',' ? ' ' : found.startsWith('-') ? ' '.repeat(found.length) : found),
  )
