import { lineOf, type ShellCommand, type ShellWord } from 'hookgate/policy'

/** The effects of a `git push` that others cannot undo. */
export interface Push {
  /** The option or refspec that forces it: `--force`, `-f`, `+main`, `--mirror`, `--prune`. */
  readonly forced: string | undefined
  /** `--force-with-lease`. */
  readonly leased: boolean
  /** Branches that it deletes, without `refs/heads/`. */
  readonly deleted: readonly string[]
}

/** Signs of a forced push, in the order in which the reason names them. */
const forcing = { force: '--force', f: '-f', mirror: '--mirror', prune: '--prune' }

/** A command's push, if it is one: `git push`, `git -C there -c a.b=c push`. */
export function pushIn(command: ShellCommand): Push | undefined {
  const line = command.program === 'git' ? lineOf(command) : undefined
  if (line?.subcommand === undefined || !/^(?:push|send-pack|http-push)$/.test(line.subcommand)) return undefined
  const { has, given, operands } = line
  const isOn = (option: string) =>
    given.some(({ name }) => name === option) && has(option, ...(option === 'f' ? ['force'] : []))
  const forced = Object.entries(forcing).find(([option]) => isOn(option))?.[1]
  return {
    forced: forced ?? operands.find(({ value }) => value.startsWith('+'))?.value,
    leased: has('force-with-lease'),
    deleted: operands.filter((ref) => has('d', 'delete') || isDeletion(ref)).map(branchOf),
  }
}

const isDeletion = ({ value }: ShellWord) => value.startsWith(':')
const branchOf = ({ value }: ShellWord) => value.replace(':', '').replace(/^refs\/heads\//, '')
