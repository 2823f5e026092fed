import type { Impact } from '../../../model/impact.ts'
import type { ShellFacts, ShellWord } from '../../../model/shell.ts'
import { pushesByLibrary } from './code.ts'
import { type GitCall, shown } from './git-calls.ts'
import { gitImpact } from './git-impact.ts'
import { type Push, pushOf, replacedIn } from './push.ts'

const object = 'remote branch'
const consequence = 'with the work of others'

/** Finds branches that a push overwrites or deletes at the other end, and commits that it sends to a new place. */
export function pushesOf(calls: readonly GitCall[], shell: ShellFacts): readonly Impact[] {
  return [...calls.flatMap((call) => lossesOf(call, shell)), ...libraryPushes(shell), ...newPlaces(calls)]
}

function lossesOf(call: GitCall, shell: ShellFacts): readonly Impact[] {
  const replaced = replacedIn(call, shell)
  const inBare =
    replaced === undefined
      ? []
      : [
          gitImpact(call, {
            kind: 'overwrite',
            object,
            names: [replaced.branch],
            undo: 'work',
            consequence: `in ${replaced.place}, as a push by force would`,
            instead: 'push to it instead',
          }),
        ]
  const push = pushOf(call)
  return push === undefined ? inBare : [...inBare, ...overwrittenBy(call, push), ...deletedBy(call, push)]
}

function overwrittenBy(call: GitCall, { forced, leased, options, targets }: Push): readonly Impact[] {
  const overwrites = { kind: 'overwrite', object, names: targets, consequence } as const
  const byForce = forced !== undefined && !(leased && forced.startsWith('+'))
  const mirrors = forced === '--mirror'
  return [
    ...(byForce
      ? [
          gitImpact(call, {
            ...overwrites,
            undo: 'never',
            words: `${call.subcommand} ${forced}`,
            instead: mirrors ? 'push the branches that you mean' : 'use `--force-with-lease`',
          }),
        ]
      : leased
        ? [
            gitImpact(call, {
              ...overwrites,
              undo: 'work',
              words: `${call.subcommand} --force-with-lease`,
              instead: 'push a branch of your own',
            }),
          ]
        : []),
    ...(options.has('prune')
      ? [
          gitImpact(call, {
            kind: 'delete',
            object,
            extent: 'all',
            undo: 'work',
            consequence: 'other than those that are here',
            words: `${call.subcommand} --prune`,
            instead: 'delete single ones by name',
          }),
        ]
      : []),
  ]
}

const deletedBy = (call: GitCall, { deleted }: Push): readonly Impact[] =>
  deleted.map((branch) =>
    gitImpact(call, {
      kind: 'delete',
      object,
      names: [branch],
      undo: 'never',
      ...(/[$…]/.test(branch) && { unsure: true }),
      consequence: 'for everybody',
      instead: 'leave it, and let the person tidy up',
    }),
  )

/** Finds code that pushes by force with a library. */
const libraryPushes = (shell: ShellFacts): readonly Impact[] =>
  shell.commands.flatMap((command, at) =>
    pushesByLibrary(command, shell)
      ? [
          gitImpact(
            { subcommand: command.program, line: undefined, args: [], settings: [], command, at },
            {
              kind: 'overwrite',
              object,
              undo: 'work',
              consequence,
              words: 'push by a library',
              instead: 'push without force',
            },
          ),
        ]
      : [],
  )

/** True for an address, and no remote's name: a path, or `host:path`. */
const isAddress = ({ value }: ShellWord) => /^[a-z][a-z+]*:\/\/|^[^/:]+:(?!\/\/)\S|^[./~]/i.test(value)

/** Settings that say where a remote is. */
const redirects = /^(?:remote\..+\.(?:push)?url|url\..+\.(?:pushinsteadof|insteadof)|remote\.pushdefault)$/

interface Led {
  /** The remote's name; `''` for any. */
  readonly remote: string
  /** The words that lead it elsewhere, the address among them. */
  readonly words: readonly string[]
}

/** Returns the remote that a call adds or leads elsewhere. */
function ledElsewhere({ subcommand, args }: GitCall): Led | undefined {
  const all = args.map(({ value }) => value)
  const words = all.filter((word) => !word.startsWith('-'))
  if (subcommand === 'remote' && /^(?:add|set-url)$/.test(words[0] ?? '')) {
    const valued = args.findIndex(({ value }) => /^-[tm]$/.test(value))
    const remote = valued === -1 ? words[1] : words[2]
    return remote === undefined ? undefined : { remote, words: all }
  }
  if (subcommand !== 'config') return undefined
  const setting = words.find((word) => redirects.test(word.toLowerCase()))
  return setting === undefined || words.at(-1) === setting
    ? undefined
    : { remote: /^remote\.(.+)\.\w+$/i.exec(setting)?.[1] ?? '', words: all }
}

/** Finds pushes to an address, or to a remote that the same text adds or leads elsewhere. */
function newPlaces(calls: readonly GitCall[]): readonly Impact[] {
  const led: Led[] = []
  return calls.flatMap((call) => {
    const here = ledElsewhere(call)
    if (here !== undefined) led.push(here)
    if (call.subcommand !== 'push' || call.line?.surely('n', 'dry-run', 'help', 'h') === true) return []
    const to = call.line?.values('repo')[0] ?? call.line?.operands[0]
    const before = led.filter(({ remote }) => remote === '' || remote === (to?.value ?? 'origin'))
    const isLed = call.settings.some(({ name }) => redirects.test(name))
    if (!isLed && before.length === 0 && (to === undefined || !isAddress(to))) return []
    const names = isLed ? [] : [...(to === undefined ? [] : [shown(to)]), ...before.flatMap(({ words }) => words)]
    return [
      gitImpact(call, {
        kind: 'send',
        object: 'commits',
        names,
        undo: 'work',
        consequence: 'which the repository does not have as a remote yet',
        instead: 'have the person agree to it',
      }),
    ]
  })
}
