import { limits } from '../../model/limits.ts'
import { anyText, commandGlob, type Glob, globsMeet, literal, literalText } from './glob.ts'
import { readShell, type SimpleCommand } from './shell-words.ts'

/**
 * Whether a permission rule's pattern, such as `git push *`, fits any command that a shell's text would run: behind
 * operators and keywords, in substitutions and subshells, and behind programs that run other programs, which Claude
 * Code's own `if` does not see through. What cannot be ruled out is a hit: the hook then runs and decides for itself.
 */
export function commandMeets(pattern: string, text: string): boolean {
  if (text.length > limits.conditionSubjectCharactersMax) return true
  const glob = commandGlob(pattern)
  return globsMeet(glob, literal(onOneLine(text))) || textMeets(glob, text, 0)
}

function textMeets(glob: Glob, text: string, depth: number): boolean {
  const shell = readShell(text, depth)
  return !shell.sure || shell.commands.some((command) => simpleMeets(glob, command, depth))
}

function simpleMeets(glob: Glob, { words, source }: SimpleCommand, depth: number): boolean {
  // As it is written, for patterns that hold quotes or assignments themselves.
  if (globsMeet(glob, literal(onOneLine(source)))) return true
  const program = words.findIndex((word) => !isPrefix(word))
  return program >= 0 && programMeets(glob, words.slice(program), depth)
}

function programMeets(glob: Glob, words: readonly Glob[], depth: number): boolean {
  const programs = nameOf(words[0]) === 'find' ? [words, ...executed(words)] : [words]
  return programs.some((program) => fits(glob, program) || runnerMeets(glob, program, depth))
}

/** What a program runs that runs others: which of its words that is is not worked out, since its options differ too much. */
function runnerMeets(glob: Glob, words: readonly Glob[], depth: number): boolean {
  const name = nameOf(words[0])
  if (!shells.has(name) && !runners.has(name)) return false
  if (words.length > limits.conditionWrappedWordsMax + 1) return true
  return words.some(
    (word, index) =>
      readsCommands(words.slice(index)) ||
      (index > 0 && (fits(glob, words.slice(index)) || wordMeets(glob, word, depth + 1))),
  )
}

/** A shell without a script or `-c` takes its commands from elsewhere: `curl … | sh`, `bash <<< '…'`. */
function readsCommands([program, ...options]: readonly Glob[]): boolean {
  return shells.has(nameOf(program)) && options.every((word) => textOf(word).startsWith('-'))
}

/** The command as it is, or with its program's bare name: `/bin/rm` is `rm`. */
function fits(glob: Glob, words: readonly Glob[]): boolean {
  const [first = [], ...rest] = words
  const slash = first.lastIndexOf(0x2f)
  return globsMeet(glob, joined(words)) || (slash >= 0 && globsMeet(glob, joined([first.slice(slash + 1), ...rest])))
}

/** `bash -c 'rm x'`: a word that is a shell's text itself. */
function wordMeets(glob: Glob, word: Glob, depth: number): boolean {
  if (!/[\s;&|<>()$`]/.test(textOf(word))) return false
  const text = literalText(word)
  return text === undefined || textMeets(glob, text, depth)
}

/** What `find` runs. */
function executed(words: readonly Glob[]): readonly (readonly Glob[])[] {
  return words.flatMap((word, index) => (/^-(exec|ok)(dir)?$/.test(textOf(word)) ? [words.slice(index + 1)] : []))
}

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/))

const shells = setOf('sh bash dash zsh ksh mksh ash fish')

/** Programs and builtins that run what stands behind them, or what a word of theirs holds. */
const runners = setOf(`
  sudo doas su runuser env nohup time timeout command builtin exec eval trap coproc nice ionice chrt taskset stdbuf setsid
  flock unshare nsenter chroot script strace ltrace arch caffeinate xargs parallel watch entr busybox systemd-run`)

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
const textOf = (word: Glob) => word.map((mark) => (mark === anyText ? '\uffff' : String.fromCharCode(mark))).join('')
const nameOf = (word: Glob = []) => textOf(word.slice(word.lastIndexOf(0x2f) + 1))

const isUnknown = (word: Glob | undefined) => word?.length === 1 && word[0] === anyText

/** One blank between words; none beside a word of which nothing is known, since it may be several words, or none. */
function joined(words: readonly Glob[]): Glob {
  return words.flatMap((word, index) =>
    index === 0 || isUnknown(word) || isUnknown(words[index - 1]) ? word : [0x20, ...word],
  )
}

const onOneLine = (text: string) => text.trim().replaceAll(/\s+/g, ' ')
