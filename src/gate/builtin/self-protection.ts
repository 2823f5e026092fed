import { hasShellTrait } from '../../model/shell-traits.ts'
import { isAbsolute, relative, resolve } from 'node:path'
import type { InnerCode } from '../../agents/install/install.ts'
import { descriptorOf } from '../../agents/registry.ts'
import { notApplicable, type Outcome } from '../../model/evaluation.ts'
import type { HookEvent, ToolUse } from '../../model/event.ts'
import { isJsonObject, type Json, type JsonObject } from '../../model/json.ts'
import type { ProtectedPath, SelfProtection } from '../../model/rule.ts'
import { pathsHere, type ShellCommand, type TouchedPath, unknownPart } from '../../model/shell.ts'
import { quoted } from '../../model/text.ts'
import type { ToolFacts } from '../../model/tool-facts.ts'
import { folded } from '../../rules/match/glob.ts'
import { mcpArguments } from '../../tools/mcp-call.ts'
import { toolWords } from '../../words/names.ts'
import { surelyAsksForHelp, wordsBeside } from '../../words/options.ts'
import { isWithin } from '../../words/paths.ts'
import { endsGate } from './ended-gate.ts'
import { mayControlHookgate, readsSecret } from './hidden-control.ts'
import { controlIn, controlsHookgate } from './own-commands.ts'
import { namedFolders } from './permitted.ts'
import { byTool, changedPart, type Guarded, guardedFor, isStateSecret, type TouchedBy } from './protected-paths.ts'
import { mayChangeGuarded, mentionsGuarded } from './searched-names.ts'

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
        switchesOff(command, [event.agent, ...protection.agents]) ??
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

function touchedBy(command: ShellCommand): TouchedBy {
  const { paths } = command
  const sources = paths.filter(({ access, metadata }) => access !== 'write' && metadata !== true)
  return {
    sources: sources.flatMap(({ absolute }) => absolute?.split('/').at(-1) ?? []).map((name) => name.toLowerCase()),
    isGit: hasShellTrait(command, 'git'),
    isLink: paths.some(({ change }) => change === 'linked'),
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

/** Words in the names of tools, and of their servers, that type for a person: on a desktop, or in another terminal. */
const types: ReadonlySet<string> = new Set(
  `type typing typed keyboard key keys keystroke keystrokes press paste clipboard terminal tmux screen zellij console pty
  tty stdin repl desktop computer iterm iterm2 kitty wezterm ghostty warp alacritty vnc rdp applescript osascript
  automation autohotkey expect interact`.split(/\s+/),
)
/** Words in the names of tools that open an address. */
const opens: ReadonlySet<string> = new Set(
  `browser browse chrome chromium firefox safari edge arc playwright puppeteer selenium devtools navigate goto visit open
  tab page url fetch request http`.split(/\s+/),
)

/** Says what a tool would type of hookgate's commands, or that it would open hookgate's page; else `undefined`. */
function actsForPerson({ kind, name, input }: ToolUse, { pagePort }: SelfProtection): string | undefined {
  if (kind !== 'mcp' && kind !== 'other' && kind !== 'browser') return undefined
  const words = toolWords(name)
  const doesType = words.some((word) => types.has(word))
  if (!doesType && kind !== 'browser' && !words.some((word) => opens.has(word))) return undefined
  const texts = textsIn(input)
  // In a browser as well, what is typed may be the address.
  if (texts.some((text) => opensPage(text, pagePort))) return 'this would open hookgate’s page, which is a person’s'
  const typed = doesType ? texts.map(controlIn).find((found) => found !== undefined) : undefined
  return typed === undefined ? undefined : `this would type ${quoted(typed)}, which controls hookgate, for a person`
}

/** Tells whether a text has the address of hookgate's page: with the secret of a link, or the port that it is at now. */
const opensPage = (text: string, port: number | undefined): boolean =>
  [...text.matchAll(/([\p{L}\p{N}.%-]{1,80}|\[[\da-f:.]{2,45}\]):(\d{1,8})(\/open\/[\w-]{16})?/giu)].some(
    ([, host = '', at, link]) => (link !== undefined || Number(at) === port) && isThisMachine(host),
  )

/** Tells whether a browser takes a host for this machine, in each spelling that it knows: `127.1`, `0x7f000001`, `localhost.`. */
function isThisMachine(host: string): boolean {
  const name = URL.parse(`http://${host}`)?.hostname.replace(/\.$/, '') ?? ''
  return /^(?:(?:.*\.)?localhost|127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\]|\[::ffff:7f[\da-f]{2}:[\da-f]{1,4}\])$/.test(name)
}

/** Returns the texts in an input, and those of each list together: keys may be given one by one. */
function textsIn(value: Json): readonly string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) {
    const pieces = value.filter((one) => typeof one === 'string')
    const keys = pieces.map((one) => (/^(?:Space|Enter|Return|C-m)$/.test(one) ? ' ' : one))
    return [...value.flatMap(textsIn), keys.join(''), pieces.join(' ')]
  }
  return isJsonObject(value) ? Object.values(value).flatMap(textsIn) : []
}

/** Files from which agents take variables, in any folder. */
const variableFile = /(?:^|\/)\.env(?:rc|(?:\.(?:development|production|test))?(?:\.local)?)$/

/**
 * Says that a call writes a file of variables, or another that an agent reads at its start, and has a line with which one
 * of the agents does not ask hookgate. Where the line goes is not looked for: in a shell it may pass through any program.
 */
function switchLine(tool: ToolUse, { paths, changes }: ToolFacts, agents: readonly string[]): string | undefined {
  const text = () =>
    tool.command ?? (changes.length > 0 ? changes.map(({ added }) => added).join('\n') : JSON.stringify(tool.input))
  const named = innerCodeOf(agents).flatMap(({ line }) => {
    const at = line === undefined ? undefined : paths.find((path) => isWritten(path, line.file))
    return at !== undefined && line?.text.test(text()) === true ? [at] : []
  })[0]
  if (named !== undefined)
    return `${quoted(named.written)} would name code that an agent runs in its own process, where it can overrule hookgate`
  const written = paths.find((path) => isWritten(path, variableFile))
  return written === undefined ? undefined : variableLine(written.written, text(), agents)
}

function variableLine(file: string, text: string, agents: readonly string[]): string | undefined {
  for (const { title, variables } of agents.flatMap((name) => descriptorOf(name) ?? [])) {
    const rows = variables?.rows ?? []
    // An agent that takes none from a project reads them in no such file but its own, which self-protection keeps.
    if (!rows.some(({ from }) => from.includes('project'))) continue
    for (const { name, when = /./, does, from } of rows) {
      if (!from.some((one) => one === 'project' || one === 'user') || !text.includes(name)) continue
      const line = new RegExp(String.raw`(?:^|\W|\\n)${name}["']?\s*[=:]\s*\\?["']?([^\s"'\\;|&]*)`, 'g')
      if ([...text.matchAll(line)].some(([, value = '']) => value !== '' && when.test(value)))
        return `this would set ${name} in ${quoted(file)}, with which ${title} ${does}`
    }
  }
  return undefined
}

const isWritten = ({ access, written, absolute = written }: TouchedPath, file: RegExp) =>
  access === 'write' && file.test(absolute.replaceAll('\\', '/'))

/** Returns what these agents load into their own process, above the hooks that ask hookgate. */
const innerCodeOf = (agents: readonly string[]): readonly InnerCode[] =>
  [...new Set(agents)].flatMap((agent) => descriptorOf(agent)?.innerCode ?? [])

/** Says that a command of an agent's own program has that agent ask no longer; `undefined` for any other command. */
function switchesOff({ program, args }: ShellCommand, agents: readonly string[]): string | undefined {
  const words = args.map(({ value }) => ` ${value}`).join('')
  const found = agents
    .flatMap((agent) => descriptorOf(agent) ?? [])
    .find(({ offCommands }) => offCommands?.program === program && offCommands.words.test(words))
  return found === undefined || surelyAsksForHelp(args)
    ? undefined
    : `${quoted(`${program}${words}`.slice(0, shownMax))} would have ${found.title} ask hookgate no longer`
}

/**
 * Says by which word a command starts an agent with code that stands above its hooks, or installs such code; `undefined`
 * for any other command.
 *
 * @param all every command of the line: an earlier one may export a variable
 */
function loadsInnerCode(
  command: ShellCommand,
  all: readonly ShellCommand[],
  kinds: readonly InnerCode[],
): string | undefined {
  const kind = kinds.find(({ programs }) => programs.includes(command.program))
  if (kind === undefined) return undefined
  const words = command.args.map(({ value }) => value)
  if (surelyAsksForHelp(command.args)) return undefined
  const option = words.find((word) => kind.options.test(word) || kind.settings.test(word))
  const variable = kind.variables.find((name) => all.some((one) => sets(one, name)))
  const operands = wordsBeside(command.args).join(' ')
  const by = option ?? variable ?? (kind.commands.test(operands) ? operands : undefined)
  if (by === undefined) return undefined
  return `${quoted(command.program)} with ${quoted(by.slice(0, shownMax))} loads code that can overrule hookgate`
}
const shownMax = 80

/** True if a command sets a variable for itself, or exports it. */
const sets = (command: ShellCommand, variable: string) =>
  command.assignments.some(({ name }) => name === variable) ||
  ((hasShellTrait(command, 'declares') || hasShellTrait(command, 'setsByWords')) &&
    command.args.some(({ value }) => value === variable || value.startsWith(`${variable}=`)))
