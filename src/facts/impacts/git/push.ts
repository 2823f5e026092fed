import { setOf } from '../../../model/look-ups.ts'
import { lineOf, type OptionsRead } from '../../../words/options.ts'
import type { ShellFacts, ShellWord } from '../../../model/shell.ts'
import { type GitCall, shown } from './git-calls.ts'

/** The effects of a `git push` that others cannot undo. */
export interface Push {
  readonly options: OptionsRead
  readonly leased: boolean
  /** `--force`, `--mirror`, `+main`; as it is written. */
  readonly forced: string | undefined
  /** Branches that it names as its targets, without `refs/heads/`. */
  readonly targets: readonly string[]
  /** The branches that it deletes; an unknown part is a `…`. */
  readonly deleted: readonly string[]
}

/** Subcommands that push: what people use, and the plumbing under it. */
const pushing = setOf(['push', 'send-pack', 'http-push'])

/** `undefined` for another subcommand, for a try, and for a request for help. */
export function pushOf(call: GitCall): Push | undefined {
  const read = call.line
  const isSubtree = call.subcommand === 'subtree' && read?.operands[0]?.value === 'push'
  if (read === undefined || !(pushing.has(call.subcommand) || isSubtree)) return undefined
  if (read.surely('dry-run', 'n', 'help', 'h')) return undefined
  const operands = isSubtree ? read.operands.slice(1) : read.operands
  const refs = read.has('repo') ? operands : operands.slice(1)
  const plus = operands.find(({ value }) => value.startsWith('+'))
  const deleting = read.has('d', 'delete') || (call.subcommand === 'http-push' && read.has('D'))
  return {
    options: read,
    leased: read.has('force-with-lease'),
    forced: forcedBy(read) ?? plus?.value,
    targets: refs.map(({ value }) => branchOf(value.slice(value.lastIndexOf(':') + 1))),
    deleted: (deleting ? refs : operands.filter(isDeletion)).map((word) => branchOf(shown(word).replace(/^:/, ''))),
  }
}

const isDeletion = ({ value }: ShellWord) => value.startsWith(':') && value.length > 1

function forcedBy(read: OptionsRead): string | undefined {
  if (read.has('f', 'force')) return read.given.some(({ name }) => name === 'force') ? '--force' : '-f'
  return read.has('mirror') ? '--mirror' : undefined
}

const branchOf = (ref: string) => ref.replace(/^\+/, '').replace(/^refs\/heads\//, '')

/** A repository that others push to and fetch from, by its name: `/srv/git/x.git`, and no work tree's `.git`. */
const bare = /[^/]\.git\/?$/
const temporary = /^\/(?:var\/)?tmp\//

/** Returns the bare repository that a call works in, if it is named. */
function bareOf({ command, at }: GitCall, { commands }: ShellFacts): string | undefined {
  const globals = lineOf(command)?.globals
  // On another machine, only the line itself says where the call is.
  const before = commands
    .slice(0, at)
    .findLast(({ program, startedBy }) => program === 'cd' && startedBy === command.startedBy)
  const there = command.elsewhere === true ? before?.args[0]?.value : command.cwd
  const variable = command.assignments.find(({ name }) => name === 'GIT_DIR')?.value.value
  const places = [globals?.value('git-dir')?.value, globals?.value('C')?.value, variable, there]
  return places.find((place) => place !== undefined && bare.test(place) && !temporary.test(place))
}

/** Returns the branch that a call replaces in a bare repository, as a push by force would: no reflog keeps what was. */
export function replacedIn(
  call: GitCall,
  shell: ShellFacts,
): { readonly branch: string; readonly place: string } | undefined {
  const reference = movedBy(call)
  const place = reference === undefined ? undefined : bareOf(call, shell)
  if (reference === undefined || place === undefined) return undefined
  return { branch: branchOf(reference.slice(reference.lastIndexOf(':') + 1)), place }
}

/** Returns the reference that plumbing, or a fetch by force, sets to whatever it is told. */
function movedBy({ subcommand, args }: GitCall): string | undefined {
  const words = args.map(({ value }) => value).filter((word) => !word.startsWith('-'))
  const [first = ''] = words
  if (subcommand === 'update-ref' || subcommand === 'symbolic-ref')
    return /^refs\/(?:heads|tags)\//.test(first) ? first : undefined
  if (subcommand !== 'fetch') return undefined
  const isForced = args.some(({ value }) => value === '--force' || (/^-[a-z]+$/.test(value) && value.includes('f')))
  return words.slice(1).find((word) => (isForced || word.startsWith('+')) && /:(?!refs\/remotes\/)./.test(word))
}
