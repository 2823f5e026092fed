import { limits } from '../../model/limits.ts'

/** One simple command of a shell text, with its words expanded as far as the text determines them. */
export interface PlainCommand {
  readonly words: readonly string[]
  /** Whether the words are fully known: they hold no variable, pattern or substitution. */
  readonly isLiteral: boolean
}

/**
 * Splits a shell text into its simple commands, including those within `$( )`.
 *
 * This is deliberately no parser: a text that could be read in more than one way is rejected.
 *
 * @returns `undefined` for a text with anything other than words, quotes, variables, patterns, operators and
 * redirections
 */
function plainCommands(text: string): readonly PlainCommand[] | undefined {
  const commands: PlainCommand[] = []
  let words: string[] = []
  let isLiteral = true
  let word: string | undefined
  const endWord = () => {
    if (word !== undefined) words.push(word)
    word = undefined
  }
  const endCommand = () => {
    endWord()
    if (words.length > 0) commands.push({ words, isLiteral })
    words = []
    isLiteral = true
  }
  for (let at = 0; at < text.length;) {
    const part = partAt(text, at, word === undefined)
    if (part === undefined) return undefined
    at += part.length
    if (part.kind === 'blank') endWord()
    else if (part.kind === 'operator') {
      // The text after a substitution is read as a command of its own; the word around it is not known.
      if (part.length > 1) isLiteral = false
      endCommand()
    } else word = (word ?? '') + part.text
    if (part.kind === 'unknown') isLiteral = false
  }
  endCommand()
  return commands
}

interface ShellPart {
  readonly kind: 'blank' | 'operator' | 'known' | 'unknown'
  readonly length: number
  /** The text that this part contributes to its word. */
  readonly text: string
}

function partAt(text: string, at: number, isFirst: boolean): ShellPart | undefined {
  // A comment may hold a quote, and the parentheses of a function give a name another meaning.
  if (isFirst && text[at] === '#') return undefined
  for (const { form, kind, read } of parts) {
    form.lastIndex = at
    const whole = form.exec(text)?.[0]
    if (whole !== undefined) return kind && { kind, length: whole.length, text: read?.(whole) ?? whole }
  }
  return undefined
}

const unescaped = (text: string) => text.replaceAll(/\\(["\\$`])|\\\n/g, '$1')

/** Tried in this order. A form without a kind makes the whole text unreadable. */
const parts: readonly {
  readonly form: RegExp
  readonly kind: ShellPart['kind'] | undefined
  readonly read?: (whole: string) => string
}[] = [
  { form: /\(\s*\)|<<|\$\(\(|\(\(/y, kind: undefined },
  { form: /[ \t]+/y, kind: 'blank' },
  { form: /\$\(|[<>]\(/y, kind: 'operator' },
  { form: /\d*(?:&>>?|>>|>\||[<>]&|<>|[<>])/y, kind: 'blank' },
  { form: /[\n;&|()]/y, kind: 'operator' },
  { form: /'[^']*'/y, kind: 'known', read: (whole) => whole.slice(1, -1) },
  { form: /"(?:[^"\\$`]|\\[^])*"/y, kind: 'known', read: (whole) => unescaped(whole.slice(1, -1)) },
  { form: /"(?:[^"\\$`]|\\[^]|\$\w|\$\{\w+\})*"/y, kind: 'unknown', read: (whole) => whole.slice(1, -1) },
  { form: /\\\n/y, kind: 'known', read: () => '' },
  { form: /\\[^]/y, kind: 'known', read: (whole) => whole.slice(1) },
  { form: /\$(?:\w+|\{\w+\}|[@*#?$!-])|[*?[{]/y, kind: 'unknown' },
  { form: /[^\s'"\\$`;&|<>()*?[{]+/y, kind: 'known' },
]

/** Programs that, whatever their arguments, neither run another program nor change which program a name refers to. */
const harmless: ReadonlySet<string> = new Set(
  'cat echo exit false grep head jq ls printf tail test tr true wc [ [['.split(' '),
)
const keywords: ReadonlySet<string> = new Set(['if', 'then', 'elif', 'else', 'fi', '!'])
/** An assignment to the script's own variable: variables that programs obey (`PATH`, `BASH_ENV`) are upper-case. */
const ownAssignment = /^[a-z_][a-z0-9_]*=/

/**
 * Returns whether a command runs only harmless programs, so that no file of the workspace is executed.
 *
 * Example: `x=$(cat); [[ $x == *secret* ]] && exit 2`.
 */
export function runsNothing({ words }: PlainCommand): boolean {
  const at = words.findIndex((word) => !ownAssignment.test(word) && !keywords.has(word))
  const program = words[at]
  if (program === undefined) return true
  // `printf -v PATH` sets a variable.
  if (program === 'printf' && !/^[^-$]/.test(words[at + 1] ?? '')) return false
  return harmless.has(program)
}

/**
 * Returns the commands of a shell text, and of every word that may itself be one: `sh -c 'sh guard.sh'`.
 *
 * @returns `undefined` if a program that may run anything has a word that is not known
 */
export function commandsIn(text: string, depth = 0): readonly PlainCommand[] | undefined {
  if (depth > limits.conditionNestingMax) return undefined
  const commands = plainCommands(text)
  if (commands === undefined || commands.every(runsNothing)) return commands
  return commands.every(({ isLiteral }) => isLiteral) ? withInner(commands, text, depth) : undefined
}

/**
 * Adds the commands nested within the words of some commands.
 *
 * @param text the text that the commands were read from
 */
export function withInner(
  commands: readonly PlainCommand[],
  text: string | undefined,
  depth: number,
): readonly PlainCommand[] | undefined {
  const words = commands.flatMap((command) => command.words).filter((word) => word !== text && shellSyntax.test(word))
  const inner = words.map((word) => commandsIn(word, depth + 1))
  return inner.includes(undefined) ? undefined : [...commands, ...inner.flatMap((some) => some ?? [])]
}
const shellSyntax = /[\s;&|<>()$`*?[{\\'"]/
