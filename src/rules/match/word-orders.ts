import { limits } from '../../model/limits.ts'
import { type ShellCommand, type ShellLine, type ShellWord, unknownPart } from '../../model/shell.ts'

/** A command's words behind its program, in another order that means the same. */
export interface WordOrder {
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
export function wordOrders({ args, line }: ShellCommand): readonly WordOrder[] {
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
