import type { Impact } from '../../../model/impact.ts'
import { onlyTries } from '../../../words/options.ts'
import type { ShellFacts, ShellWord, TouchedPath } from '../../../model/shell.ts'
import { discardOf } from './discarding.ts'
import { type GitCall, gitImpact, optionsOf, shown } from './git-calls.ts'
import { isWithin } from '../../../words/paths.ts'

/** Finds what a call takes from the repository on this machine. */
export const lossesOf = (call: GitCall, calls: readonly GitCall[], shell: ShellFacts): readonly Impact[] =>
  [
    discarded(call, calls, shell),
    references(call),
    stashes(call),
    worktrees(call, calls, shell),
    lostObjects(call),
    rewrittenHistory(call),
  ].filter((one) => one !== undefined)

/** Cleaning that leaves folders, ignored files and other repositories. */
const isShallowClean = ({ args }: GitCall): boolean =>
  !args.some(({ value }) => /^-[a-z]*(?:[dxX]|f[a-z]*f)/i.test(value))

const discarded = (call: GitCall, calls: readonly GitCall[], shell: ShellFacts): Impact | undefined => {
  const discard = discardOf(call)
  if (discard === undefined || isFresh(shell, calls, call)) return undefined
  const { kind, what, names = [], consequence, instead, certain, files } = discard
  return gitImpact(call, {
    kind: kind ?? 'delete',
    thing: 'data',
    object: what,
    names,
    extent: files === true ? (names.length > 1 ? 'some' : 'one') : isShallow(call) ? 'unknown' : 'all',
    undo: certain ? 'never' : 'work',
    ...(consequence !== undefined && { consequence }),
    instead,
  })
}
const isShallow = (call: GitCall) => call.subcommand === 'clean' && isShallowClean(call)

interface LostReferences {
  readonly kind: 'branch' | 'tag' | 'reference'
  readonly names: readonly string[]
  readonly certain: boolean
}

function lostReferences(call: GitCall): LostReferences | undefined {
  const of = (kind: LostReferences['kind'], names: readonly string[], certain = false): LostReferences => ({
    kind,
    names,
    certain,
  })
  switch (call.subcommand) {
    case 'branch': {
      const read = optionsOf(call)
      if (read === undefined) return undefined
      const forced = read.has('D', 'C', 'M') || read.has('f', 'force')
      return forced && (read.has('D', 'd', 'delete') || read.has('f', 'force'))
        ? of('branch', read.operands.map(shown))
        : undefined
    }
    case 'tag': {
      const read = optionsOf(call)
      return read?.has('d', 'delete', 'f', 'force') === true ? of('tag', read.operands.map(shown)) : undefined
    }
    case 'update-ref': {
      const read = optionsOf(call)
      if (read?.has('stdin') === true) return of('reference', ['refs'])
      return read?.has('d') === true ? of('reference', read.operands.map(shown), true) : undefined
    }
    case 'symbolic-ref':
      return optionsOf(call)?.has('d', 'delete') === true ? of('reference', ['HEAD']) : undefined
    case 'replace':
      return optionsOf(call)?.has('d', 'delete', 'f', 'force', 'g', 'graft') === true
        ? of('reference', ['objects'])
        : undefined
    case 'notes':
      return /^(?:remove|prune)$/.test(optionsOf(call)?.operands[0]?.value ?? '')
        ? of('reference', ['notes'])
        : undefined
    default:
      return undefined
  }
}

function references(call: GitCall): Impact | undefined {
  const lost = lostReferences(call)
  if (lost === undefined || lost.names.length === 0) return undefined
  return gitImpact(call, {
    kind: 'delete',
    thing: 'reference',
    object: lost.kind,
    names: lost.names,
    targets: { [lost.kind]: lost.names },
    undo: lost.certain ? 'never' : 'work',
    consequence: 'with commits that nothing else may hold',
    instead: lost.kind === 'tag' ? 'make a new one instead' : 'use `git branch -d`, which deletes only what is merged',
  })
}

function stashes(call: GitCall): Impact | undefined {
  const [what, ...rest] = call.args.map(({ value }) => value)
  if (call.subcommand !== 'stash' || (what !== 'drop' && what !== 'clear')) return undefined
  if (rest.some((word) => word === '-h' || word === '--help')) return undefined
  return gitImpact(call, {
    kind: 'delete',
    thing: 'stash',
    object: what === 'clear' ? 'all stashed changes' : 'stashed changes',
    undo: 'never',
    words: `stash ${what}`,
    instead: 'make a branch of them (`git stash branch`)',
  })
}

function worktrees(call: GitCall, calls: readonly GitCall[], shell: ShellFacts): Impact | undefined {
  const read = call.subcommand === 'worktree' ? optionsOf(call) : undefined
  if (read?.operands[0]?.value !== 'remove' || !read.has('f', 'force') || isFresh(shell, calls, call)) return undefined
  return gitImpact(call, {
    kind: 'delete',
    thing: 'worktree',
    object: 'worktree',
    names: read.operands.slice(1).map(shown),
    undo: 'never',
    consequence: 'with its uncommitted changes',
    words: 'worktree remove --force',
    instead: 'leave `--force` out',
  })
}

/** Dates up to which nothing is kept: with `all` and `now` nothing can be had back. */
const isNow = (word: ShellWord | undefined) =>
  word !== undefined &&
  /^(?:now|all|0|today|epoch|0\..*|\d+[. ](?:second|minute|hour)s?(?:[. ]ago)?)$/i.test(word.value)

/** Returns the objects that a call deletes permanently; `undefined` if there are none. */
function lostBy(call: GitCall): string | undefined {
  const { subcommand } = call
  if (subcommand === 'gc') {
    const read = optionsOf(call)
    return isNow(read?.value('prune')) ? 'gc --prune' : undefined
  }
  if (subcommand === 'prune') {
    const read = optionsOf(call)
    if (read === undefined || read.surely('n', 'dry-run')) return undefined
    return !read.has('expire') || isNow(read.value('expire')) ? 'prune' : undefined
  }
  if (subcommand === 'lfs') {
    const words = call.args.map(({ value }) => value)
    const isForced = words.includes('--force') || words.includes('-f') || words.includes('--no-verify-remote')
    return words[0] === 'prune' && isForced && !onlyTries(call.args, 'd', 'dry-run') ? 'lfs prune' : undefined
  }
  if (subcommand !== 'reflog') return undefined
  const read = optionsOf(call)
  if (read === undefined || read.surely('n', 'dry-run')) return undefined
  const [what] = read.operands
  if (what?.value === 'delete' || what?.value === 'drop') return 'reflog delete'
  const isExpiring = isNow(read.value('expire')) || isNow(read.value('expire-unreachable'))
  return what?.value === 'expire' && isExpiring ? 'reflog expire' : undefined
}

function lostObjects(call: GitCall): Impact | undefined {
  const words = lostBy(call)
  return words === undefined
    ? undefined
    : gitImpact(call, {
        kind: 'delete',
        thing: 'history',
        object: 'lost commits',
        undo: 'never',
        consequence: 'which could be recovered',
        words,
        instead: '`git gc` without a date also tidies up',
      })
}

/** The words of a call that rewrites commits which others may have. */
function rewritten(call: GitCall): Pick<Impact, 'undo'> | undefined {
  const { subcommand, args } = call
  if (subcommand === 'filter-repo' || subcommand === 'filter-branch') {
    const read = optionsOf(call)
    if (read === undefined || read.surely('analyze', 'dry-run')) return undefined
    return { undo: read.has('f', 'force') ? 'never' : 'work' }
  }
  const isWhole =
    (subcommand === 'lfs' && args[0]?.value === 'migrate' && args[1]?.value !== 'info') ||
    (subcommand === 'rebase' && optionsOf(call)?.has('root') === true) ||
    (subcommand === 'fast-import' && optionsOf(call)?.has('force') === true)
  return isWhole ? { undo: 'work' } : undefined
}

function rewrittenHistory(call: GitCall): Impact | undefined {
  const found = rewritten(call)
  return found && gitImpact(call, { ...found, ...rewriting })
}

const rewriting = {
  kind: 'overwrite',
  thing: 'history',
  object: 'the history',
  consequence: 'so that every clone differs from then on',
  instead: 'have the person do it, with a backup',
} as const

/** Finds the program bfg, which rewrites the history of a repository. */
export const historyByBfg = ({ commands }: ShellFacts): readonly Impact[] =>
  commands.flatMap((command, at) => {
    const { program, args } = command
    const isBfg =
      program === 'bfg' || (program === 'java' && args.some(({ value }) => /(?:^|\/)bfg[^/]*\.jar$/.test(value)))
    const call: GitCall = { subcommand: 'bfg', line: undefined, args, settings: [], command, at }
    return isBfg ? [gitImpact(call, { ...rewriting, undo: 'work', words: 'history by bfg' })] : []
  })

/**
 * True if all that a call changes lies in a temporary folder that a call before it on the same line has cloned, or added
 * as a worktree: nobody has worked there yet.
 */
function isFresh(shell: ShellFacts, calls: readonly GitCall[], { command, at }: GitCall): boolean {
  const made = calls
    .filter((call) => call.at < at && (call.subcommand === 'clone' || isAdded(call)))
    .flatMap((call) => call.command.paths.filter(({ access }) => access === 'write'))
  const changed = command.paths.filter(({ access }) => access === 'write' || access === 'delete')
  return (
    made.length > 0 &&
    changed.length > 0 &&
    changed.every((path) => made.some((folder) => isTemporary(folder, shell) && isAtOrBelow(path, folder)))
  )
}

const isAdded = ({ subcommand, args }: GitCall) => subcommand === 'worktree' && args[0]?.value === 'add'

/** Of a folder that is not known, the name has to be one that `mktemp` made. */
const isTemporary = ({ absolute, unresolved, from = [] }: TouchedPath, { commands }: ShellFacts): boolean =>
  unresolved === true
    ? from.length > 0 && from.every((at) => /^g?mktemp$/.test(commands[at]?.program ?? ''))
    : /^(?:\/private)?(?:\/var)?\/tmp\/./.test(absolute ?? '')

function isAtOrBelow(path: TouchedPath, folder: TouchedPath): boolean {
  const [inner, outer] =
    folder.unresolved === true
      ? [path.written, folder.written]
      : [path.unresolved === true ? '' : path.absolute, folder.absolute]
  return (
    inner !== undefined &&
    outer !== undefined &&
    (inner === outer || (outer !== '/' && isWithin(inner, outer) && !inner.includes('/..')))
  )
}
