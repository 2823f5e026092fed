import {
  type DoubleQuotedChild,
  type HereDocBody,
  parse,
  type ParsedScript,
  type ProcessSubstitutionPart,
  type Word,
  type WordPart,
} from 'unbash'
import { escapeGlob, withoutEnd } from '../../../model/text.ts'
import {
  type Context,
  type Frame,
  note,
  type SourceRange,
  spend,
  step,
  stepForText,
  withReach,
} from '../state/context.ts'
import type { Sink, State } from '../state/state.ts'
import { variableOf } from '../state/variables.ts'
import {
  bounded,
  concatenate,
  distinctTexts,
  empty,
  type Field,
  isKnown,
  literal,
  mapTexts,
  onlyValue,
  type ShellText,
  type Texts,
  unknown,
} from '../values/text.ts'
import { unknownPart } from '../../../model/shell.ts'
import { arithmetic } from './arithmetic.ts'
import { everyCombination, expandBraces, fieldsOf, type Piece } from './fields.ts'
import { type ParameterList, parameterLists } from './parameters.ts'
import { inSubshell } from '../state/join.ts'

/** One possible expansion of a word, as pieces before word splitting. */
type Pieces = readonly Piece[]

const plain = /^[\w./:=@%+,-]*$/
const piece = (text: ShellText, quoted: boolean, splits = false): Piece => ({ text, quoted, splits })
const asIs = (frame: Frame, value: string): Pieces => [piece(written(frame, value), true)]

/** Makes the text of a part of the source, which has unknown parts itself if it was made of other commands' output. */
const written = ({ unknownFrom: from }: Frame, value: string): ShellText =>
  from !== undefined && value.includes(unknownPart) ? { value, from } : literal(value)
const homePieces = ({ text, rest }: Tilde): Pieces => [piece(text, true), piece(literal(rest), true)]

/** Returns all possible expansions of a word, each of them a list of fields. */
export function expandWord(context: Context, state: State, frame: Frame, word: Word): readonly (readonly Field[])[] {
  if (plain.test(word.text)) return [[{ word: { value: word.text } }]]
  if (!step(context)) return [[{ word: { value: word.value, unresolved: true, several: true } }]]
  const braced = word.text.includes('{') ? wordsInBraces(context, word) : undefined
  if (braced === undefined) return ways(context, state, frame, word)
  const inBraces: Frame = { ...frame, place: frame.place ?? { start: word.pos, end: word.end } }
  return everyCombination(
    context,
    braced.map((one) => ways(context, state, inBraces, one)),
  )
}

/**
 * Returns the words that a word's braces make; `undefined` if there are none to expand. As in bash, braces are expanded
 * in the text first, and each result is parsed again, so braces from variables have no effect.
 */
function wordsInBraces(context: Context, word: Word): readonly Word[] | undefined {
  if (word.parts?.some(({ type }) => type === 'BraceExpansion') !== true) return undefined
  const texts = expandBraces(word.text)
  if (texts === undefined) note(context, 'a word in braces becomes more words than are analyzed')
  if (texts === undefined || (texts.length === 1 && texts[0] === word.text)) return undefined
  const length = texts.reduce((sum, text) => sum + text.length, 0)
  if (!stepForText(context, length)) return undefined
  return texts.flatMap((text) => {
    const [statement] = parse(`: ${text}`).commands
    const args = statement?.command.type === 'Command' ? statement.command.args : []
    return args.flatMap((arg) => (arg.type === 'Word' ? [arg] : []))
  })
}

function ways(context: Context, state: State, frame: Frame, word: Word): readonly (readonly Field[])[] {
  const pieces = wordPieces(context, state, frame, word)
  const [only] = pieces
  if (pieces.length === 1 && only?.length === 1 && only[0]?.quoted === true) {
    const { text, several } = only[0]
    if (several !== true && text.pattern === undefined && isKnown(text) && text.from === undefined) {
      return [[{ word: { value: text.value } }]]
    }
  }
  const ifs = onlyValue(variableOf(context, state, 'IFS').texts)
  return pieces.map((one) => fieldsOf(one, ifs))
}

function wordPieces(context: Context, state: State, frame: Frame, word: Word): readonly Pieces[] {
  const { parts } = word
  if (parts === undefined) {
    const home = tilde(context, state, word.text)
    if (home !== undefined) return [homePieces(home)]
    // bash expands `of=~/x` too: an argument that looks like an assignment.
    const [, name = '', value = ''] = /^([A-Za-z_]\w*=)(~.*)$/s.exec(word.text) ?? []
    const assigned = tilde(context, state, value)
    return [assigned === undefined ? asIs(frame, word.value) : [...asIs(frame, name), ...homePieces(assigned)]]
  }
  return partsPieces(context, state, frame, parts, false, true)
}

function partsPieces(
  context: Context,
  state: State,
  frame: Frame,
  parts: readonly WordPart[],
  quoted: boolean,
  first: boolean,
): readonly Pieces[] {
  const all: (readonly Pieces[])[] = []
  for (const [at, part] of parts.entries()) {
    if (!step(context)) return [[{ ...piece(unknown(), quoted, true), several: true }]]
    const home = first && at === 0 && part.type === 'Literal' ? tilde(context, state, part.text) : undefined
    const pieces = home === undefined ? partPieces(context, state, frame, part, quoted) : [homePieces(home)]
    if (!spend(context, charactersOf(pieces))) return [[{ ...piece(unknown(), quoted, true), several: true }]]
    all.push(pieces)
  }
  return everyCombination(context, all)
}

/** Counts empty pieces as well: a list may have hundreds of them. */
const charactersOf = (all: readonly Pieces[]): number =>
  all.reduce((sum, pieces) => pieces.reduce((length, { text }) => length + text.value.length, sum + pieces.length), 0)

function partPieces(
  context: Context,
  state: State,
  frame: Frame,
  part: WordPart | DoubleQuotedChild,
  quoted: boolean,
): readonly Pieces[] {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return [asIs(frame, part.value)]
    case 'Glob':
    case 'ExtendedGlob': {
      const isMade = part.parts?.some(({ type }) => !asWritten.has(type)) === true
      if (isMade) partsPieces(context, state, frame, part.parts ?? [], quoted, false)
      // What the shell puts into a pattern decides what it matches.
      const pattern = !isMade ? part.text : part.type === 'Glob' ? '?' : '*'
      return [[piece({ value: part.text, ...(!quoted && { pattern }) }, quoted)]]
    }
    case 'BraceExpansion':
      return [asIs(frame, part.text)]
    case 'DoubleQuoted':
    case 'LocaleString': {
      const inside = partsPieces(context, state, frame, part.parts, true, false)
      const lists = part.parts.length === 1 && inside.every((one) => one.length === 0)
      return lists ? inside : inside.map((one) => (one.length === 0 ? [piece(empty, true)] : one))
    }
    case 'SimpleExpansion':
    case 'ParameterExpansion': {
      const operand = (word: Word) => expandText(context, state, frame, word, quoted)
      const inQuotes = quoted || (part.type === 'ParameterExpansion' && quotedOperand.test(part.text))
      const lists = parameterLists(context, state, part, quoted, operand)
      return lists.map((one) => parameterPieces(one, one.list === true ? quoted : inQuotes))
    }
    case 'CommandExpansion': {
      const texts = substituted(context, state, frame, part.script, part)
      return texts.map((text) => [piece(text, quoted, true)])
    }
    case 'ArithmeticExpansion':
      // Its expression is parsed here, and an expression in it is parsed again.
      if (!stepForText(context, part.text.length)) return [[piece(unknown(), true)]]
      return [[piece(arithmeticText(context, state, frame, part), true)]]
    case 'ProcessSubstitution':
      return [[piece(expandProcessSubstitution(context, state, frame, part), true)]]
  }
}

/** Parts of a pattern that are what they are, whatever the shell's state is. */
const asWritten: ReadonlySet<WordPart['type']> = new Set(['Literal', 'SingleQuoted', 'AnsiCQuoted', 'Glob'])

function parameterPieces({ texts, list, several }: ParameterList, quoted: boolean): Pieces {
  const pieces: Piece[] = []
  for (const text of texts) {
    const begins = list === true && pieces.length > 0
    pieces.push({ text, quoted, splits: true, ...(begins && { begins }), ...(list !== true && several && { several }) })
  }
  if (list === true && several === true) {
    // The further ones of an open list are made as the last one was.
    const more = unknown(undefined, texts.at(-1)?.from)
    pieces.push({ ...piece(more, quoted, true), begins: true, several })
  }
  return pieces
}

const quotedOperand = /^\$\{\w+:?[-=+]["']/

/** Returns the text of an arithmetic expansion. Command substitutions inside it are run. */
function arithmeticText(
  context: Context,
  state: State,
  frame: Frame,
  { expression, text }: { readonly expression?: Parameters<typeof arithmetic>[2] | undefined; readonly text: string },
): ShellText {
  const value = expression === undefined ? undefined : arithmeticValue(context, state, frame, expression)
  return value === undefined ? unknown(onlyName(text)) : literal(String(value))
}

/** Returns the variable that an arithmetic expression has, if it has only one and runs nothing. */
function onlyName(text: string): string | undefined {
  if (/\$\((?!\()|`/.test(text)) return undefined
  const [name, ...others] = new Set(text.match(/(?<!\w)[A-Za-z_]\w*/g))
  return others.length === 0 ? name : undefined
}

export function arithmeticValue(
  context: Context,
  state: State,
  frame: Frame,
  expression: Parameters<typeof arithmetic>[2],
): number | undefined {
  return arithmetic(context, state, expression, {
    parts: (parts) => piecesTexts(partsPieces(context, state, frame, parts, true, false)),
    substitute: (part) => substituted(context, state, frame, part.script, part),
  })
}

function piecesTexts(all: readonly Pieces[]): Texts {
  return distinctTexts(all.map((pieces) => pieces.reduce((text, { text: more }) => concatenate(text, more), empty)))
}

/** Expands a word without splitting or globbing: the value of an assignment, a `case` subject, a here-string. */
export function expandText(context: Context, state: State, frame: Frame, word: Word, quoted = false): Texts {
  if (plain.test(word.text)) return [literal(word.text)]
  if (!step(context)) return [unknown()]
  const { parts } = word
  if (parts === undefined) {
    const home = quoted ? undefined : tilde(context, state, word.text)
    return [home === undefined ? written(frame, word.value) : concatenate(home.text, literal(home.rest))]
  }
  const texts = piecesTexts(partsPieces(context, state, frame, parts, quoted, !quoted))
  return spend(context, texts[0].value.length) ? texts : [unknown()]
}

/** Returns the possible contents of a heredoc whose delimiter is not quoted. */
export function heredocTexts(context: Context, state: State, frame: Frame, body: HereDocBody): Texts {
  if (body.parts === undefined) {
    const text = body.text.replace(/\\([$`\\]|\n)/g, (_, escaped: string) => (escaped === '\n' ? '' : escaped))
    return [bounded(written(frame, text))]
  }
  return piecesTexts(partsPieces(context, state, frame, body.parts, true, false))
}

/** Expands the pattern of a `case`, with its quoted parts escaped; `undefined` if a part is unknown. */
export function patternTexts(context: Context, state: State, frame: Frame, word: Word): readonly string[] | undefined {
  const all =
    word.parts === undefined ? [asIs(frame, word.value)] : partsPieces(context, state, frame, word.parts, false, false)
  const patterns = all.map((pieces) => {
    const texts = pieces.map(({ text, quoted }) => ({ text, raw: text.pattern ?? (quoted ? undefined : text.value) }))
    if (texts.some(({ text }) => !isKnown(text))) return undefined
    return texts.map(({ text, raw }) => raw ?? escapeGlob(text.value)).join('')
  })
  return patterns.every((one) => one !== undefined) ? patterns : undefined
}

interface Tilde {
  readonly text: ShellText
  readonly rest: string
}

/** Expands `~`, `~user`, `~+` and `~-` at the beginning of a text. */
function tilde(context: Context, state: State, text: string): Tilde | undefined {
  if (!text.startsWith('~')) return undefined
  const end = text.indexOf('/')
  const prefix = end === -1 ? text : text.slice(0, end)
  const rest = (end === -1 ? '' : text.slice(end)).replace(/\\(.)/gs, '$1')
  const first = (name: string): Tilde => ({ text: variableOf(context, state, name).texts[0], rest })
  if (prefix === '~') return first('HOME')
  if (prefix === '~+') return first('PWD')
  if (prefix === '~-') return first('OLDPWD')
  if (!/^~[\w.-]+$/.test(prefix)) return undefined
  if (prefix === '~root') return { text: literal('/root'), rest }
  const home = onlyValue(variableOf(context, state, 'HOME').texts)
  if (home?.endsWith(`/${prefix.slice(1)}`) === true) return first('HOME')
  return { text: literal(`/home/${prefix.slice(1)}`), rest }
}

/** Returns all possible expansions of a list of words. */
export const expandList = (
  context: Context,
  state: State,
  frame: Frame,
  words: readonly Word[],
): readonly (readonly Field[])[] =>
  everyCombination(
    context,
    words.map((word) => expandWord(context, state, frame, word)),
  )

interface Where {
  readonly pos: number
  readonly end: number
}

/**
 * Makes the frame of a substitution. If its script has a source of its own, positions fall back to the enclosing
 * part's.
 */
function inner(frame: Frame, script: ParsedScript, part: Where): Frame {
  const through = withReach(frame, { through: 'substitution' })
  const place: SourceRange | undefined =
    frame.place ?? (script.source === undefined ? undefined : { start: part.pos, end: part.end })
  return { ...through, source: script.source ?? frame.source, ...(place !== undefined && { place }) }
}

/** Runs `$(…)` and returns what it prints, as far as that is known. */
function substituted(
  context: Context,
  state: State,
  frame: Frame,
  script: ParsedScript | undefined,
  part: Where,
): Texts {
  if (script === undefined) {
    note(context, 'a substitution cannot be read')
    return [unknown()]
  }
  const first = context.commands.length
  const output = outputOf(context, state, inner(frame, script, part), script)
  const command = script.commands.length === 1 ? script.commands[0]?.command : undefined
  if (command?.type === 'Command' && command.name === undefined && command.redirects.length === 1) {
    const at = context.commands.findIndex((draft, index) => index >= first && draft.program === '')
    if (at !== -1) return fileContent(output, at)
  }
  return mapTexts(output, (text) => ({ ...text, value: withoutEnd(text.value, '\n') }))
}

/** Returns the value of `$(<file)`, which prints the file as `cat file` does. */
function fileContent(output: Texts, command: number): Texts {
  return output[0].value === '' ? [unknown(undefined, [{ command, via: 'argument' }])] : output
}

function outputOf(context: Context, state: State, frame: Frame, script: ParsedScript): Texts {
  const sink: Sink = { kind: 'pipe' }
  const { end } = inSubshell(context, state, frame, (sub, subFrame) => {
    sub.descriptors = sub.descriptors.with(1, { kind: 'sink', sink })
    sub.outputs = sub.outputs.with(sink, [empty])
    return context.script(script, sub, subFrame)
  })
  // Nothing writes to it any more, and thousands of substitutions would make a map that is copied for each of them.
  state.outputs = state.outputs.without(sink)
  return end?.outputs.get(sink) ?? [empty]
}

/** Starts `<(…)` or `>(…)` and returns its file name, `/dev/fd/N`. */
function expandProcessSubstitution(
  context: Context,
  state: State,
  frame: Frame,
  part: ProcessSubstitutionPart,
): ShellText {
  const descriptor = Math.max(context.nextDescriptor--, 10)
  const { script } = part
  if (script === undefined) {
    note(context, 'a substitution cannot be read')
    return literal(`/dev/fd/${descriptor}`)
  }
  const within = inner(frame, script, part)
  if (part.operator === '<') {
    const texts = outputOf(context, state, within, script)
    state.descriptors = state.descriptors.with(descriptor, { kind: 'input', texts, named: true })
  } else {
    const sink: Sink = { kind: 'pipe' }
    state.descriptors = state.descriptors.with(descriptor, { kind: 'sink', sink })
    state.outputs = state.outputs.with(sink, [empty])
    context.pending.push({
      sink,
      run: (texts, now) => {
        inSubshell(context, now, within, (sub, subFrame) => {
          sub.descriptors = sub.descriptors.with(0, { kind: 'input', texts })
          return context.script(script, sub, subFrame)
        })
      },
    })
  }
  return literal(`/dev/fd/${descriptor}`)
}
