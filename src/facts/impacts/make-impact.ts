import type { Impact, ImpactPlace } from '../../model/impact.ts'
import type { Call } from '../../words/calls.ts'
import type { LooseLine } from '../../words/loose-line.ts'
import { isOfTrials, tokensOf } from '../../words/names.ts'
import { outputNames, typedWords } from '../../words/typed-words.ts'
import type { ShellAssignment } from '../../model/shell.ts'

/** As many names as a reason can have. */
const namesMax = 8
/** A command whose first words a rules file allows is recognised by no more of them, in UTF-16 units. */
const commandCharactersMax = 400

/** The fields of an impact that a reader finds; the others are computed from the call. */
export interface ImpactFound extends Pick<
  Impact,
  'kind' | 'thing' | 'area' | 'object' | 'names' | 'undo' | 'unsure' | 'consequence' | 'instead' | 'through'
> {
  /** The words of the command line that say so, without the program. */
  readonly words: string
  /** Default: as the names in the call say. */
  readonly where?: Impact['where']
  /** Names besides those of options that may say where. Default: all that the call gives. */
  readonly places?: readonly string[]
  /** Default: as the options and the number of names say. */
  readonly extent?: Impact['extent']
  /** Default: the values of the options that say where. */
  readonly targets?: Impact['targets']
}

/** Makes the impact of a command. */
export function makeImpact(
  call: Call,
  line: LooseLine,
  { words, where, places, extent, ...found }: ImpactFound,
): Impact {
  const names = [...new Set(found.names)].filter((name) => name !== 'all').slice(0, namesMax)
  const targets = found.targets ?? targetsOf(line)
  const typed = typedWords(`${call.program} ${words}`.trim(), { ...call.command, args: call.args })
  const text = [call.program, ...line.words.map((word) => word.text)].join(' ')
  return {
    ...found,
    names,
    where:
      where ??
      placeOf([...Object.values(targets).flat(), ...(places ?? [...names, ...namesGiven(line)])], call.environment),
    extent: extent ?? (found.names.includes('all') ? 'all' : extentOf(line, names, found.unsure)),
    by: call.at,
    words: [typed, ...(names.length > 0 ? [] : unknownName(call, line)).filter((one) => !typed.endsWith(one))].join(
      ' ',
    ),
    command: text.slice(0, commandCharactersMax),
    targets,
  }
}

/** Returns the last word as it is written, if only the run says what it names: `$ID`, or `$(…)` for what a command prints. */
function unknownName({ args, command }: Call, { words }: LooseLine): readonly string[] {
  const last = words.at(-1)
  const word = args.findLast(({ value }) => value === last?.text)
  if (last === undefined || !last.unknown || last.maybeValue || word === undefined) return []
  if (word.variable !== undefined) return [`$${word.variable}`]
  // What `xargs` adds nobody has typed.
  return (word.from?.length ?? 0) > 0 && command.startedBy === undefined ? [outputNames] : []
}

/** Options whose values name what is acted on. */
const naming = /(?:^|-)(?:names?|ids?|arns?|identifiers?)$/
/** Of those, options that say where it is. */
const placing =
  /^(?:context|kube-context|cluster|profile|project|project-id|resource-group|g|subscription|account|endpoint-url|endpoint|server|host|hostname|region|namespace|n|app|stack|stage|env|environment|database|workspace)$/

/** Returns the names that options give. */
export const namesGiven = ({ options }: LooseLine): readonly string[] =>
  [...options].flatMap(([name, values]) => (naming.test(name) && !placing.test(name) ? values : [])).filter(Boolean)

export const targetsOf = ({ options }: LooseLine): Impact['targets'] =>
  Object.fromEntries([...options].filter(([name, values]) => placing.test(name) && values.some(Boolean)))

function extentOf({ options, words }: LooseLine, names: readonly string[], unsure: true | undefined): Impact['extent'] {
  if (unsure === true) return 'unknown'
  if (['all', 'A', 'all-namespaces', 'a'].some((name) => options.get(name)?.every((value) => value === '')))
    return 'all'
  if (names.length === 0 || words.some(({ unknown }) => unknown)) return 'unknown'
  return names.length === 1 ? 'one' : 'some'
}

/** Words by which a name says that users depend on a place. */
const ofProduction = new Set(['production', 'prod', 'prd', 'live', 'mainnet'])
const loopback = /^(?:[a-z][a-z0-9+.-]*:\/\/)?(?:[^@/]*@)?(?:localhost|127(?:\.\d+){1,3}|\[::1\]|::1)(?=[:/]|$)/i
/** Variables that say where a command acts. */
const sayingWhere = /(?:^|_)(?:ENV|ENVIRONMENT|STAGE|TARGET|CONTEXT|WORKSPACE|PROFILE|PROJECT|NAMESPACE|CLUSTER)$/

/** Returns where a call acts, by the names in it. Production wins over a trial, and both over what is not known. */
export function placeOf(names: readonly string[], environment: readonly ShellAssignment[]): ImpactPlace {
  const all = [...names, ...environment.filter(({ name }) => sayingWhere.test(name)).map(({ value }) => value.value)]
  const tokens = all.flatMap(tokensOf)
  if (tokens.some((token) => ofProduction.has(token))) return 'production'
  if (all.some((name) => loopback.test(name))) return 'local'
  return tokens.some((token) => isOfTrials(token)) ? 'trial' : 'unknown'
}
