import { limits } from '../../model/limits.ts'
import { type ShellCommand, type ShellFacts, type ShellWord, unknownPart } from '../../model/shell.ts'
import { anyText, commandGlob, type Glob, literal, type Meets, meeting } from './glob.ts'

/**
 * Whether a permission rule's pattern, such as `git push *`, fits a command that a shell's text would run, however it is
 * wrapped. INVARIANT: what cannot be ruled out fits: the hook then runs and decides for itself.
 *
 * @param facts what the text would run; `undefined` where that could not be determined
 */
export function commandMeets(pattern: string, text: string, facts: ShellFacts | undefined): boolean {
  if (facts === undefined || facts.uncertain.length > 0 || text.length > limits.conditionSubjectCharactersMax)
    return true
  const meets = meeting(commandGlob(pattern))
  if (meets(literal(onOneLine(text)))) return true
  return facts.commands.some((command) => runsUnknown(command) || simpleMeets(meets, command, text))
}

/** Whether a command runs something that only running it would tell: `$X`, `bash -c "$Y"`, `. $FILE`, `bash < file`. */
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
  // As it is written, for patterns that hold quotes or assignments themselves.
  if (meets(literal(onOneLine(text.slice(place.start, place.end))))) return true
  if (written === undefined) return false
  const words = [programGlob(written), ...args.map(globOf)]
  const before = assignments.map(({ name, value }) => [...literal(`${name}=`), ...globOf(value)])
  return (
    fits(meets, words) || (before.length > 0 && meets(joined([...before, ...words]))) || behindUnknown(meets, words)
  )
}

/** The command as it is, or with its program's bare name: `/bin/rm` is `rm`. */
function fits(meets: Meets, words: readonly Glob[]): boolean {
  const [program = [], ...args] = words
  const slash = program.lastIndexOf(0x2f)
  return meets(joined(words)) || (slash >= 0 && meets(joined([program.slice(slash + 1), ...args])))
}

/** `docker $ACTION rm x`: a word that is not known may be the one by which a program runs those behind it. */
function behindUnknown(meets: Meets, words: readonly Glob[]): boolean {
  return words.some((word, index) => {
    const next = words[index + 1]
    return isUnknown(word) && next?.includes(anyText) === false && fits(meets, words.slice(index + 1))
  })
}

/** Shells disagree on which braces make several words of one, as in `{},git} push`. */
const programGlob = (word: ShellWord): Glob => (/\{.*,.*\}/s.test(word.value) ? [anyText] : globOf(word))

/** A word's known characters, and any text for its other parts and for a pattern that names of files are put in for. */
function globOf({ value, pattern, several }: ShellWord): Glob {
  if (pattern !== undefined || several === true) return [anyText]
  // Not every `find` puts `./` before a name that it hands on.
  const named = value.startsWith(`./${unknownPart}`) ? value.slice('./'.length) : value
  const [first = '', ...others] = named.split(unknownPart)
  return [...literal(first), ...others.flatMap((part) => [anyText].concat(literal(part)))]
}

const isUnknown = (word: Glob | undefined) => word?.length === 1 && word[0] === anyText

/** One blank between words; none beside a word of which nothing is known, since it may be several words, or none. */
function joined(words: readonly Glob[]): Glob {
  return words.flatMap((word, index) =>
    index === 0 || isUnknown(word) || isUnknown(words[index - 1]) ? word : [0x20, ...word],
  )
}

const onOneLine = (text: string) => text.trim().replaceAll(/\s+/g, ' ')
