import type { LineRead } from '../../../words/options.ts'
import type { ShellWord } from '../../../model/shell.ts'
import { type GitCall, optionsOf, pathsBehindDashes, shown } from './git-calls.ts'

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
export function discardOf(call: GitCall): Discard | undefined {
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
  const what = `the ${call.subcommand}, with the conflicts that were resolved`
  const discard = discards(optionsOf(call), ['abort', 'skip'], what, false)
  return discard && { ...discard, kind: 'rollback' }
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
  const more = back === undefined ? {} : { consequence: `with the commits behind ${back}` }
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
    return { what, instead: '`git clean -n` lists them: delete your own by name', certain: true }
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
  return read.has('f', 'force') ? lost('files with uncommitted changes', false) : undefined
}
