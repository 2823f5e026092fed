import { limits } from '../../model/limits.ts'
import { type Refusal, refused } from '../../model/errors.ts'
import { quoted, withoutEnd } from '../../model/text.ts'
import { knownToolNames, toolKind, toolNameFor, toolTable } from '../../agents/tool-names.ts'
import type { AgentName, ToolKind } from '../../model/event.ts'
import { didYouMean } from '../../words/suggest.ts'

/** Compiles a regular expression, and refuses one that is malformed or could take too long to match. */
export function compiledPattern(text: string, flags = ''): RegExp | Refusal {
  const why = malformed(text, flags)
  if (why !== undefined) return refused(`the matcher is not a regular expression: ${quoted(why)}`, undefined)
  if (waysOf(text, limits.matcherSubjectCharactersMax) > matcherWaysMax) {
    return refused(
      `the matcher ${quoted(text)} could take very long to match`,
      'use fewer repetitions, and do not nest them',
    )
  }
  return new RegExp(text, flags)
}
/** Ways in which a regular expression may split the longest subject: four times `.*.*.*`, under a second. */
const matcherWaysMax = 1e7

/** Says why a text is no regular expression; `undefined` if it is one. */
export function malformed(text: string, flags = ''): string | undefined {
  try {
    void new RegExp(text, flags)
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message.replace(/^Invalid regular expression: /, '') : String(error)
  }
}

/** Estimates as `waysToMatch` does, but without a trailing `.*`: before it, the pattern has already matched. */
export function waysOf(text: string, length: number): number {
  let end = text.length
  while (text.endsWith('.*', end)) end -= '.*'.length
  return waysToMatch(text.slice(0, end), length)
}

/**
 * Estimates the worst-case time of a backtracking regular expression on a subject of `length` characters.
 *
 * The result is the number of ways to divide the subject among the parts of the pattern. Adjacent repetitions multiply,
 * and a repetition of something that can itself match in several ways (`(a+)+`, `(a|b)*`) counts as unbounded.
 *
 * INVARIANT: `pattern` compiles, so brackets are closed and every quantifier has an operand.
 */
export function waysToMatch(pattern: string, length: number): number {
  return waysOfAlternatives({ pattern, at: 0, length })
}

interface Scan {
  readonly pattern: string
  readonly length: number
  at: number
}

function waysOfAlternatives(scan: Scan): number {
  let ways = 0
  let branch = 1
  while (scan.at < scan.pattern.length && scan.pattern[scan.at] !== ')') {
    if (scan.pattern[scan.at] === '|') {
      scan.at++
      ways += branch
      branch = 1
    } else {
      const once = waysOfAtom(scan)
      branch *= waysOfRepeated(once, readQuantifier(scan), scan.length)
      // A quantifier that was not recognised may be any: `{` and a digit are one, or a brace that should be escaped.
      if (/^\{\d/.test(scan.pattern.slice(scan.at, scan.at + 2))) return Infinity
    }
  }
  return ways + branch
}

/** Reads one character, class or group, and returns the ways in which it can match. */
function waysOfAtom(scan: Scan): number {
  const { pattern } = scan
  const character = pattern[scan.at]
  if (character === '(') {
    scan.at += /^\((?:\?(?:[=!]|<[=!]|<[^>]*>|[a-z-]*:))?/.exec(pattern.slice(scan.at))?.[0].length ?? 1
    const ways = waysOfAlternatives(scan)
    scan.at++
    return ways
  }
  if (character === '[') {
    for (scan.at++; scan.at < pattern.length && pattern[scan.at] !== ']'; scan.at++) {
      if (pattern[scan.at] === '\\') scan.at++
    }
    scan.at++
  } else scan.at += character === '\\' ? 2 : 1
  return 1
}

const repetition = /(?:([*+?])|\{(\d+)(?=[,}])(,?)(\d*)\})\??/y

interface Repetition {
  readonly min: number
  readonly max: number
}

function readQuantifier(scan: Scan): Repetition {
  // Digits may be of any number: `{0…01,}` with fifty zeros repeats as `+` does.
  repetition.lastIndex = scan.at
  const [text = '', sign, min, comma, max] = repetition.exec(scan.pattern) ?? []
  scan.at += text.length
  if (sign === '*') return { min: 0, max: Infinity }
  if (sign === '+') return { min: 1, max: Infinity }
  if (sign === '?') return { min: 0, max: 1 }
  if (min === undefined) return { min: 1, max: 1 }
  if (comma === '') return { min: Number(min), max: Number(min) }
  return { min: Number(min), max: max === '' ? Infinity : Number(max) }
}

function waysOfRepeated(ways: number, { min, max }: Repetition, length: number): number {
  const counts = Math.max(1, Math.min(max, length) - min + 1)
  if (ways <= 1) return counts
  return max === Infinity ? Infinity : ways ** max * counts
}

/** The agent that a matcher was written for. */
export interface WrittenFor {
  readonly agent: AgentName
  /** Whether its file is hookgate's own, where the names of every agent and of every kind of tool may be meant. */
  readonly isForAll: boolean
}

/** Something that is wrong with one alternative of a matcher. */
export type OddAlternative = Omit<Refusal, 'kind'> & {
  readonly text: string
  /** Whether no tool can match it. Otherwise an agent may have a tool of that name that hookgate does not know. */
  readonly isDead: boolean
}

const odd = (text: string, isDead: boolean, { message, remedy }: Refusal): OddAlternative => ({
  text,
  isDead,
  message,
  remedy,
})

/** Returns what is wrong with one name of a list of names; `undefined` if a tool may have it. */
export function oddName(name: string, writtenFor: WrittenFor): OddAlternative | undefined {
  if (knownToolNames.has(name)) return undefined
  if (name.startsWith('mcp__')) {
    if (/^mcp__.+?__./s.test(name)) return undefined
    const remedy = `write \`${withoutEnd(name, '_')}__.*\``
    return odd(name, true, refused(`${quoted(name)} is a server, not a tool`, remedy))
  }
  const meant = miscased(name, writtenFor)
  if (meant !== undefined)
    return odd(name, true, refused(`there is no tool ${quoted(name)}`, meant === '' ? undefined : `write \`${meant}\``))
  if (/\s/.test(name) || takesSubcommand.has(name))
    return odd(name, /\s/.test(name), refused(`no tool is called ${quoted(name)}`, remedyFor(name, writtenFor)))
  const near = didYouMean(name, writtenFor.isForAll ? knownToolNames : namesOf(writtenFor.agent))
  return near === undefined ? undefined : odd(name, false, refused(`there is no known tool ${quoted(name)}`, near))
}

const namesOf = (agent: AgentName): readonly string[] => toolTable.flatMap(({ names }) => names[agent] ?? [])

/**
 * Returns the tool of its own agent, or of any, that a name differs from only in case; `''` if its agent has no such
 * tool.
 */
export function miscased(name: string, writtenFor?: WrittenFor): string | undefined {
  if (knownToolNames.has(name)) return undefined
  const same = [...knownToolNames].filter((known) => known.toLowerCase() === name.toLowerCase())
  const [first] = same
  if (first === undefined) return undefined
  const own = writtenFor && same.find((known) => toolKind(writtenFor.agent, known) !== 'other')
  if (own !== undefined || writtenFor === undefined || writtenFor.isForAll)
    return own ?? same.find((known) => /^[A-Z]/.test(known)) ?? first
  const row = toolTable.find(({ tool, names }) => tool === first || Object.values(names).flat().includes(first))
  return (row && toolNameFor(writtenFor.agent, row)) ?? ''
}

/** Returns what is wrong with the alternatives of a regular expression. */
export function oddAlternatives(source: string, writtenFor: WrittenFor): readonly OddAlternative[] {
  if (waysOf(source, longestToolName) > checkedMatcherWaysMax) return []
  const alternatives = alternativesOf(source)
  if (alternatives.length > limits.checkedAlternativesMax) return []
  const found = alternatives.flatMap((text) => oddAlternative(text, writtenFor) ?? [])
  const isDead = found.length === alternatives.length && found.every((one) => one.isDead)
  if (isDead && found.length > 1)
    return [odd(source, true, refused(`no tool has a name like ${quoted(source)}`, remedyFor(source, writtenFor)))]
  if (found.length > 0 || alternatives.some((text) => matchesKnown(text) || mayBeMcp(text))) return found
  return [odd(source, false, refused(`no known tool matches ${quoted(source)}`, remedyFor(source, writtenFor)))]
}
/** `matcherWaysMax` at load, where a regular expression is tried on every known tool name to detect odd ones. */
const checkedMatcherWaysMax = 1000
const longestToolName = Math.max(...[...knownToolNames].map((name) => name.length))

function oddAlternative(text: string, writtenFor: WrittenFor): OddAlternative | undefined {
  if (matchesKnown(text)) return undefined
  const name = text.replace(/^\^/, '').replace(/\$$/, '')
  // Behind an anchor, `mcp__memory` is a whole name.
  if (/^[\w-]+$/.test(name)) {
    const found = name.startsWith('mcp__') && !text.endsWith('$') ? undefined : oddName(name, writtenFor)
    return found && { ...found, text }
  }
  if (!demandsWhatNoNameHas(text)) return undefined
  return odd(text, true, refused(`no tool has a name like ${quoted(text)}`, remedyFor(text, writtenFor)))
}

function matchesKnown(text: string): boolean {
  try {
    const pattern = new RegExp(text)
    return [...knownToolNames].some((name) => pattern.test(name))
  } catch {
    // A part of an expression that refers to another part.
    return true
  }
}

/** Returns whether a pattern may match tools of MCP servers: by their names' beginning, or of the servers that it names. */
function mayBeMcp(text: string): boolean {
  if (!/mcp/i.test(text) || text.includes('mcp__')) return text.includes('mcp__')
  const pattern = new RegExp(text)
  const words = (text.match(/[A-Za-z]\w*/g) ?? []).slice(0, 8)
  return ['x', ...words].some((word) => [`mcp__${word}__x`, `mcp__x__${word}`].some((name) => pattern.test(name)))
}

/** The parts of a regular expression: an escape, a class, the beginning of a group, or one character. */
const parts = /\\[^]|\[(?:\\[^]|[^\]\\])*(?:\]|$)|\((?:\?(?:[:=!]|<[=!]|<\w+>))?|[^]/g

/** Splits a regular expression at its outermost `|`, also where all of it is one group: `^(Bash|Edit)$`. */
export function alternativesOf(source: string): readonly string[] {
  const [, begin = '', inside, end = ''] = /^(\^?)\((?:\?:)?([^()[\]\\]*)\)(\$?)$/.exec(source) ?? []
  if (inside !== undefined) return inside.split('|').map((one) => `${begin}${one}${end}`)
  const alternatives = ['']
  let depth = 0
  for (const [part] of source.matchAll(parts)) {
    if (part.startsWith('(')) depth += 1
    else if (part === ')') depth -= 1
    if (part === '|' && depth === 0) alternatives.push('')
    else alternatives.push((alternatives.pop() ?? '') + part)
  }
  return alternatives
}

/**
 * Returns whether a text can match a regular expression only if it holds a blank, a quote or another character that no
 * tool's name has, or goes on behind its end. Groups are not looked into.
 */
function demandsWhatNoNameHas(text: string): boolean {
  const inNoName = text.includes('mcp__')
    ? /^\\?["'`=&<>;!]$/
    : /^(?:\\[^\w.-]|\\[sntr]|[^\w.\-*+?{}|^$()[\]\\\u0080-\uffff])$/
  const all = [...text.matchAll(parts)].map(([part]) => part)
  let depth = 0
  let isBehind = false
  return all.some((part, at) => {
    if (part.startsWith('(')) depth += 1
    else if (part === ')') depth -= 1
    if (depth > 0 || part === ')' || /^(?:[*?]|\{0)/.test((all[at + 1] ?? '') + (all[at + 2] ?? ''))) return false
    if (part === '^' && isBehind) return true
    isBehind ||= !/^[\^$*+?{}]|^\\[bB]$/.test(part)
    return inNoName.test(part)
  })
}

/** A longer matcher names no file. */
const namedCharactersMax = 200

/** Returns a matcher without the signs of a regular expression around it: `/^Bash$/i` is `Bash`. */
function withoutSigns(text: string): string {
  const slash = text.lastIndexOf('/')
  const body = slash > 0 && /^[gimsuy]*$/.test(text.slice(slash + 1)) ? text.slice(0, slash) : text
  const end = body.endsWith('$') ? -1 : undefined
  return body.slice(0, end).replace(/^\/?\^?/, '')
}

/** Says what to write in the place of a matcher that no tool matches. */
export function remedyFor(text: string, { agent }: WrittenFor): string {
  const tool = (kind: ToolKind) =>
    toolTable.find((row) => row.tool === kind && row.names[agent])?.names[agent]?.[0] ?? kind
  const server = /mcp[^\w]+([\w-]+)|^mcp_([a-z\d-]+)/i.exec(text)
  if (server !== null) return `write \`mcp__${server[1] ?? server[2] ?? ''}__.*\` for all tools of that server`
  const named = [...new Set(text.match(/[A-Za-z_]+/g))].filter((word) => namesOf(agent).includes(word))
  if (named.length > 0) {
    const rest = named.join('|') === withoutSigns(text) ? '' : '; what its input must be belongs into `if`'
    return `write \`"matcher": "${named.join('|')}"\`${rest}`
  }
  const file = /(?:[\w./-]*\*\*?\/?)?\*?\.\w+$|[\w.-]+\/\S*/.exec(text.slice(0, namedCharactersMax))?.[0]
  if (file !== undefined) {
    return `write \`"matcher": "${tool('edit')}|${tool('write')}"\`, and \`"if": "${tool('edit')}(${file})"\` for the file`
  }
  const [program = '', subcommand] = text.split(/\s+/)
  if (!/^[a-z][\w.-]*$/.test(program)) {
    return "it is matched against the tool's name only, as in `Write|Edit`; use `if` for the tool's input"
  }
  const words = subcommand === undefined || /\W/.test(subcommand) ? program : `${program} ${subcommand}`
  return `write \`"matcher": "${tool('shell')}"\` and \`"if": "${tool('shell')}(${words} *)"\``
}

/** Programs whose first word says what they do. That of any other is a file, a pattern or a host: `rm build *`. */
export const takesSubcommand: ReadonlySet<string> = new Set(
  (
    'apt aws az brew bun bundle cargo composer conda deno docker dotnet flutter gcloud gh git glab go helm kubectl mix ' +
    'npm nx pip pip3 pnpm podman poetry rustup swift systemctl terraform turbo uv yarn'
  ).split(' '),
)
