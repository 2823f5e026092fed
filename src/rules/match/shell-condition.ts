import { limits } from '../../model/limits.ts'
import { anyText, commandGlob, type Glob, literal, literalText, type Meets, meeting } from './glob.ts'
import { composers, isRunner, ranFrom, shells } from './runners.ts'
import { readShell, type SimpleCommand } from './shell-words.ts'

/**
 * Whether a permission rule's pattern, such as `git push *`, fits any command that a shell's text would run: behind
 * operators and keywords, in substitutions and subshells, and behind programs that run other programs, which Claude
 * Code's own `if` does not see through. What of that cannot be ruled out is a hit: the hook then runs and decides for
 * itself. A program that `runners.ts` does not name is taken to run none of its words.
 */
export function commandMeets(pattern: string, text: string): boolean {
  if (text.length > limits.conditionSubjectCharactersMax) return true
  const meets = meeting(commandGlob(pattern))
  return meets(literal(onOneLine(text))) || textMeets(meets, text, 0)
}

function textMeets(meets: Meets, text: string, depth: number): boolean {
  const shell = readShell(text, depth)
  return !shell.sure || shell.commands.some((command) => simpleMeets(meets, command, depth))
}

function simpleMeets(meets: Meets, { words, source }: SimpleCommand, depth: number): boolean {
  // As it is written, for patterns that hold quotes or assignments themselves.
  if (meets(literal(onOneLine(source)))) return true
  const program = programAt(words)
  return program < words.length && programMeets(meets, words.slice(program), depth)
}

/** Where the program stands: behind keywords, assignments, and the name of a function that is being defined. */
function programAt(words: readonly Glob[]): number {
  let at = 0
  for (let word = words[at]; word !== undefined && isPrefix(word); word = words[at]) {
    at += textOf(word) === 'function' ? 2 : 1
  }
  return at
}

function programMeets(meets: Meets, words: readonly Glob[], depth: number): boolean {
  const programs = nameOf(words[0]) === 'find' ? [words, ...executed(words)] : [words]
  return programs.some((program) => fits(meets, program) || runnerMeets(meets, program, depth))
}

/** What a program runs that runs others: which of its words that is is not worked out, since its options differ too much. */
function runnerMeets(meets: Meets, words: readonly Glob[], depth: number): boolean {
  const name = nameOf(words[0])
  if (composers.has(name)) return true
  const from = ranFrom(name, words.map(textOf), (word) => word.includes(unknown))
  if (from === undefined) return false
  if (words.length > limits.conditionWrappedWordsMax + 1) return true
  const appended = appendedTo(words)
  if (appended === undefined) return true
  return words.some((word, index) => {
    const inner = [...words.slice(index), ...appended]
    return readsCommands(inner) || (index >= from && (fits(meets, inner) || wordMeets(meets, word, depth + 1)))
  })
}

/** What `xargs` adds to a command; `undefined` where it may put it anywhere, in the place of the program too. */
function appendedTo(words: readonly Glob[]): readonly Glob[] | undefined {
  const xargs = words.findIndex((word) => nameOf(word) === 'xargs')
  if (xargs < 0) return []
  return words.slice(xargs).some((word) => /^(-\w*[iIJ]|--replace)/.test(textOf(word))) ? undefined : [[anyText]]
}

/**
 * A shell without a script or `-c` takes its commands from elsewhere: `curl … | sh`, `bash <<< '…'`, `. /dev/stdin`. An
 * option with an argument of its own (`-o posix`) could be mistaken for one with a script, so nothing is ruled out of it.
 */
function readsCommands([program, ...words]: readonly Glob[]): boolean {
  if (!shells.has(nameOf(program))) return false
  const script = words.findIndex((word) => !/^[-+]./.test(textOf(word)))
  if (script < 0) return true
  const options = words.slice(0, script)
  return isStream(words[script]) || options.some((word) => /^-\w*s|^[-+]\w*[oO]|^--(rc|init-)file/.test(textOf(word)))
}

/** What is read as a script and is none that lies there: a pipe, a descriptor, the standard input, something unknown. */
const isStream = (script: Glob | undefined) => /^(-|\/dev\/.*|\/proc\/.*|.*\uffff.*)$/s.test(textOf(script ?? []))

/** The command as it is, or with its program's bare name: `/bin/rm` is `rm`. */
function fits(meets: Meets, words: readonly Glob[]): boolean {
  const [first = [], ...rest] = words
  const slash = first.lastIndexOf(0x2f)
  return meets(joined(words)) || (slash >= 0 && meets(joined([first.slice(slash + 1), ...rest])))
}

/** `bash -c 'rm x'`: a word that is a shell's text itself. */
function wordMeets(meets: Meets, word: Glob, depth: number): boolean {
  if (!/[\s;&|<>()$`]/.test(textOf(word))) return false
  const text = literalText(word)
  return text === undefined || textMeets(meets, text, depth)
}

/** What `find` runs. */
function executed(words: readonly Glob[]): readonly (readonly Glob[])[] {
  return words.flatMap((word, index) =>
    /^-(exec|ok)(dir)?$/.test(textOf(word)) ? [filled(words.slice(index + 1))] : [],
  )
}

/** The names of files, which are not known, in the place of `{}`. */
const filled = (words: readonly Glob[]) => words.map((word) => (textOf(word).includes('{}') ? [anyText] : word))

/** Whether a word names a program that may take another of its words for a command. */
export function runsOthers(word: string): boolean {
  return isRunner(nameOf(literal(word)))
}

const keywords: ReadonlySet<string> = new Set([
  'if',
  'then',
  'elif',
  'else',
  'while',
  'until',
  'do',
  '!',
  '{',
  'function',
])

/** A keyword, or an assignment before a command. */
function isPrefix(word: Glob): boolean {
  const text = textOf(word)
  return keywords.has(text) || /^\w+(?:\[[^\]]*\])?\+?=/.test(text)
}

/** For comparing with words that are known; what is not known fits none of them. */
const textOf = (word: Glob) => word.map((mark) => (mark === anyText ? unknown : String.fromCharCode(mark))).join('')
const unknown = '\uffff'
const nameOf = (word: Glob = []) => textOf(word.slice(word.lastIndexOf(0x2f) + 1))

const isUnknown = (word: Glob | undefined) => word?.length === 1 && word[0] === anyText

/** One blank between words; none beside a word of which nothing is known, since it may be several words, or none. */
function joined(words: readonly Glob[]): Glob {
  return words.flatMap((word, index) =>
    index === 0 || isUnknown(word) || isUnknown(words[index - 1]) ? word : [0x20, ...word],
  )
}

const onOneLine = (text: string) => text.trim().replaceAll(/\s+/g, ' ')
