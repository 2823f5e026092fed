import type { ShellCommand, ShellWord } from '../model/shell.ts'

/** The part of a command that its words are looked for in. */
export type TypedCommand = Pick<ShellCommand, 'args' | 'assignments'> &
  Partial<Pick<ShellCommand, 'exported' | 'line' | 'written'>>

/** Some words of a command as they were typed, and the place of the first. */
interface Typed {
  readonly at: number
  readonly text: string
}

/** How names are written that another command prints. */
export const outputNames = '$(…)'

const methods = /^(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|\?)$/i
/** Other words are code, SQL or prose, and are not said whole. */
const isName = /^[\w./:@=+,~%*[\]-]+$/
/** Longer words are not said either, in UTF-16 units. */
const wordCharactersMax = 60
const bare = (option: string): string => option.replace(/^-+/, '')

/** True for an option that stands in a longer text as well, with its value: `-X` of `-X DELETE`. */
const isRest = (text: string, other: string): boolean =>
  other.startsWith(`${text} `) || (/^-\w$/.test(text) && other.length > 2 && other.startsWith(text))

/**
 * Writes the words by which a command was recognized as the person typed them: an option by the name that was given, a
 * value with its option, and nothing that nobody typed.
 *
 * @param words the program, then words of the command; behind a `…`, words of a longer text
 */
export function typedWords(words: string, command: TypedCommand): string {
  // Behind the `…` of a word that is not known stand options, which are of no longer text.
  const cut = / … -/.test(words) ? -1 : words.lastIndexOf(' … ')
  const [head, tail] = cut === -1 ? [words] : [words.slice(0, cut), words.slice(cut + 3)]
  const [program = '', ...parts] = head.split(' ')
  const written = command.written?.value.replace(/^.*[/\\]/, '')
  // `python3` is the program `python`, and `manage.py` is `manage`.
  const name = written?.toLowerCase().replace(/(?<=[a-z])\d[\d.]*$|\.\w+$/, '') === program ? written : program
  const found = parts.flatMap((part): readonly Typed[] => {
    const typed = typedPart(part, command)
    return typed === undefined ? (part.startsWith('-') || methods.test(part) ? [] : [{ at: -1, text: part }]) : [typed]
  })
  const named = tail === undefined ? undefined : typedName(tail, command)
  const all = named === undefined || found.some(({ text }) => text === named.text) ? found : [...found, named]
  const said = all.filter(({ text }) => !all.some((other) => isRest(text, other.text)))
  const isOrdered = said.every(({ at, text }) => at >= 0 && (!text.startsWith('-') || text.includes(' ')))
  const shown = (isOrdered ? said.toSorted((one, other) => one.at - other.at) : said).map(({ text }) => text)
  const set = tail === undefined || named !== undefined ? undefined : assignmentWith(tail, command)
  const line = [...(set === undefined ? [] : [set]), name, ...shown].join(' ')
  return tail === undefined || named !== undefined || set !== undefined ? line : `${line} … ${tail}`
}

/** Returns a word of a command, or one of its options, as it is typed. */
function typedPart(part: string, { args, line }: TypedCommand): Typed | undefined {
  if (part === '…') {
    const at = args.findIndex(({ variable }) => variable !== undefined)
    return at === -1 ? undefined : { at, text: `$${args[at]?.variable ?? ''}` }
  }
  const exact = args.findIndex(({ value }) => value === part)
  // The method of a request: `-X DELETE`, `-XDELETE`, or none that anybody typed.
  const isMethod = methods.test(part) && (exact < 0 || /^-(?:X|-request|-method)$/i.test(args[exact - 1]?.value ?? ''))
  const method = isMethod ? typedName(part, { args }) : undefined
  if (method !== undefined) return method
  if (exact !== -1) return { at: exact, text: part }
  if (!part.startsWith('-')) return undefined
  const [name = '', value] = bare(part).split(/[=](.*)/s, 2)
  const group = [...(line?.same ?? []), ...(line?.globalsSame ?? [])].find((one) => one.split(' ').includes(name))
  for (const own of [name, ...(group?.split(' ') ?? [])]) {
    const typed = typedOption(own, value, args)
    if (typed !== undefined) return typed
  }
  const short = args.findIndex((word) => /^--\w/.test(word.value) && name.startsWith(bare(word.value)))
  return short === -1 ? undefined : { at: short, text: args[short]?.value ?? part }
}

/** Finds an option by one of its names, also among joined letters, with the value that it is known by. */
function typedOption(name: string, value: string | undefined, args: readonly ShellWord[]): Typed | undefined {
  for (const [at, { value: text }] of args.entries()) {
    if (!text.startsWith('-')) continue
    const [own = '', joined] = bare(text).split(/[=](.*)/s, 2)
    if (own === name) {
      if (value === undefined) return { at, text: joined === undefined ? text : text.slice(0, text.indexOf('=')) }
      const next = args[at + 1]?.value
      if (joined?.toLowerCase() === value) return { at, text }
      if (next?.toLowerCase() === value) return { at, text: `${text} ${next}` }
    }
    if (name.length !== 1 || text.startsWith('--') || !own.includes(name)) continue
    // `-ff` is more than `-f`, and of `-fd` only `-f` is meant.
    if (value === undefined && /^\w+$/.test(own))
      return { at, text: own.replaceAll(name, '') === '' ? text : `-${name}` }
    if (value !== undefined && own.toLowerCase() === `${name}${value}`.toLowerCase()) return { at, text }
  }
  return undefined
}

/** Finds the word that has a name in it, with the option whose value it is. */
function typedName(name: string, { args }: Pick<TypedCommand, 'args'>): Typed | undefined {
  const wanted = name.toLowerCase()
  const isNamed = ({ value }: ShellWord) =>
    isName.test(value) && value.length <= wordCharactersMax && value.toLowerCase().includes(wanted)
  const at = args.findIndex(isNamed)
  const word = args[at]?.value
  if (word === undefined) return undefined
  const before = args[at - 1]?.value ?? ''
  const isValue = !word.startsWith('-') && /^--?\w[\w-]*$/.test(before)
  return isValue ? { at: at - 1, text: `${before} ${word}` } : { at, text: word }
}

/** Returns the assignment around a command that has a name in its value. */
function assignmentWith(name: string, { assignments, exported = [] }: TypedCommand): string | undefined {
  const found = [...assignments, ...exported].find(({ value }) => value.value.includes(name))
  return found === undefined ? undefined : `${found.name}=${found.value.value}`
}
