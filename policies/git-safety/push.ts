import type { OptionsRead, ShellWord } from 'hookgate/policy'
import { type GitCall, shown } from './git.ts'

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

/** `undefined` for another subcommand, for a try, and for a request for help. */
export function pushOf(call: GitCall): Push | undefined {
  const read = call.subcommand === 'push' ? call.line : undefined
  if (read === undefined || read.surely('dry-run', 'n', 'help', 'h')) return undefined
  const refs = read.has('repo') ? read.operands : read.operands.slice(1)
  const plus = read.operands.find(({ value }) => value.startsWith('+'))
  const deleting = read.has('d', 'delete')
  return {
    options: read,
    leased: read.has('force-with-lease'),
    forced: forcedBy(read) ?? plus?.value,
    targets: refs.map(({ value }) => branchOf(value.slice(value.lastIndexOf(':') + 1))),
    deleted: (deleting ? refs : read.operands.filter(isDeletion)).map((word) =>
      branchOf(shown(word).replace(/^:/, '')),
    ),
  }
}

const isDeletion = ({ value }: ShellWord) => value.startsWith(':') && value.length > 1

function forcedBy(read: OptionsRead): string | undefined {
  if (read.has('f', 'force')) return read.given.some(({ name }) => name === 'force') ? '--force' : '-f'
  return read.has('mirror') ? '--mirror' : undefined
}

const branchOf = (ref: string) => ref.replace(/^\+/, '').replace(/^refs\/heads\//, '')

/** `*` at the end of a pattern is any text. */
export const isLike = (branch: string, pattern: string) =>
  pattern.endsWith('*') ? branch.startsWith(pattern.slice(0, -1)) : branch === pattern
