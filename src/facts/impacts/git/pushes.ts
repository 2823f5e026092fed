import { hasShellTrait } from '../../../model/shell-traits.ts'
import type { Impact } from '../../../model/impact.ts'
import { type ShellCommand, type ShellFacts, type ShellWord, unknownPart } from '../../../model/shell.ts'
import { type GitCall, gitImpact, shown } from './git-calls.ts'
import { setOf } from '../../../model/look-ups.ts'
import { quotedName } from '../../../words/names.ts'
import { lineOf, type OptionsRead, wordsBeside, readOptions } from '../../../words/options.ts'

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
            consequence: `in ${quotedName(replaced.place)}, as a push by force would`,
            instead: 'push to it instead',
          }),
        ]
  const push = pushOf(call)
  return push === undefined ? inBare : [...inBare, ...overwrittenBy(call, push), ...deletedBy(call, push)]
}

function overwrittenBy(call: GitCall, { forced, leased, options, targets }: Push): readonly Impact[] {
  const overwrites = { kind: 'overwrite', object, names: targets, consequence } as const
  const byForce = forced !== undefined && !(leased && forced.startsWith('+'))
  return [
    ...(byForce
      ? [
          gitImpact(call, {
            ...overwrites,
            undo: 'never',
            words: `${call.subcommand} ${forced}`,
            instead: options.has('mirror') ? 'push the branches that you mean' : 'use `--force-with-lease`',
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
          {
            ...gitImpact(
              { subcommand: command.program, line: undefined, args: [], settings: [], command, at },
              { kind: 'overwrite', object, undo: 'work', consequence, instead: 'push without force' },
            ),
            words: command.program,
          },
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
  /** Where it leads then. */
  readonly addresses: readonly string[]
}

/** Returns the remote that a call adds or leads elsewhere. */
function ledElsewhere({ subcommand, args }: GitCall): Led | undefined {
  if (subcommand === 'remote') {
    const [verb, remote] = readOptions(args, { valued: ['t', 'm'] }).operands
    return remote !== undefined && /^(?:add|set-url)$/.test(verb?.value ?? '')
      ? { remote: remote.value, addresses: args.filter(isAddress).map(shown) }
      : undefined
  }
  if (subcommand !== 'config') return undefined
  const words = wordsBeside(args)
  const setting = words.find((word) => redirects.test(word.toLowerCase()))
  return setting === undefined || words.at(-1) === setting
    ? undefined
    : { remote: /^remote\.(.+)\.\w+$/i.exec(setting)?.[1] ?? '', addresses: leadsTo(setting, words.at(-1) ?? '') }
}

/** Where a setting leads pushes: `url.HERE.insteadOf` by its name, others by their value. */
const leadsTo = (setting: string, value: string): readonly string[] => [
  /^url\.(.+)\.\w+$/i.exec(setting)?.[1] ?? value.replaceAll(unknownPart, '…'),
]

/** Finds pushes to an address, or to a remote that the same text adds or leads elsewhere. */
function newPlaces(calls: readonly GitCall[]): readonly Impact[] {
  const led: Led[] = []
  return calls.flatMap((call) => {
    const here = ledElsewhere(call)
    if (here !== undefined) led.push(here)
    if (call.subcommand !== 'push' || call.line?.surely('n', 'dry-run', 'help', 'h') === true) return []
    const to = call.line?.values('repo')[0] ?? call.line?.operands[0]
    const before = led.filter(({ remote }) => remote === '' || remote === (to?.value ?? 'origin'))
    const settings = call.settings.filter(({ name }) => redirects.test(name))
    const isLed = settings.length > 0
    if (!isLed && before.length === 0 && (to === undefined || !isAddress(to))) return []
    const names = isLed
      ? settings.flatMap(({ name, value }) => leadsTo(name, value))
      : before.some(({ addresses }) => addresses.length > 0)
        ? before.flatMap(({ addresses }) => addresses)
        : to === undefined
          ? []
          : [shown(to)]
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

/** The effects of a `git push` that others cannot undo. */
interface Push {
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
function pushOf(call: GitCall): Push | undefined {
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
    .findLast((one) => hasShellTrait(one, 'changesFolder') && one.startedBy === command.startedBy)
  const there = command.elsewhere === true ? before?.args[0]?.value : command.cwd
  const variable = command.assignments.find(({ name }) => name === 'GIT_DIR')?.value.value
  const places = [globals?.value('git-dir')?.value, globals?.value('C')?.value, variable, there]
  return places.find((place) => place !== undefined && bare.test(place) && !temporary.test(place))
}

/** Returns the branch that a call replaces in a bare repository, as a push by force would: no reflog keeps what was. */
function replacedIn(call: GitCall, shell: ShellFacts): { readonly branch: string; readonly place: string } | undefined {
  const reference = movedBy(call)
  const place = reference === undefined ? undefined : bareOf(call, shell)
  if (reference === undefined || place === undefined) return undefined
  return { branch: branchOf(reference.slice(reference.lastIndexOf(':') + 1)), place }
}

/** Returns the reference that plumbing, or a fetch by force, sets to whatever it is told. */
function movedBy({ subcommand, args, line }: GitCall): string | undefined {
  const words = wordsBeside(args)
  const [first = ''] = words
  if (subcommand === 'update-ref' || subcommand === 'symbolic-ref')
    return /^refs\/(?:heads|tags)\//.test(first) ? first : undefined
  if (subcommand !== 'fetch') return undefined
  const isForced = line?.has('f', 'force') === true
  return words.slice(1).find((word) => (isForced || word.startsWith('+')) && /:(?!refs\/remotes\/)./.test(word))
}

/** Libraries by which code pushes without the program git: of Python, JavaScript, Ruby, Perl, PHP, Go, Java and .NET. */
const library =
  /\b(?:import git\b|from git\b|GitPython|dulwich|pygit2|simple-git|isomorphic-git|nodegit|es-git|rugged|gitonomy|libgit2(?:sharp)?|go-git|jgit|git2)|\brequire\s*\(?\s*['"]git['"]|\bGit(?:::|->)/i
const pushes = /\bpush\b/i
/** Matches a library's push whose options or references force it, or delete what the remote has. */
const forces =
  /\bpush\b[^;]{0,300}?(?:\bforce['"]?\s*[:=]>?\s*true\b|\bdelete['"]?\s*[:=]>?\s*true\b|\bsetForce\(\s*true|['"`](?:-f|--force|--mirror|--delete|--prune)['"`]|['"`][+:][\w*$/{])/i
/** A reference that is pushed by force, and kept in a variable before. */
const forcedReference = /['"`]\+(?:refs\/|[\w/.-]+:)/

/** Programs that run code in languages that the facts have no reader for. */
const runs = /^(?:groovy|jshell|kotlinc?|scala|go|java|dotnet|dotnet-script|csi|elixir|swift|deno|bun|tsx|ts-node)$/

/** Returns the code that a command runs: inline, from stdin, or from a file that the same line has written. */
function* codeOf(command: ShellCommand, { commands }: ShellFacts): Generator<string> {
  if (command.code?.text !== undefined) yield command.code.text
  if (!runs.test(command.program)) return
  yield [...command.args.map(({ value }) => value), command.stdin?.value ?? ''].join('\n')
  for (const { redirections, stdin } of commands) {
    const isRun = redirections.some(
      ({ operator, target }) =>
        /^>>?$/.test(operator) && command.args.some(({ value }) => value !== '' && value === target?.value),
    )
    if (isRun && stdin !== undefined) yield stdin.value
  }
}

/** True if a command runs code that pushes by force with a library. */
function pushesByLibrary(command: ShellCommand, shell: ShellFacts): boolean {
  for (const text of codeOf(command, shell))
    if (pushes.test(text) && library.test(text) && (forces.test(text) || forcedReference.test(text))) return true
  return false
}
