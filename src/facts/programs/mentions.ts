import { unwrapLimits } from '../../model/limits.ts'
import type { ShellWord } from '../../model/shell.ts'
import type { ReportLeftOut } from '../bounds.ts'
import { startsCommand, startsProgram } from './command-text.ts'
import type { Starts } from './starts.ts'
import { joined, wordOf } from './words.ts'

/** A command that a text of another language mentions: a shell script, or a program with its arguments. */
export type Mention = { readonly script: ShellWord } | { readonly words: readonly ShellWord[] }

/**
 * Finds the commands that a text mentions, whatever its language: known programs with arguments at the beginning of a
 * line, of a quoted text or of a value, and lists of quoted words that begin with one. Takes time linear in the length.
 *
 * @param behind matches the text before a mention; others are left out
 */
export function mentionsIn(text: string, leftOut: ReportLeftOut, behind?: RegExp): readonly Mention[] {
  if (text.length > unwrapLimits.mentionTextMax) leftOut('its code is longer than is analyzed')
  const source = text.slice(0, unwrapLimits.mentionTextMax)
  const settings = settingsIn(source)
  const found: Mention[] = []
  let looked = 0
  for (const { index, 0: lead, 1: name = '' } of source.matchAll(candidates)) {
    const from = index + lead.length - name.length
    if (behind?.test(source.slice(Math.max(0, from - callMax), from)) === false) continue
    const open = source.charAt(from - 1)
    const quote = quotes.includes(open) ? open : undefined
    const words = quote === undefined ? undefined : quotedWords(source, from - 1)
    if (words !== undefined && words.length > 1 && !/\s/.test(words[0]?.value ?? '')) {
      if (startsProgram(words, 0, 'likely')) found.push(startOf(words))
      continue
    }
    const line = lineFrom(source, from, quote)
    looked += line.length
    // A line is read from each place in it at which a command may begin.
    if (looked > rereadsMax * unwrapLimits.mentionTextMax) {
      leftOut('its code is longer than is analyzed')
      break
    }
    if (line.length > mentionMax) leftOut('its code is longer than is analyzed')
    const script = filledIn(line.slice(0, mentionMax).replace(nextKey, ''), settings)
    if (startsCommand(script)) found.push({ script: wordOf(script) })
    if (found.length > mentionsMax) {
      leftOut('it starts more commands than are analyzed')
      break
    }
  }
  return found
}
/** UTF-16 units of one mentioned command. */
const mentionMax = 2048
/** Commands that one text mentions: a long script has fifty lines of them. */
const mentionsMax = 64

/** Makes one line of a program and all its arguments in one text, as .NET takes them: `Process.Start("rm", "-r a")`. */
const startOf = (words: readonly ShellWord[]): Mention =>
  words.length === 2 && /^-\S*\s/.test(words[1]?.value ?? '') ? { script: joined(words) } : { words }

const quotes = `"'\``
/** Matches the rest of a flow mapping behind a value: `, language: system}` in `{entry: x a, language: system}`. */
const nextKey = /,\s{1,8}["']?[\w-]{1,64}["']?:\s[^]*$/

/**
 * Starts the commands that a text hands to a function or escape that runs commands, in a language that has no scanner:
 * `system("…")`, `(shell-command "…")`, `esyscmd(…)`, `$`…``, `shell …`, `!…`.
 */
export function startCalls(text: string, starts: Starts): void {
  for (const mention of mentionsIn(text, starts.leftOut, calls)) startMention(mention, starts)
}

export function startMention(mention: Mention, starts: Starts): void {
  if ('script' in mention) starts.script(mention.script, { guessed: true })
  else starts.words(mention.words, { guessed: true })
}

const calls =
  /(?:(?:sys|system|shell|exec\w*|spawn\w*|popen|cmd|process|command|run|sh|bash|pipe)\b(?:::?\w|[\w.-]){0,16}!?[\s([{"'`,\\]{1,8}|pipe\b[^|\n]*\|\s?|(?:^|[\s;'"`([])!\s?|%s?h?[({]\s?|\$`|s" )$/i

/** A script reads hardly a line of its text twice. */
const rereadsMax = 4

/** Longer names of functions before a command are not known. */
const callMax = 64

/**
 * Matches where a command may begin: at the start of a line or value, behind a quote, a bracket or an operator, behind a
 * setting's name (`ProxyCommand …`), also after assignments. A comment begins none, but Go's `//go:generate` does. A name
 * that gets a value (`render := func() …`) is no program.
 */
const candidates =
  /(?:^|\\[nt]|[\n"'`({[=,;:|&>!$]|(?:\n|^)\+|(?:^|\n)[\d$,/]*[aic]\\?\s|\/\/go:generate\s|\bshell\s|\bRUN\s|(?:^|\\n|\n)[ \t]*[A-Z][a-z]+[A-Z]\w{2,40}[ \t]+|- )[ \t@+!-]{0,16}(?!shell\s)(?:[A-Za-z_]\w{0,60}=[^\s"'`]{0,200} +)?([a-z/][\w./+-]*)(?![ \t]{1,8}(?::=|=>|[+|]?=[ \t]))(?=[ \t]|["'`]\s?(?:,|\)\s{0,8}\.args?\())/g

/** Reads the quoted words from an index on that only commas, brackets and blanks separate. */
function quotedWords(source: string, from: number): readonly ShellWord[] {
  const words: ShellWord[] = []
  const end = Math.min(source.length, from + mentionMax)
  let at = from
  while (at < end && quotes.includes(source.charAt(at))) {
    const mark = source.charAt(at)
    let value = ''
    for (at++; at < end && source.charAt(at) !== mark; at++) {
      if (source.charAt(at) === '\\') at++
      value += source.charAt(at)
    }
    words.push(wordOf(value))
    at++
    at = behindSeparators(source, at, end)
  }
  return words
}

/** Skips what separates the words of a list, or of a command that is built word by word: `.arg("-r").arg("a")`. */
function behindSeparators(source: string, from: number, end: number): number {
  let at = from
  while (at < end) {
    if (source.startsWith('.arg', at)) at += 4 + (source.charAt(at + 4) === 's' ? 1 : 0)
    else if (/[\s,[\](){}]/.test(source.charAt(at))) at++
    else break
  }
  return at
}

/** Returns the rest of a line of code that belongs to a command: up to the closing quote, or a bracket that closes more. */
function lineFrom(source: string, from: number, quote: string | undefined): string {
  const end = Math.min(source.length, from + mentionMax + 1)
  let line = ''
  let depth = 0
  let inside: string | undefined
  for (let at = from; at < end; at++) {
    const char = source.charAt(at)
    if (char === '\\' && at + 1 < end) {
      const next = source.charAt(++at)
      if (next === 'n' || next === 'r') break
      line += quote !== undefined && quotes.includes(next) ? next : next === '\n' ? ' ' : char + next
      continue
    }
    if (char === '\n' || char === quote) break
    if (quote === undefined) {
      if (inside === undefined && quotes.includes(char)) inside = char
      else if (char === inside) inside = undefined
      else if (inside === undefined && '([{'.includes(char)) depth++
      else if (inside === undefined && ')]}'.includes(char) && --depth < 0) break
      else if (inside === undefined && char === '<' && source.charAt(at + 1) === '/') break
    }
    line += char
  }
  return line
}

/** Collects the values of a build file's own variables: `BUILD = out`. */
function settingsIn(source: string): ReadonlyMap<string, string> {
  return new Map(
    [...source.matchAll(/^[ \t]*([A-Za-z_]\w*)[ \t]*[:?+]?=[ \t]*(.*)$/gm)].map(([, name = '', value = '']) => [
      name,
      value.trim(),
    ]),
  )
}

/** Replaces a build file's variables with their values. An unknown one is taken for a plain name. */
const filledIn = (line: string, settings: ReadonlyMap<string, string>): string =>
  line.replaceAll(/\$[({](\w+)[)}]|\{\{\s*([\w.]+)\s*\}\}|\$[@<^*?%](?!\w)/g, (_, one?: string, other?: string) => {
    const name = one ?? other ?? ''
    return settings.get(name) ?? (name === 'HOME' ? '$HOME' : '_')
  })
