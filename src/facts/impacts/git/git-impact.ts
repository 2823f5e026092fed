import type { Impact } from '../../../model/impact.ts'
import { placeOf } from '../places.ts'
import type { GitCall } from './git-calls.ts'

type GitImpactFound = Pick<Impact, 'kind' | 'object' | 'undo' | 'unsure' | 'consequence' | 'instead'> &
  Partial<Pick<Impact, 'thing' | 'names' | 'extent'>> & {
    /** The words of the call that say so, without `git`. Default: the subcommand. */
    readonly words?: string
  }

/** Makes the impact of a call of git: on the repository, where nothing else is said. */
export function gitImpact(
  { subcommand, args, command, at }: GitCall,
  { words = subcommand, ...found }: GitImpactFound,
): Impact {
  const { names = [] } = found
  const operands = args.map(({ value }) => value).filter((word) => !word.startsWith('-'))
  return {
    thing: 'repository',
    area: 'git',
    extent: names.length === 0 ? 'unknown' : names.length === 1 ? 'one' : 'some',
    where: placeOf([], command.assignments),
    by: at,
    command: ['git', subcommand, ...operands].join(' ').slice(0, commandCharactersMax),
    targets: {},
    ...found,
    names,
    words: `git ${words}`,
  }
}

/** As much of a command as its first words need to be recognised by, in UTF-16 units. */
const commandCharactersMax = 400
