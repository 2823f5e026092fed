import { lineOf } from '../../../words/options.ts'
import type { Call } from '../../../words/calls.ts'
import type { Impact } from '../../../model/impact.ts'
import { lineIn } from '../../../words/loose-line.ts'
import type { ShellCommand, ShellFacts, TouchedPath } from '../../../model/shell.ts'
import { hasTrait } from '../../programs/table.ts'
import { makeImpact } from '../make-impact.ts'

/** Finds searches for keys and passwords in a home, a machine or all of git's history. */
export function findSecretSearches(call: Call, shell: ShellFacts): readonly Impact[] {
  const { command, args, at } = call
  // A program that another program starts is a command of its own, and is judged as that.
  if (args !== command.args) return []
  if (collects(command))
    return command.wrapper === true
      ? []
      : [
          impactOf(
            call,
            'the keys and passwords of the whole machine',
            args.find(({ value }) => isCollector(value))?.value,
          ),
        ]
  const hunter = isWide(command) ? hunterOf(shell, at) : undefined
  // A hunter that is wide itself gets an impact of its own.
  const isOther = hunter !== at && shell.commands.some((one, index) => index === hunter && isWide(one))
  return hunter === undefined || isOther
    ? []
    : [{ ...impactOf(call, searched(command)), names: placesOf(command), by: hunter }]
}

const isPast = ({ program }: ShellCommand): boolean => hasTrait(program, 'showsPast')

/** Returns what a wide command shows, in words that go on with the place. */
const searched = (command: ShellCommand): string =>
  isPast(command)
    ? 'what was typed that looks like a password'
    : hasTrait(command.program, 'git')
      ? 'what looks like a key in the whole history'
      : patternsOf(command).some(fitsAll)
        ? 'every line in'
        : 'what looks like a key in'

const placesOf = ({ program, paths, args }: ShellCommand): readonly string[] =>
  hasTrait(program, 'git')
    ? []
    : [
        ...paths.filter((path) => isWideRead({ ...path, recursive: true })).map(({ written }) => written),
        ...args.flatMap(({ value }) => (wholeHome.test(value) ? [value] : [])),
      ].slice(0, 1)

const impactOf = (call: Call, object: string, words = ''): Impact =>
  makeImpact(call, lineIn(call, {}), {
    kind: 'show',
    thing: 'secret',
    area: 'secret-searches',
    object,
    names: [],
    undo: 'work',
    extent: 'all',
    instead: 'name the file that is needed',
    words,
  })

/** Tells whether a word is a program or a script that only collects keys and passwords of a machine. */
const isCollector = (word: string) =>
  hasTrait(
    word
      .slice(word.lastIndexOf('/') + 1)
      .toLowerCase()
      .replace(/\.(?:sh|py|exe|ps1|bat)$/, ''),
    'collectsSecrets',
  )
const runsScripts = /^(?:(?:ba|z|da|k)?sh|python[\d.]*|perl|ruby|node|sudo|\.|source|chmod)$/
const collects = ({ program, args }: ShellCommand) =>
  isCollector(program) || (runsScripts.test(program) && args.some(({ value }) => isCollector(value)))

const wholeHome = /^(?:\/|\/root\/?|\/(?:home|Users)\/[^/]+\/?)$/

/** True if a command searches a whole home, the whole machine, all of a repository's history, or a shell's past. */
function isWide(command: ShellCommand): boolean {
  const { program, args, paths, search } = command
  if (isPast(command)) return true
  if (hasTrait(program, 'huntsSecrets') && args.some(({ value }) => wholeHome.test(value))) return true
  if (hasTrait(program, 'git')) {
    const words = new Set(args.map(({ value }) => value))
    const line = lineOf(command)
    const isHistory = line?.subcommand === 'log' && line.has('p', 'u', 'patch', 'S', 'G') && line.has('all')
    return (isHistory && !words.has('--')) || words.has('rev-list')
  }
  const isDeep = search?.finds === 'all' || hasTrait(program, 'huntsSecrets')
  return paths.some((path) => isWideRead(isDeep ? { ...path, recursive: true } : path))
}

/** Returns the patterns of a command that prints the lines that it finds. */
function patternsOf(command: ShellCommand): readonly string[] {
  const line = lineOf(command)
  if ((command.output !== 'matches' && command.output !== 'counts') || line?.has('files') === true) return []
  const given = line?.values('e', 'regexp').map(({ value }) => value) ?? []
  return given.length > 0 ? given : (line?.operands.slice(0, 1).map(({ value }) => value) ?? [])
}

/** Returns the index of the command that searches the output of a wide command for keys; it may be the same command. */
function hunterOf({ commands, flows }: ShellFacts, at: number): number | undefined {
  const next = [at, ...flows.flatMap(({ from, to }) => (from === at ? [to] : []))]
  const started = commands.flatMap(({ startedBy }, index) => (next.includes(startedBy ?? -1) ? [index] : []))
  return [...next, ...started].find((index) => {
    const command = commands[index]
    if (command === undefined) return false
    if (hasTrait(command.program, 'huntsSecrets')) return true
    const searches = /^(?:matches|counts)$/.test(command.output ?? '') || hasTrait(command.program, 'git')
    if (searches && command.args.some(({ value }) => findsSecrets(value))) return true
    const own = index === at ? commands[at] : undefined
    return own !== undefined && patternsOf(own).some(fitsAll)
  })
}

/** Matches a search pattern that finds secrets: beginnings of keys, and names of variables that hold secrets. */
const keyLike =
  /\bA[KS]IA|BEGIN(?:(?!BEGIN)[^"'])*PRIVATE|BEGIN (?:RSA|OPENSSH|DSA|EC|PGP|ENCRYPTED)|PRIVATE KEY|\bgh[pousr]_|github_pat_|\bglpat-|\bxox[[a-z]|\b[sr]k_live|\bsk-|\bAIza|\bnpm_|\bhf_|passw|secret|\btoken|api[_.-]?key|credential/i

/** True if a search pattern finds secrets. */
export const findsSecrets = (pattern: string): boolean => keyLike.test(pattern)

const wide = /^\/(?:home|root|users|etc|var|opt)?\/?$/i

/** True if a whole home, or a whole machine, is read recursively. */
export const isWideRead = ({ access, recursive, absolute = '', inHome }: TouchedPath) =>
  access === 'read' && recursive === true && (inHome === '' || wide.test(absolute))

/** True if a regular expression matches nearly every line: without its operators, at most one character is left. */
export const fitsAll = (pattern: string): boolean =>
  !pattern.includes('/') && withoutSets(pattern).replaceAll(/\\[a-z]|\{[\d,]*\}|[.*+?^$()|]/gi, '').length < 2

/** Returns a regular expression with a dot for each set of characters that is closed. */
const withoutSets = (pattern: string) =>
  pattern.replaceAll(/\[[^\]]*(?:\]|$)/g, (set) => (set.endsWith(']') ? '.' : set))
