import { type Call, callsIn } from '../../../words/calls.ts'
import { setOf } from '../../../model/look-ups.ts'
import { onlyTries } from '../../../words/options.ts'
import type { ShellFacts } from '../../../model/shell.ts'

const bumpers = setOf(['standard-version', 'commit-and-tag-version', 'bumpversion', 'bump2version', 'bump-my-version'])

/** True for a command that makes a version: raises it, and tags the commit. */
function makesVersion({ program, args }: Call): boolean {
  const words = args.map(({ value }) => value)
  if (onlyTries(args, 'dry-run', 'list', 'help') || onlyTries(args, 'no-git-tag-version')) return false
  const [first = '', second = ''] = words
  if (program === 'git')
    return first === 'tag' && words.slice(1).some((word) => /^v?\d+\.\d+/.test(word)) && second !== '-d'
  if (/^(?:npm|pnpm|yarn|bun)$/.test(program)) return first === 'version' && second !== ''
  return bumpers.has(program) || (program === 'cz' && first === 'bump')
}

/** Returns the words of a push of tags behind a command that made a version: pipelines publish what has such a tag. */
export function pushesVersion({ program, args, at }: Call, shell: ShellFacts): string | undefined {
  const words = args.map(({ value }) => value)
  if (program !== 'git' || !words.includes('push') || onlyTries(args, 'dry-run', 'n')) return undefined
  const tags = words.find((word) => /^(?:--follow-tags|--tags|(?:refs\/tags\/)?v?\d+\.\d+[\w.+-]*)$/.test(word))
  if (tags === undefined || !callsIn(shell).some((call) => call.at < at && makesVersion(call))) return undefined
  return `push ${tags}`
}
