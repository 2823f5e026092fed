import { limits } from '../../model/limits.ts'
import { type ShellCommand, type ShellFacts, type ShellLine, type ShellWord, unknownPart } from '../../model/shell.ts'
import {
  anyText,
  commandGlob,
  type ConditionGlob,
  literal,
  meeting,
  type Meets,
  type StepBudget,
  stepBudget,
} from './glob.ts'

/**
 * Returns whether a permission rule's pattern, such as `git push *`, fits a command that a shell text would run,
 * however wrapped.
 *
 * INVARIANT: a command that cannot be ruled out fits: the hook then runs and decides for itself.
 *
 * @param facts what the text would run; `undefined` if that could not be determined
 */
export function commandMeets(
  pattern: string,
  text: string,
  facts: ShellFacts | undefined,
  budget: StepBudget = stepBudget(),
): boolean {
  if (facts === undefined || facts.uncertain.length > 0 || text.length > limits.conditionSubjectCharactersMax)
    return true
  const meets = meeting(commandGlob(pattern), true, budget)
  if (meets(onOneLine(text))) return true
  return facts.commands.some(
    (command) =>
      runsUnknown(command) ||
      mayMatchSimple(meets, textsOf(command, text), budget) ||
      fitInOrders(commandGlob(pattern), command, budget) !== undefined,
  )
}

/** Certainty that a pattern fits: `possible` where a match can only not be ruled out. */
export type Fit = 'certain' | 'possible'

/** Returns how well a permission rule's pattern fits one command of a text; `undefined` if it does not. */
export function commandFit(
  pattern: string,
  command: ShellCommand,
  text: string,
  budget: StepBudget = stepBudget(),
): Fit | undefined {
  const glob = commandGlob(pattern)
  const texts = textsOf(command, text)
  const certainly = meeting(glob, false, budget)
  const { own, words } = texts
  if ((own !== undefined && certainly(own)) || words.some(certainly)) return 'certain'
  const fit = fitInOrders(glob, command, budget)
  if (fit === 'certain') return fit
  const isPossible = fit === 'possible' || own === undefined || runsUnknown(command)
  return isPossible || mayMatchSimple(meeting(glob, true, budget), texts, budget) ? 'possible' : undefined
}

/** Returns how well a pattern fits a command's words in another order that means the same. */
function fitInOrders(glob: ConditionGlob, command: ShellCommand, budget: StepBudget): Fit | undefined {
  const { written, program } = command
  if (written === undefined || written.unresolved === true) return undefined
  const [certainly, maybe] = [meeting(glob, false, budget), meeting(glob, true, budget)]
  // Most patterns are about other programs.
  const names = programNames(written.value, program).filter((name) => maybe([...literal(name), anyText]))
  if (names.length === 0) return undefined
  let fit: Fit | undefined
  for (const { words, isCertain } of ordersOf(command)) {
    const text = words.map(({ value }) => ` ${value}`).join('')
    if (isCertain && names.some((name) => certainly(`${name}${text}`))) return 'certain'
    fit ??= names.some((name) => maybe(joined([literal(name), ...words.map(globOf)]))) ? 'possible' : undefined
    // Beyond the budget a match is assumed.
    if (budget.left < 0) return 'possible'
  }
  return fit
}

const ordersKnown = new WeakMap<ShellCommand, readonly WordOrder[]>()

function ordersOf(command: ShellCommand): readonly WordOrder[] {
  const orders = ordersKnown.get(command) ?? wordOrders(command)
  ordersKnown.set(command, orders)
  return orders
}

/** The ways to write a command that a pattern may be about. */
interface CommandTexts {
  /** As it stands in the text, for patterns that hold quotes or assignments themselves; `undefined` if it is too long. */
  readonly own: string | undefined
  /** Its words as one text. An unknown part stays its placeholder, which only `*` in a pattern covers. */
  readonly words: readonly string[]
  /** The same with any text for what is unknown, also behind the assignments. */
  readonly globs: readonly ConditionGlob[]
  /** The words, if one that is unknown may be what makes a program run those behind it: `docker $ACTION rm x`. */
  readonly behindUnknown: readonly ConditionGlob[]
}

/** Each of many patterns is matched with each command. */
const textsKnown = new WeakMap<ShellCommand, CommandTexts>()

function textsOf(command: ShellCommand, text: string): CommandTexts {
  const known = textsKnown.get(command)
  if (known !== undefined) return known
  const { written, args, assignments, place } = command
  const own = ownText(text, place)
  const texts = written === undefined ? { own, words: [], globs: [], behindUnknown: [] } : spelled(own, written)
  textsKnown.set(command, texts)
  return texts

  function spelled(ownLine: string | undefined, program: ShellWord): CommandTexts {
    const values = args.map(({ value }) => value)
    const globs = [programGlob(program), ...args.map(globOf)]
    const before = assignments.map(({ name, value }) => literal(`${name}=`).concat(globOf(value)))
    return {
      own: ownLine,
      words: programNames(program.value, command.program).map((name) => [name, ...values].join(' ')),
      globs: [...withBaseName(globs), ...(before.length > 0 ? [joined([...before, ...globs])] : [])],
      behindUnknown: globs.some(isUnknown) ? globs : [],
    }
  }
}

/** Returns the program as written, its base name, and its name without `.exe`: `/bin/rm` is `rm`. */
const programNames = (written: string, program: string): readonly string[] => [
  ...new Set([written, written.slice(written.lastIndexOf('/') + 1), ...(program === '' ? [] : [program])]),
]

/** Commands that a program starts stand at one place, of which each would be a long text. */
let lastOwn = { text: '', start: 0, end: 0, own: '' }

function ownText(text: string, { start, end }: ShellCommand['place']): string | undefined {
  if (end - start > limits.conditionSubjectCharactersMax) return undefined
  if (lastOwn.text !== text || lastOwn.start !== start || lastOwn.end !== end)
    lastOwn = { text, start, end, own: onOneLine(text.slice(start, end)) }
  return lastOwn.own
}

/**
 * Returns whether a command runs code that static analysis cannot see: `$X`, `bash -c "$Y"`, `. $FILE`, `bash < file`.
 * Statements of a database are no such code.
 */
function runsUnknown({ uncertain, paths, fed }: ShellCommand): boolean {
  const scripts = paths.filter(({ access }) => access === 'execute')
  return (
    uncertain.length > 0 ||
    scripts.some(({ unresolved }) => unresolved === true) ||
    (fed !== undefined && fed !== 'sql' && scripts.length === 0)
  )
}

function mayMatchSimple(meets: Meets, { own, globs, behindUnknown }: CommandTexts, budget: StepBudget): boolean {
  if (own === undefined || meets(own) || globs.some(meets)) return true
  return behindUnknown.some((word, index) => {
    if (!isUnknown(word) || behindUnknown[index + 1]?.includes(anyText) !== false) return false
    budget.left -= behindUnknown.length
    return budget.left < 0 || withBaseName(behindUnknown.slice(index + 1)).some(meets)
  })
}

/** Returns the words as one text, as they are and with the program's base name. */
function withBaseName(words: readonly ConditionGlob[]): readonly ConditionGlob[] {
  const [program = [], ...args] = words
  const slash = program.lastIndexOf(0x2f)
  return slash < 0 ? [joined(words)] : [joined(words), joined([program.slice(slash + 1), ...args])]
}

/** Returns true if a shell may make several words of a text. Shells disagree on which braces they expand: `{},git} push`. */
export function mayExpandBraces(text: string): boolean {
  const open = text.indexOf('{')
  return open !== -1 && /[,.]/.test(text.slice(open, text.lastIndexOf('}') + 1 || open))
}

const programGlob = (word: ShellWord): ConditionGlob => (mayExpandBraces(word.value) ? [anyText] : globOf(word))

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

/** A command's words behind its program, in another order that means the same. */
interface WordOrder {
  readonly words: readonly ShellWord[]
  /** Whether it is known which words are options and which are their values. */
  readonly isCertain: boolean
}

/**
 * Returns a command's words in the orders in which a rule may name them: without the options before the subcommand,
 * with the options behind the operands, and with each option directly behind the subcommand.
 *
 * `Bash(kubectl delete pod *)` is also about `kubectl -n prod delete pod x` and `kubectl delete -n prod pod x`, and
 * `Bash(git push --force *)` about `git push origin --force`.
 */
function wordOrders({ args, line }: ShellCommand): readonly WordOrder[] {
  const words = (line?.words ?? args).map(shortened)
  if (line?.words === undefined && !words.some(isOption)) return []
  const values = valuesIn(line)
  const known = line === undefined ? [] : knownOrders(words, line, values)
  // Of a subcommand that was found by a row of its own, nothing before it has to be guessed.
  const isGuessed = line?.subcommand === undefined || line.isGeneral === true
  const guessed = isGuessed ? guessedOrders(words, values) : []
  const isCertain = line?.uncertain !== true
  return [
    ...known.map((order) => ({ words: order, isCertain })),
    ...guessed.map((order) => ({ words: order, isCertain: false })),
  ]
}

/** Returns the indices of words that are values of options. */
const valuesIn = ({ globals = [], options }: Pick<ShellLine, 'globals' | 'options'> = { options: [] }) =>
  new Set([...globals, ...options].flatMap(([, at, offset]) => (offset === undefined ? (at ?? []) : [])))

/** A long word is no subcommand: it stands for any text, since each order would hold it once more. */
const shortened = (word: ShellWord): ShellWord => (word.value.length > longWordMin ? anyWords : word)
const longWordMin = 256
const anyWords: ShellWord = { value: unknownPart, unresolved: true, several: true }

/** `cargo +nightly` chooses a toolchain. */
const isOption = ({ value }: ShellWord, index: number): boolean =>
  /^-./.test(value) || (index === 0 && /^\+./.test(value))

type Words = readonly ShellWord[]

function knownOrders(
  words: Words,
  { subcommand, start, operands }: ShellLine,
  values: ReadonlySet<number>,
): readonly Words[] {
  const named: Words = subcommand === undefined ? [] : subcommand.split(' ').map((value) => ({ value }))
  const isOperand = new Set(operands.filter((at) => !isOption(words[at] ?? none, at)))
  const groups: ShellWord[][] = []
  const behind: ShellWord[] = []
  for (const [at, word] of words.entries()) {
    if (at < start) continue
    if (isOperand.has(at)) behind.push(word)
    else if (values.has(at) && groups.length > 0) groups.at(-1)?.push(word)
    else groups.push([word])
  }
  const first = words.findIndex((_, at) => at >= start && isOperand.has(at))
  const places = Array.from({ length: Math.min(behind.length, subcommandWordsMax) + 1 }, (_, place) => place)
  const orders = [
    [...named, ...words.slice(subcommand === undefined && first >= 0 ? first : start)],
    [...named, ...behind, ...groups.flat()],
  ]
  if (groups.length > limits.movedOptionsMax) return [...orders, [...named, anyWords]]
  const moved = groups.flatMap((group) =>
    places.map((place) => {
      const others = groups.filter((one) => one !== group).flat()
      return named.concat(behind.slice(0, place), group, others, behind.slice(place))
    }),
  )
  return [...orders, ...moved]
}
const none: ShellWord = { value: '' }
/** Words of the longest subcommand of a program whose subcommands have no rows: `gcloud compute instances delete`. */
const subcommandWordsMax = 3

/**
 * Returns the orders that are possible where nobody knows which options have values: from each word on that may be the
 * first operand, and without any option, once as if none had a value and once as if all had.
 */
function guessedOrders(words: Words, values: ReadonlySet<number>): readonly Words[] {
  const orders: Words[] = []
  let mayBeValue = false
  for (const [at, word] of words.entries()) {
    if (isOption(word, at)) mayBeValue = takesNext(word)
    else if (values.has(at)) mayBeValue = false
    else {
      if (at > 0) orders.push(words.slice(at))
      if (orders.length > limits.movedOptionsMax) return [[anyWords]]
      if (!mayBeValue) break
      mayBeValue = false
    }
  }
  const follows = (at: number) => at > 0 && takesNext(words[at - 1] ?? none)
  const plain = [...words.entries()].filter(([at, word]) => !isOption(word, at) && !values.has(at))
  return [...orders, plain.map(([, word]) => word), plain.filter(([at]) => !follows(at)).map(([, word]) => word)]
}

const takesNext = ({ value }: ShellWord): boolean => /^-[^=]+$/.test(value)
