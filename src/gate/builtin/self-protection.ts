import { isAbsolute, relative, resolve } from 'node:path'
import type { HookEvent, ToolUse } from '../../model/event.ts'
import { notApplicable, type Outcome } from '../../model/evaluation.ts'
import type { JsonObject } from '../../model/json.ts'
import { mcpArguments } from '../../tools/mcp-call.ts'
import { isWithin } from '../../words/paths.ts'
import { toolWords } from '../../words/names.ts'
import type { ProtectedPath, SelfProtection } from '../../model/rule.ts'
import { pathsHere, type ShellCommand, type TouchedPath, unknownPart } from '../../model/shell.ts'
import { quoted } from '../../model/text.ts'
import type { ToolFacts } from '../../model/tool-facts.ts'
import { endsGate } from './ended-gate.ts'
import { mayControlHookgate, readsSecret } from './hidden-control.ts'
import { actsForPerson, opensPage } from './in-a-persons-place.ts'
import { innerCodeOf, loadsInnerCode } from './inner-code.ts'
import { controlsHookgate } from './own-commands.ts'
import { mentionsGuarded } from './mentions.ts'
import { namedFolders } from './permitted.ts'
import { byTool, changedPart, guardedFor, type Guarded, isStateSecret, type TouchedBy } from './protected-paths.ts'
import { mayChangeGuarded } from './searched-names.ts'
import { switchLine } from './switch-lines.ts'
import { folded } from '../../rules/match/glob.ts'

/** Refuses a call that would change, reconfigure or end hookgate. It has no opinion of any other. */
export function selfProtectionOutcome(protection: SelfProtection, event: HookEvent, facts: ToolFacts): Outcome {
  const { tool } = event
  if (tool === undefined) return notApplicable
  const guarded = guardedFor(protection, event)
  const { commands } = facts.shell
  const named = facts.paths.slice(0, facts.paths.length - commands.flatMap(pathsHere).length)
  const change = reasonFor(pathsOf(tool, named), byTool, guarded)
  if (change !== undefined) return denyWith([change])
  const question = switchLine(tool, facts, [event.agent, ...protection.agents]) ?? actsForPerson(tool, protection)
  const otherwise: Outcome = question === undefined ? notApplicable : { ...denyWith([question]), effect: 'ask' }
  const reading = readingOutcome(tool, named, guarded)
  const asked = reading.kind === 'applicable' ? reading : otherwise
  // An MCP tool may run a command as well.
  if (commands.length === 0 || (asked.kind === 'applicable' && asked.effect === 'deny')) return asked
  const moved = movedBy(mcpArguments(tool.input), event.session.cwd, protection.homes[0] ?? '')
  const gate = {
    ...protection,
    readsState: ({ paths }: ShellCommand) => paths.some((path) => isOfState(path, guarded)),
    holdsState: (folder: string) =>
      guarded.paths.some(({ part, path }) => part === 'state' && isWithin(path, folded(folder))),
  }
  const innerCode = innerCodeOf([event.agent, ...protection.agents])
  const found = commands.flatMap((command, at): readonly (readonly [number, string])[] => {
    const changes = () => reasonFor(pathsHere(command).flatMap(moved), touchedBy(command), guarded)
    const reason = !actsHere(command, protection.homes)
      ? changes()
      : (controlsHookgate(command, protection.programs) ??
        loadsInnerCode(command, commands, innerCode) ??
        (command.args.some(({ value }) => opensPage(value, protection.pagePort))
          ? `${quoted(command.program)} would open hookgate’s page, which is a person’s`
          : undefined) ??
        (endsGate(at, facts.shell, gate) ? `${quoted(command.program)} would end hookgate’s process` : undefined) ??
        changes())
    return reason === undefined ? [] : [[at, reason]]
  })
  if (found.length > 0) return answerFor('deny', found)
  const home = protection.homes[0] ?? ''
  const doubtful = commands.flatMap((command, at): readonly (readonly [number, string])[] => {
    const here = { ...command, paths: pathsHere(command) }
    const mayChange = () => mayChangeGuarded(here, commands, guarded)
    const reason = !actsHere(command, protection.homes)
      ? (mayChange() ?? readsSecret(here, guarded))
      : (mentionsGuarded(command, guarded, home) ?? mayChange() ?? mayControlHookgate(at, facts.shell, guarded, home))
    return reason === undefined ? [] : [[at, reason]]
  })
  return doubtful.length === 0 ? asked : answerFor('ask', doubtful)
}

/**
 * Refuses to read what proves that a person answers, and asks about a folder above the state, of which all is read.
 * Everything else of hookgate may be looked at.
 */
function readingOutcome({ kind }: ToolUse, paths: readonly TouchedPath[], guarded: Guarded): Outcome {
  // Nothing says that a tool of these kinds does not read what it is taken to write.
  const mayRead = kind === 'mcp' || kind === 'other'
  const isSecret = (path: TouchedPath) =>
    isStateSecret(path.access === 'write' ? { ...path, recursive: true } : path, guarded)
  const secrets = paths.filter(
    (path) =>
      (mayRead || path.access === 'read') &&
      path.metadata !== true &&
      (isSecret(path) || (path.real !== undefined && isSecret({ ...path, absolute: path.real }))),
  )
  const isInState = (path: TouchedPath) => {
    const { recursive: _, ...one } = path
    return isOfState(one, guarded)
  }
  const worst = secrets.find(isInState) ?? secrets[0]
  if (worst === undefined) return notApplicable
  const name = quoted(pathName(worst))
  return isInState(worst)
    ? denyWith([`this would read ${name}, where hookgate keeps what proves a person’s answer`])
    : { ...denyWith([`this would read a secret of hookgate, with all of ${name}`]), effect: 'ask' }
}

/**
 * Tells whether a command may reach the gate of this machine: it runs here, or in another root or a container in which a
 * home of this machine is. The gate's socket is in that home.
 */
const actsHere = ({ elsewhere, view }: ShellCommand, homes: readonly string[]): boolean =>
  elsewhere !== true ||
  (view?.binds.some(({ here }) => here !== undefined && homes.some((home) => isWithin(folded(home), folded(here)))) ??
    false)

/** @param found indices of commands, each with what is to be said of it */
const answerFor = (effect: 'deny' | 'ask', found: readonly (readonly [number, string])[]): Outcome => ({
  ...denyWith([...new Set(found.map(([, reason]) => reason))], [...new Set(found.map(([at]) => at))]),
  effect,
})

/** @param commands indices of the commands that are refused */
const denyWith = (reasons: readonly string[], commands: readonly number[] = []) => ({
  kind: 'applicable' as const,
  effect: 'deny' as const,
  reason: reasons.map((reason) => `${reason}: ${remedy}`).join('\n'),
  ...(commands.length > 0 && { commands }),
  obligations: [],
  advice: [],
})
const remedy = 'a person can do this in a terminal'

const parts: Readonly<Record<ProtectedPath['part'], string>> = {
  rules: 'which holds rules of hookgate',
  state: 'which holds the state of hookgate',
  program: 'which is the program of hookgate',
  settings: 'which decides whether an agent asks hookgate',
}

function reasonFor(paths: readonly TouchedPath[], by: TouchedBy, guarded: Guarded): string | undefined {
  for (const path of paths) {
    const found = changedPart(path, by, guarded)
    if (found !== undefined) return `this would ${verbOf(path)} ${quoted(pathName(path))}, ${parts[found.part]}`
  }
  return undefined
}

const pathName = ({ written, absolute = '' }: TouchedPath) =>
  (written === '' ? absolute : written).replaceAll(unknownPart, '…')

function verbOf({ access, metadata }: TouchedPath): string {
  if (access === 'read') return 'link to'
  if (access === 'delete') return 'delete or move'
  return metadata === true ? 'change the rights of' : 'write'
}

function touchedBy({ program, args, paths }: ShellCommand): TouchedBy {
  const sources = paths.filter(({ access, metadata }) => access !== 'write' && metadata !== true)
  const options = args.map(({ value }) => value).filter((word) => word.startsWith('-'))
  return {
    sources: sources.flatMap(({ absolute }) => absolute?.split('/').at(-1) ?? []).map((name) => name.toLowerCase()),
    isGit: program === 'git',
    isLink:
      /^(?:g?ln|link|mklink)$/.test(program) ||
      (/^g?cp$/.test(program) && options.some((option) => /^-[a-zA-Z]*[ls]|^--(?:symbolic-)?link$/.test(option))),
  }
}

const isOfState = (path: TouchedPath, guarded: Guarded) =>
  changedPart({ ...path, access: 'write' }, byTool, guarded)?.part === 'state'

/**
 * Returns the places that a path of a command may have: some agents name the folder of a command in a field of its own,
 * and the facts start from the session's.
 */
function movedBy(input: JsonObject, cwd: string, home: string): (path: TouchedPath) => readonly TouchedPath[] {
  const folders = namedFolders(input).map((folder) => resolve(cwd, folder.replace(/^~(?=\/|$)/, home)))
  return (path) => {
    const { written, absolute } = path
    if (folders.length === 0 || absolute === undefined || isAbsolute(written)) return [path]
    return [path, ...folders.map((folder) => movedTo(path, (place) => resolve(folder, relative(cwd, place))))]
  }
}

/** Returns a path in another folder, without what is known of the place that it had. */
function movedTo(path: TouchedPath, placeIn: (place: string) => string): TouchedPath {
  const { written, absolute, access, recursive, metadata, unresolved, pattern } = path
  return {
    written,
    access,
    ...(absolute !== undefined && { absolute: placeIn(absolute) }),
    ...(recursive && { recursive }),
    ...(metadata && { metadata }),
    ...(unresolved && { unresolved }),
    ...(pattern !== undefined && { pattern: placeIn(pattern) }),
  }
}

/** Returns the paths as a tool uses them. One without a known purpose may also delete or move what it names. */
function pathsOf({ kind, name }: ToolUse, paths: readonly TouchedPath[]): readonly TouchedPath[] {
  if (kind !== 'mcp' && kind !== 'other') return paths
  const words = toolWords(name)
  if (kind === 'other' && words.some((word) => looks.has(word))) return []
  const isMade = words.some((word) => makes.has(word))
  return paths.map((path) =>
    path.access === 'write' && path.recursive !== true && !isMade
      ? { ...path, access: 'delete', recursive: true }
      : path,
  )
}
const looks: ReadonlySet<string> = new Set('read get list search view find stat info show fetch query'.split(' '))
const makes: ReadonlySet<string> = new Set(['create', 'make', 'mkdir'])
