import { hasShellTrait } from '../../../model/shell-traits.ts'
import type { Impact } from '../../../model/impact.ts'
import { type LineRead, onlyTries, asksForHelp } from '../../../words/options.ts'
import type { ShellFacts, ShellWord, TouchedPath } from '../../../model/shell.ts'
import { type GitCall, gitImpact, optionsOf, pathsBehindDashes, shown } from './git-calls.ts'
import { quotedName } from '../../../words/names.ts'
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
  const { kind, what, names = [], consequence, instead, certain, options = '', files } = discard
  return gitImpact(call, {
    kind: kind ?? 'delete',
    thing: 'data',
    object: what,
    names,
    extent: files === true ? (names.length > 1 ? 'some' : 'one') : isShallow(call) ? 'unknown' : 'all',
    undo: certain ? 'never' : 'work',
    ...(consequence !== undefined && { consequence }),
    instead,
    words: `${call.subcommand} ${options}`.trim(),
  })
}
const isShallow = (call: GitCall) => call.subcommand === 'clean' && isShallowClean(call)

interface LostReferences {
  readonly kind: 'branch' | 'tag' | 'reference'
  readonly names: readonly string[]
  readonly certain: boolean
  /** It then stands for other commits. Default: it is deleted. */
  readonly moved?: true
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
      const isForced = read.has('f', 'force')
      if (read.has('D') || (isForced && read.has('d', 'delete'))) return of('branch', read.operands.map(shown))
      const names = read.has('m', 'M', 'move', 'c', 'C', 'copy') ? read.operands.slice(-1) : read.operands.slice(0, 1)
      return isForced ? { ...of('branch', names.map(shown)), moved: true } : undefined
    }
    case 'tag': {
      const read = optionsOf(call)
      if (read?.has('d', 'delete') === true) return of('tag', read.operands.map(shown))
      return read?.has('f', 'force') === true
        ? { ...of('tag', read.operands.slice(0, 1).map(shown)), moved: true }
        : undefined
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
        ? of('reference', optionsOf(call)?.operands.slice(0, 1).map(shown) ?? [])
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
    kind: lost.moved === true ? 'overwrite' : 'delete',
    thing: 'reference',
    object: lost.kind,
    names: lost.names,
    targets: { [lost.kind]: lost.names },
    undo: lost.certain ? 'never' : 'work',
    words: `${call.subcommand} ${lost.moved === true ? '-f' : call.subcommand === 'branch' ? '-D -d -f' : '-d'}`,
    consequence: 'with commits that may be nowhere else',
    instead:
      lost.kind === 'tag'
        ? 'make a new one instead'
        : lost.moved === true
          ? 'make another branch instead'
          : lost.kind === 'branch' || lost.names[0]?.startsWith('refs/heads/') === true
            ? 'use `git branch -d`, which deletes only what is merged'
            : 'have the person do it',
  })
}

function stashes(call: GitCall): Impact | undefined {
  const what = call.args[0]?.value
  if (call.subcommand !== 'stash' || (what !== 'drop' && what !== 'clear') || asksForHelp(call.args)) return undefined
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
    instead: `leave out \`${call.args.find(({ value }) => /^-\w*f|^--f/.test(value))?.value ?? '--force'}\``,
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
        object: words === 'lfs prune' ? 'files of LFS' : 'lost commits that could still be recovered',
        undo: 'never',
        ...(words === 'lfs prune' && { consequence: 'which the server may not have' }),
        words,
        instead: words === 'lfs prune' ? 'add `--verify-remote`' : '`git gc` without a date also tidies up',
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
      program === 'bfg' ||
      (hasShellTrait(command, 'runsJars') && args.some(({ value }) => /(?:^|\/)bfg[^/]*\.jar$/.test(value)))
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

/** The changes that a call would discard, and whether that is certain. */
export interface Discard {
  /** In the plural: `uncommitted changes`; or what is given up. */
  readonly what: string
  /** Set if a merge is given up, and all is as it was before. Default: changes are deleted. */
  readonly kind?: 'rollback'
  /** The files that the call names. */
  readonly names?: readonly string[]
  /** The losses that come with it. */
  readonly consequence?: string
  readonly instead: string
  readonly certain: boolean
  /** The options by which it is known. */
  readonly options?: string
  /** Changes to a few files alone, each of which the call names. */
  readonly files?: true
}

const commitFirst = 'commit the changes to a branch or `git stash` them first'
const lost = (what: string, certain = true, more: Pick<Discard, 'names' | 'consequence'> = {}): Discard => ({
  what,
  ...more,
  instead: commitFirst,
  certain,
})
const changes = 'uncommitted changes'

/** As many files as a person takes in at a glance. */
const filesMax = 3

/** Returns what is lost with paths: folders and patterns may hold more than their names tell. */
function lostPaths(paths: readonly ShellWord[], certain = true): Discard {
  const first = paths[0]?.value ?? 'files'
  const names = /^(?:\.\/?|:[/(!^]?)$/.test(first) ? [] : paths.map(shown)
  const discard = lost(changes, certain, { names, ...(!certain && { consequence: 'if that is a file' }) })
  const isNamed = paths.length > 0 && paths.length <= filesMax && paths.every(isFileName)
  return isNamed ? { ...discard, files: true } : discard
}

/** Files without a suffix, as projects call them. */
const fileNames =
  /(?:^|\/)(?:Makefile|Dockerfile|Gemfile|Rakefile|Procfile|Jenkinsfile|Vagrantfile|Brewfile|Podfile|Fastfile|Justfile|Pipfile|LICENSE|README|CHANGELOG|CODEOWNERS|\.(?:gitignore|gitattributes|editorconfig|npmrc|nvmrc|dockerignore|prettierrc|eslintrc))$/

const isFileName = ({ value, pattern, unresolved, several }: ShellWord) =>
  pattern === undefined &&
  unresolved !== true &&
  several !== true &&
  !/[*?[]|^:/.test(value) &&
  (/(?:^|\/)[^/]*[^./]\.[a-z]\w{0,9}$/i.test(value) || fileNames.test(value))

/** Changes that are in no commit, and that a call would do away with. */
function discardOf(call: GitCall): Discard | undefined {
  switch (call.subcommand) {
    case 'reset':
      return reset(optionsOf(call))
    case 'checkout':
    case 'co':
      return checkout(call, optionsOf(call))
    case 'switch':
      return discards(optionsOf(call), ['f', 'force', 'discard-changes'], changes)
    case 'restore':
      return restore(optionsOf(call))
    case 'clean':
      return clean(call, optionsOf(call))
    case 'checkout-index':
      return discards(optionsOf(call), ['f', 'force'], changes)
    case 'read-tree':
      return optionsOf(call)?.surely('n', 'dry-run') === true
        ? undefined
        : discards(optionsOf(call), ['reset'], changes)
    case 'submodule':
      return submodule(call)
    case 'rm':
      return remove(optionsOf(call))
    case 'merge':
    case 'rebase':
    case 'cherry-pick':
    case 'revert':
    case 'am':
      return givenUp(call)
    default:
      return undefined
  }
}

function givenUp(call: GitCall): Discard | undefined {
  const read = optionsOf(call)
  const what = read?.has('abort') === true ? `the ${call.subcommand}` : 'the commit that it has come to'
  const discard = discards(read, ['abort', 'skip'], `${what}, with the conflicts that were resolved`, false)
  return discard && { ...discard, kind: 'rollback', instead: 'have the person do it', options: '--abort --skip' }
}

function discards(
  read: LineRead | undefined,
  names: readonly string[],
  what: string,
  certain = true,
): Discard | undefined {
  return read?.has(...names) === true ? lost(what, certain) : undefined
}

function reset(read: LineRead | undefined): Discard | undefined {
  const back = read?.operands.find(({ value }) => /^(?:HEAD|@)[~^]/.test(value))?.value
  const more = back === undefined ? {} : { consequence: `with the commits behind ${quotedName(back)}` }
  // Of several, the last one counts.
  const mode = read?.given.findLast(({ name }) => /^(?:hard|merge|keep|soft|mixed)$/.test(name))?.name
  if (mode === 'hard' || mode === 'merge') return lost(changes, true, more)
  return mode === 'keep' ? lost('commits of the branch', false) : undefined
}

function checkout(call: GitCall, read: LineRead | undefined): Discard | undefined {
  if (read === undefined) return undefined
  if (read.has('f', 'force')) return lost(changes)
  if (read.has('p', 'patch', 'pathspec-from-file')) return lost(changes)
  const behind = pathsBehindDashes(call.args)
  if (behind !== undefined && behind.length > 0) return lostPaths(behind)
  if (behind !== undefined || read.has('b', 'B', 'orphan')) return undefined
  const [first, second] = read.operands
  if (second !== undefined)
    return lostPaths(
      isPath(first ?? second) || /\.\w+$/.test(first?.value ?? '') ? read.operands : read.operands.slice(1),
    )
  if (first === undefined) return undefined
  if (isPath(first)) return lostPaths([first])
  return /[^/]\.[a-z]\w{0,4}$/i.test(first.value) ? lostPaths([first], false) : undefined
}

/** No branch is called so. */
const isPath = ({ value, pattern }: ShellWord) =>
  pattern !== undefined || /^(?:\.{1,2}(?:\/|$)|:[/(!^]|\/)|\/$|^\*/.test(value)

function restore(read: LineRead | undefined): Discard | undefined {
  if (read === undefined) return undefined
  if (read.operands.length === 0 && !read.has('p', 'patch', 'pathspec-from-file')) return undefined
  const isExplicit = read.has('S', 'staged', 'no-staged', 'W', 'worktree', 'no-worktree')
  if (isExplicit && !read.has('W', 'worktree')) return undefined
  return read.has('p', 'patch', 'pathspec-from-file') ? lost(changes) : lostPaths(read.operands)
}

function clean(call: GitCall, read: LineRead | undefined): Discard | undefined {
  if (read === undefined || read.surely('n', 'dry-run')) return undefined
  const free = call.settings.some(
    ({ name, value }) => name === 'clean.requireforce' && /^(?:false|no|off|0)$/i.test(value),
  )
  const what = 'untracked files'
  if (read.has('f', 'force') || free)
    return { what, instead: 'delete your own by name, as `git clean -n` lists them', certain: true }
  return read.has('i', 'interactive') ? lost(what, false) : undefined
}

function submodule(call: GitCall): Discard | undefined {
  const read = optionsOf(call)
  const [verb] = read?.operands ?? []
  if (verb?.value === 'deinit' || verb?.value === 'update')
    return discards(read, ['f', 'force'], 'changes of a submodule')
  return undefined
}

function remove(read: LineRead | undefined): Discard | undefined {
  if (read === undefined || read.surely('cached') || read.surely('n', 'dry-run')) return undefined
  return read.has('f', 'force') ? lost(changes, false, { names: read.operands.map(shown) }) : undefined
}
