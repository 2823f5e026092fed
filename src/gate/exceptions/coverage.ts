import { hasShellTrait } from '../../model/shell-traits.ts'
import { isCovered } from '../builtin/permission-paths.ts'
import { isKnownWord, leadsNowhere, runsInNamedFolder } from '../builtin/permitted.ts'
import { isReallyWithin, realPath } from '../../files/real-path.ts'
import type { HookEvent } from '../../model/event.ts'
import { toolCarries } from '../../model/tool-kinds.ts'
import type { Exception } from '../../model/exception.ts'
import { type ShellCommand, type ShellFacts, type TouchedPath } from '../../model/shell.ts'
import type { ToolFacts } from '../../model/tool-facts.ts'
import { matchesWords } from '../../rules/match/word-pattern.ts'

/** The parts of one call that some exceptions cover. */
export interface Coverage {
  /** Returns the exceptions that cover a command of a shell call; `undefined` if it is not covered. */
  command(index: number): readonly Exception[] | undefined
  /** Returns the exceptions that together cover everything that the call does; `undefined` if something is left. */
  whole(): readonly Exception[] | undefined
}

const nothing: Coverage = { command: () => undefined, whole: () => undefined }

/**
 * Judges what exceptions cover of a call.
 *
 * INVARIANT: only what is certain is covered. A word, folder or path that is not known never matches, nor does a command
 * that gets or passes on more than its words say, or that runs elsewhere.
 */
export function coverageOf(exceptions: readonly Exception[], event: HookEvent, facts: ToolFacts): Coverage {
  const { tool } = event
  // An unknown tool may do more than what its input looks like.
  if (tool === undefined || tool.inferred) return nothing
  switch (toolCarries[tool.kind].subject) {
    case 'command':
      // The facts are those of a POSIX shell, in the session's own folder.
      return tool.command === undefined || tool.name === 'PowerShell' || runsInNamedFolder(tool.input)
        ? nothing
        : shellCoverage(exceptions, event, facts.shell)
    case 'path':
      return { ...nothing, whole: () => all(facts.paths, (path) => pathCover(exceptions, path, event)) }
    case 'url':
    case 'input':
      return nothing
  }
}

function shellCoverage(exceptions: readonly Exception[], event: HookEvent, facts: ShellFacts): Coverage {
  if (!isTransparent(facts)) return nothing
  const { commands } = facts
  return { command, whole: () => all([...commands.keys()], command) }

  function command(index: number): readonly Exception[] | undefined {
    const one = commands[index]
    if (one === undefined || !isPlain(one)) return undefined
    const isFed = facts.flows.some(({ to }) => to === index)
    if (isFed || !isOnlyPrinted(facts, index, new Set())) return undefined
    const starter = starterOf(facts, one)
    if (starter === 'unclear') return undefined
    if (starter !== undefined) return command(starter)
    const byWords = exceptions.find((exception) => coversWords(exception, one))
    if (byWords !== undefined) return [byWords]
    return all(one.paths, (path) => pathCover(exceptions, path, event))
  }
}

/** Collects what covers each of some parts; `undefined` if there is none, or one is not covered. */
function all<Part>(
  parts: readonly Part[],
  coverOf: (part: Part) => readonly Exception[] | undefined,
): readonly Exception[] | undefined {
  const covers = parts.map(coverOf)
  return covers.length > 0 && covers.every((one) => one !== undefined) ? covers.flat() : undefined
}

/**
 * Returns whether everything is known about a line that may change how its commands run.
 *
 * An unknown program may be one that sets `GIT_DIR`, after which the same words do something else.
 */
function isTransparent({ commands, uncertain, forkBomb }: ShellFacts): boolean {
  return uncertain.length === 0 && forkBomb !== true && commands.every(leavesShellAsItIs)
}

function leavesShellAsItIs(command: ShellCommand): boolean {
  const { program, written, assignments } = command
  if (written !== undefined) return isKnownWord(written) && program !== '' && !hasShellTrait(command, 'changesShell')
  // Names in capitals are those that programs read: `PATH`, `GIT_DIR`. Without `export`, they still may be exported.
  return assignments.every(({ name }) => /^[a-z_][a-z0-9_]*$/.test(name) && !name.endsWith('_proxy'))
}
/** Returns whether a command's words are known, and nothing is added to them. */
function isPlain({ written, args, assignments, stdin, cwd, uncertain }: ShellCommand): boolean {
  return (
    written !== undefined &&
    [written, ...args].every(isKnownWord) &&
    assignments.length === 0 &&
    stdin === undefined &&
    // Unknown too for a command that runs elsewhere.
    cwd !== undefined &&
    uncertain.length === 0
  )
}

/**
 * Returns the index of the wrapper or interpreter that starts a command, whose own words say what it starts and are
 * therefore those that must match; `undefined` if the shell itself starts the command.
 */
function starterOf({ commands }: ShellFacts, { reach, startedBy }: ShellCommand): number | 'unclear' | undefined {
  const outer = (startedBy === undefined ? undefined : commands[startedBy])?.reach ?? []
  // A command's reach begins with that of the command that starts it.
  const own = reach.slice(outer.length)
  if (own.some(({ through }) => through === 'coproc' || through === 'trap' || through === 'eval')) return 'unclear'
  const isStarted = own.some(({ through }) => through === 'wrapper' || through === 'code')
  return isStarted ? (startedBy ?? 'unclear') : undefined
}

/** Returns the index of the command whose words an exception must match to cover one: the outermost that starts it. */
export function outermostOf(facts: ShellFacts, index: number): number {
  const one = facts.commands[index]
  const starter = one === undefined ? undefined : starterOf(facts, one)
  return typeof starter === 'number' && starter < index ? outermostOf(facts, starter) : index
}

/**
 * Returns whether the output of a command reaches only programs that print it, or a part of it.
 *
 * @param before the commands that it has passed: data may run around in a circle
 */
function isOnlyPrinted(facts: ShellFacts, index: number, before: ReadonlySet<number>): boolean {
  if (before.has(index)) return false
  const receivers = facts.flows.filter(({ from }) => from === index).map(({ to }) => to)
  const passed = new Set([...before, index])
  return receivers.every((to) => isFilter(facts.commands[to]) && isOnlyPrinted(facts, to, passed))
}

function isFilter(one: ShellCommand | undefined): boolean {
  if (one === undefined || !hasShellTrait(one, 'onlyPrints')) return false
  const { written, args, assignments, redirections, elsewhere, uncertain } = one
  return (
    written?.value === one.program &&
    [written, ...args].every(isKnownWord) &&
    assignments.length === 0 &&
    redirections.every(leadsNowhere) &&
    elsewhere === undefined &&
    uncertain.length === 0
  )
}

function coversWords({ subject, project }: Exception, one: ShellCommand): boolean {
  if (subject.kind !== 'command' || !one.redirections.every(leadsNowhere)) return false
  const words = [one.written, ...one.args].map((word) => word?.value ?? '')
  if (!matchesWords(subject, words)) return false
  return project === undefined || (one.cwd !== undefined && isReallyWithin(one.cwd, project))
}

function pathCover(
  exceptions: readonly Exception[],
  path: TouchedPath,
  { workspaceRoots }: HookEvent,
): readonly Exception[] | undefined {
  // The facts do not say which paths a shell's pattern expands to.
  if (path.pattern !== undefined) return undefined
  const cover = exceptions.find(({ subject, project }) => {
    if (subject.kind !== 'path') return false
    const folders = project === undefined ? workspaceRoots : [project]
    const roots = [...new Set(folders.flatMap((folder) => [folder, realPath(folder)]))]
    // A relative pattern starts in the project; an absolute one says nothing of where it is in force.
    const isElsewhere = project !== undefined && !workspaceRoots.some((root) => isReallyWithin(root, project))
    if (subject.glob.startsWith('//') && isElsewhere) return false
    return isCovered(subject.glob, path, { roots, cwd: '' })
  })
  return cover && [cover]
}
