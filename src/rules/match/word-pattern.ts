import type { CommandPattern, Exception, PathPattern, WordPattern } from '../../model/exception.ts'
import { type Refusal, refused } from '../../model/errors.ts'
import { quoted } from '../../model/text.ts'
import type { Rule } from '../../model/rule.ts'
import { isLike } from '../../words/paths.ts'

/**
 * Parses the command of an exception: words with a shell's quotes, in which `*` is one word or a part of one, and a
 * final `**` all further words. A quoted `*` is the character itself.
 */
export function parseCommandPattern(text: string, home: string): CommandPattern | Refusal {
  const read = wordsIn(text, home)
  if ('kind' in read) return read
  const [program, ...others] = read
  if (program === undefined) return refused('it names no command', 'write its words: `git push --force origin main`')
  if (hasStar(program)) {
    return refused(`${quoted(text)} is too wide: it names no program`, 'begin with the program: `git push **`')
  }
  if (/^[A-Za-z_]\w*\+?=/.test(program.source)) {
    const message = `${quoted(text)} never matches: no exception covers a command with variables set before it`
    return refused(message, 'write the command without them')
  }
  const isOpen = others.at(-1)?.source === '**'
  const words = [program, ...(isOpen ? others.slice(0, -1) : others)]
  const doubled = words.find(({ doubleStar }) => doubleStar)
  if (doubled !== undefined) {
    return refused(`\`**\` must be the last word, and a word of its own, in ${quoted(text)}`, 'write `*` for one word')
  }
  return { kind: 'command', text, words: words.map(patternOf), open: isOpen }
}

/** A word as read: the literal texts between its stars. */
interface PatternWord {
  readonly parts: string[]
  /** As written. */
  source: string
  doubleStar: boolean
}

const hasStar = ({ parts }: PatternWord) => parts.length > 1

function patternOf({ parts }: PatternWord): WordPattern {
  return parts.length === 2 && parts.every((part) => part === '') ? { kind: 'any' } : { kind: 'parts', parts }
}

/** A token of the pattern: blanks, `'…'`, `"…"`, an escaped character, a star, or any other character. */
const token = /\s+|'[^']*'|"(?:\\[^]|[^"\\])*"|\\[^]|\*+|[^]/gy

function wordsIn(text: string, home: string): readonly PatternWord[] | Refusal {
  const words: PatternWord[] = []
  let word: PatternWord | undefined
  for (const [part] of text.matchAll(token)) {
    if (/^\s/.test(part)) {
      word = undefined
      continue
    }
    if (word === undefined) words.push((word = { parts: [''], source: '', doubleStar: false }))
    if (part.startsWith('*')) {
      word.parts.push('')
      word.doubleStar ||= part.length > 1
    } else {
      const literal = literalOf(part, text)
      if (typeof literal !== 'string') return literal
      word.parts.push((word.parts.pop() ?? '') + literal)
    }
    word.source += part
  }
  for (const { source, parts } of words) {
    if (/^~(?:\/|$)/.test(source)) parts[0] = home + (parts[0] ?? '').slice(1)
  }
  return words
}

function literalOf(part: string, text: string): string | Refusal {
  if (part === "'" || part === '"' || part === '\\') {
    return refused(
      `${quoted(text)} has ${part === '\\' ? 'nothing after its last' : 'an unclosed'} ${part}`,
      'close it',
    )
  }
  if (part.startsWith("'")) return part.slice(1, -1)
  if (part.startsWith('\\')) return part.slice(1)
  const isQuoted = part.startsWith('"')
  const inner = isQuoted ? part.slice(1, -1) : part
  if (/[$`]/.test(isQuoted ? inner.replaceAll(/\\[^]/g, '') : inner)) {
    return refused(`nothing is expanded in ${quoted(text)}`, "write the value itself, or put the `$` in '…'")
  }
  if (!isQuoted && /[|&;<>()]/.test(inner)) {
    const remedy = "write one exception for each command; put the character in '…' if it is part of a word"
    return refused(`${quoted(text)} is not one command`, remedy)
  }
  return isQuoted ? inner.replaceAll(/\\([\\"$`])/g, '$1') : inner
}

/** Formats words as the pattern that matches exactly them. */
export function commandPatternText(words: readonly string[]): string {
  return words
    .map((word, index) =>
      /^[\w@%+:,./=-]+$/.test(word) && !(index === 0 && word.includes('='))
        ? word
        : `'${word.replaceAll("'", "'\\''")}'`,
    )
    .join(' ')
}

/** Returns whether the words of a command, all of them known, match a pattern. */
export function matchesWords({ words, open }: CommandPattern, actual: readonly string[]): boolean {
  if (open ? actual.length < words.length : actual.length !== words.length) return false
  return words.every((word, index) => matchesWord(word, actual[index] ?? ''))
}

function matchesWord(pattern: WordPattern, word: string): boolean {
  switch (pattern.kind) {
    case 'any':
      return word !== '' && !word.startsWith('-')
    case 'parts': {
      const { parts } = pattern
      if (parts.length === 1) return word === parts[0]
      // A star adds no option and no step out of a folder.
      const becomesOption = parts[0] === '' && word.startsWith('-')
      return !becomesOption && stepsOut(word) === stepsOut(parts.join('x')) && matchesParts(parts, word, plainText)
    }
  }
}

/** A part of a name: no `:`, which would add a refspec, nor anything that other programs read as syntax. */
const plainText = /^[\p{L}\p{N}_.@/-]+$/u

const stepsOut = (word: string) => word.split('/').filter((step) => step === '..').length

/**
 * Returns whether a text consists of literal parts with filling text between each two of them.
 *
 * Each part is taken where it first occurs: if that leaves a filling that does not fit, every later place leaves a
 * longer one, with the same characters in it.
 */
function matchesParts([first = '', ...others]: readonly string[], text: string, filling: RegExp): boolean {
  const last = others.pop()
  if (last === undefined) return text === first
  if (!text.startsWith(first)) return false
  let at = first.length
  for (const part of others) {
    const next = text.indexOf(part, at + 1)
    if (next < 0 || !filling.test(text.slice(at, next))) return false
    at = next + part.length
  }
  return (
    text.length - last.length >= at && text.endsWith(last) && filling.test(text.slice(at, text.length - last.length))
  )
}

/** Returns a rule's id without its source: `git-safety/force-push`. */
export function shortRuleId({ id, source }: Pick<Rule, 'id' | 'source'>): string {
  return id.startsWith(source.id) && /^[/#]/.test(id.slice(source.id.length)) ? id.slice(source.id.length + 1) : id
}

/** Returns whether a pattern such as `secrets/*` names a rule, by its id with or without its source. */
export function namesRule(pattern: string, rule: Pick<Rule, 'id' | 'source'>): boolean {
  return isLike(shortRuleId(rule), pattern) || isLike(rule.id, pattern)
}
/** Returns whether a pattern may name a rule of which only the id is known: its source may end at any `/` or `#` of it. */
export function mayNameRule(pattern: string, id: string): boolean {
  const starts = [0, ...[...id.matchAll(/[/#]/g)].map(({ index }) => index + 1)]
  return starts.some((start) => isLike(id.slice(start), pattern))
}

/** A refusal, and the key that it is about; `undefined` for the whole exception. */
type SubjectRefusal = Refusal & { readonly key: 'command' | 'path' | undefined }

/** Parses what an exception is about. */
export function subjectOf(
  {
    rule,
    command,
    path,
  }: { readonly rule: string; readonly command?: string | undefined; readonly path?: string | undefined },
  home: string,
): Exception['subject'] | SubjectRefusal {
  if (command === undefined && path === undefined) {
    const remedy = 'add a `command` or a `path`; to switch a rule off, `disable` it in its pack'
    return { ...refused('the exception names neither a `command` nor a `path`', remedy), key: undefined }
  }
  if (command !== undefined && path !== undefined) {
    return { ...refused('the exception names both a `command` and a `path`', 'make two of it'), key: 'path' }
  }
  if (command !== undefined) {
    const parsed = parseCommandPattern(command, home)
    if ('message' in parsed) return { ...parsed, key: 'command' }
    return parsed.open && /^\**$/.test(rule)
      ? {
          ...refused(`it excepts every rule for ${quoted(command)}: that is too wide`, 'name the rule'),
          key: 'command',
        }
      : parsed
  }
  const parsed = pathPattern(path ?? '', home)
  return 'message' in parsed ? { ...parsed, key: 'path' } : parsed
}

/** Parses the `path` of an exception: a glob of `.gitignore`, from the project's root, from `/` or from `~`. */
function pathPattern(text: string, home: string): PathPattern | Refusal {
  if (/[[\]{}?\\!]/.test(text)) {
    return refused(`${quoted(text)} may except more than it says: only \`*\` and \`**\` are exact`, 'write several')
  }
  if (text.split('/').includes('..')) return refused(`${quoted(text)} leads out with \`..\``, 'write where it leads')
  if (/^[~/.*]*$/.test(text)) {
    return refused(`${quoted(text)} is too wide: it names no file or folder`, 'name one: `fixtures/**`')
  }
  const absolute = text.startsWith('~/') ? home + text.slice(1) : text
  return { kind: 'path', text, glob: absolute.startsWith('/') ? `/${absolute}` : absolute }
}
