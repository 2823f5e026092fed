import { limits } from '../../model/limits.ts'
import { type ShellCommand, type ShellFacts, type ShellWord, unknownPart } from '../../model/shell.ts'
import { anyText, commandGlob, type ConditionGlob, literal, type Meets, meeting } from './glob.ts'

/**
 * Returns whether a permission rule's pattern, such as `git push *`, fits a command that a shell text would run,
 * however wrapped.
 *
 * INVARIANT: a command that cannot be ruled out fits: the hook then runs and decides for itself.
 *
 * @param facts what the text would run; `undefined` if that could not be determined
 */
export function commandMeets(pattern: string, text: string, facts: ShellFacts | undefined): boolean {
  if (facts === undefined || facts.uncertain.length > 0 || text.length > limits.conditionSubjectCharactersMax)
    return true
  const meets = meeting(commandGlob(pattern))
  if (meets(literal(onOneLine(text)))) return true
  return facts.commands.some((command) => runsUnknown(command) || simpleMeets(meets, command, text))
}

/** Certainty that a pattern fits: `possible` where a match can only not be ruled out. */
export type Fit = 'certain' | 'possible'

/** Returns how well a permission rule's pattern fits one command of a text; `undefined` if it does not. */
export function commandFit(pattern: string, command: ShellCommand, text: string): Fit | undefined {
  const glob = commandGlob(pattern)
  const own = onOneLine(text.slice(command.place.start, command.place.end))
  const certainly = meeting(glob, false)
  if (certainly(literal(own)) || (command.written !== undefined && fits(certainly, literalWords(command)))) {
    return 'certain'
  }
  return runsUnknown(command) || simpleMeets(meeting(glob), command, text) ? 'possible' : undefined
}

/** Returns a command's words as text. An unknown part stays its placeholder, which only `*` in a pattern covers. */
const literalWords = ({ written, args }: ShellCommand): readonly ConditionGlob[] =>
  [written, ...args].map((word) => literal(word?.value ?? ''))

/**
 * Returns whether a command runs code that static analysis cannot see: `$X`, `bash -c "$Y"`, `. $FILE`, `bash < file`.
 */
function runsUnknown({ uncertain, paths, program, redirections, stdin }: ShellCommand): boolean {
  const scripts = paths.filter(({ access }) => access === 'execute')
  const isFed = redirections.some(({ operator, descriptor }) => operator === '<' && descriptor === 0)
  return (
    uncertain.length > 0 ||
    scripts.some(({ unresolved }) => unresolved === true) ||
    (isFed && stdin === undefined && scripts.length === 0 && shells.has(program))
  )
}
const shells: ReadonlySet<string> = new Set('sh bash rbash dash zsh ksh mksh ash fish csh tcsh . source'.split(' '))

function simpleMeets(meets: Meets, { written, args, assignments, place }: ShellCommand, text: string): boolean {
  // The command as written, for patterns that hold quotes or assignments themselves.
  if (meets(literal(onOneLine(text.slice(place.start, place.end))))) return true
  if (written === undefined) return false
  const words = [programGlob(written), ...args.map(globOf)]
  const before = assignments.map(({ name, value }) => [...literal(`${name}=`), ...globOf(value)])
  return (
    fits(meets, words) || (before.length > 0 && meets(joined([...before, ...words]))) || behindUnknown(meets, words)
  )
}

/** Tries the command as it is, and with its program's base name: `/bin/rm` is `rm`. */
function fits(meets: Meets, words: readonly ConditionGlob[]): boolean {
  const [program = [], ...args] = words
  const slash = program.lastIndexOf(0x2f)
  return meets(joined(words)) || (slash >= 0 && meets(joined([program.slice(slash + 1), ...args])))
}

/** Tries the words after an unknown word, which may be the one that makes a program run them: `docker $ACTION rm x`. */
function behindUnknown(meets: Meets, words: readonly ConditionGlob[]): boolean {
  return words.some((word, index) => {
    const next = words[index + 1]
    return isUnknown(word) && next?.includes(anyText) === false && fits(meets, words.slice(index + 1))
  })
}

/** Shells disagree on which braces expand to several words, as in `{},git} push`. */
const programGlob = (word: ShellWord): ConditionGlob => (/\{.*,.*\}/s.test(word.value) ? [anyText] : globOf(word))

/**
 * Returns a word's known characters, with any text for its unknown parts and for a pattern that expands to file names.
 */
function globOf({ value, pattern, several }: ShellWord): ConditionGlob {
  if (pattern !== undefined || several === true) return [anyText]
  // Not every `find` puts `./` before a name that it passes on.
  const named = value.startsWith(`./${unknownPart}`) ? value.slice('./'.length) : value
  const [first = '', ...others] = named.split(unknownPart)
  return [...literal(first), ...others.flatMap((part) => [anyText].concat(literal(part)))]
}

const isUnknown = (word: ConditionGlob | undefined) => word?.length === 1 && word[0] === anyText

/** Joins words with one blank; with none beside a fully unknown word, which may be several words, or none. */
function joined(words: readonly ConditionGlob[]): ConditionGlob {
  return words.flatMap((word, index) =>
    index === 0 || isUnknown(word) || isUnknown(words[index - 1]) ? word : [0x20, ...word],
  )
}

const onOneLine = (text: string) => text.trim().replaceAll(/\s+/g, ' ')
