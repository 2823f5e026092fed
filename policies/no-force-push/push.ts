import { programOf } from './shell-commands.ts'

/** What a `git push` would do that cannot be undone for others. */
export interface Push {
  /** What says that it replaces what is there: `--force`, `-f`, `+main`, `--mirror`, `--prune`. */
  readonly forced: string | undefined
  /** `--force-with-lease`. */
  readonly leased: boolean
  /** Branches that it deletes, without `refs/heads/`. */
  readonly deleted: readonly string[]
}

const globalOptionsWithValue = new Set<string | undefined>([
  '-C',
  '-c',
  '--git-dir',
  '--work-tree',
  '--namespace',
  '--config-env',
  '--attr-source',
])
const pushOptionsWithValue = new Set(['--repo', '--receive-pack', '--exec', '--push-option', '--recurse-submodules'])

/** The `git push` of a command, wherever in it: behind `sudo`, `env A=b`, `xargs` and the like, too. */
export function pushIn(words: readonly string[]): Push | undefined {
  for (const [at, word] of words.entries()) {
    if (programOf(word) !== 'git') continue
    let next = at + 1
    while (words[next]?.startsWith('-')) next += globalOptionsWithValue.has(words[next]) ? 2 : 1
    if (words[next] === 'push') return pushOf(words.slice(next + 1))
  }
  return undefined
}

function pushOf(args: readonly string[]): Push {
  const flags: string[] = []
  const refs: string[] = []
  let onlyRefs = false
  const rest = args.values()
  for (const arg of rest) {
    if (onlyRefs || !arg.startsWith('-')) refs.push(arg)
    else if (arg === '--') onlyRefs = true
    else if (arg.startsWith('--')) {
      flags.push(...arg.split('=', 1))
      if (pushOptionsWithValue.has(arg)) rest.next()
    } else {
      // `-fu` is `-f -u`; behind `o` stands a value, or it is the next word.
      flags.push(...arg.split('o', 1).flatMap((letters) => letters.split('')))
      if (arg.indexOf('o') === arg.length - 1) rest.next()
    }
  }
  const forcing = flags.find((flag) => flag === '--force' || flag === 'f' || isShortFor('--mirror', '--m', flag))
  const pruning = flags.find((flag) => isShortFor('--prune', '--pru', flag))
  const deleting = flags.some((flag) => flag === 'd' || isShortFor('--delete', '--de', flag))
  return {
    forced: (forcing === 'f' ? '-f' : forcing) ?? pruning ?? refs.find((ref) => ref.startsWith('+')),
    leased: flags.some((flag) => isShortFor('--force-with-lease', '--force-w', flag)),
    deleted: refs
      .filter((ref) => deleting || ref.startsWith(':'))
      .map((ref) => ref.replace(':', '').replace(/^refs\/heads\//, '')),
  }
}

/** git takes the beginning of an option for it, if it is long enough to be that of no other. */
function isShortFor(option: string, least: string, flag: string): boolean {
  return flag.startsWith(least) && option.startsWith(flag)
}
