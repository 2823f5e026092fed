import { readOptions, type ShellCommand, type ShellWord } from 'hookgate/policy'

/** The effects of a `git push` that others cannot undo. */
export interface Push {
  /** The option or refspec that forces it: `--force`, `-f`, `+main`, `--mirror`, `--prune`. */
  readonly forced: string | undefined
  /** `--force-with-lease`. */
  readonly leased: boolean
  /** Branches that it deletes, without `refs/heads/`. */
  readonly deleted: readonly string[]
}

const globalOptions = ['C', 'c', 'git-dir', 'work-tree', 'namespace', 'config-env', 'attr-source']
const pushOptions = {
  valued: ['o', 'repo', 'receive-pack', 'exec', 'push-option', 'recurse-submodules'],
  // Long options that begin like the relevant ones, so that abbreviations are ambiguous.
  flags: ['mirror', 'delete', 'prune', 'progress', 'force-with-lease', 'force-if-includes'],
  // git takes the beginning of an option for it, if it is long enough to be that of no other.
  abbreviations: true,
}

/** Signs of a forced push, in the order in which the reason names them. */
const forcing = { force: '--force', f: '-f', mirror: '--mirror', prune: '--prune' }

/** A command's push, if it is one: `git push`, `git -C there -c a.b=c push`. */
export function pushIn({ program, args }: ShellCommand): Push | undefined {
  if (program !== 'git') return undefined
  const [subcommand, ...rest] = readOptions(args, { valued: globalOptions, operandsLast: true }).operands
  if (subcommand?.value !== 'push') return undefined
  const { has, operands } = readOptions(rest, pushOptions)
  const forced = Object.entries(forcing).find(([option]) => has(option))?.[1]
  return {
    forced: forced ?? operands.find(({ value }) => value.startsWith('+'))?.value,
    leased: has('force-with-lease'),
    deleted: operands.filter((ref) => has('d', 'delete') || isDeletion(ref)).map(branchOf),
  }
}

const isDeletion = ({ value }: ShellWord) => value.startsWith(':')
const branchOf = ({ value }: ShellWord) => value.replace(':', '').replace(/^refs\/heads\//, '')
