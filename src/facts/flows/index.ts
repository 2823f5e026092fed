import type {
  CodeLanguage,
  ShellCommand,
  ShellFlow,
  ShellRedirection,
  ShellSurroundings,
  TouchedPath,
} from '../../model/shell.ts'
import { shellLimits } from '../../model/limits.ts'
import { bounded, type LeftOut, type ReportLeftOut } from '../bounds.ts'
import { placeOf } from '../paths/index.ts'
import { sentOf } from './sent-variables.ts'
import { effectsOf, lineIn, outputsOf } from '../programs/describe.ts'
import type { CommandEffects } from '../programs/effects.ts'
import { fileFlows } from './file-flows.ts'
import { handlerFlows, languageOfStdin, runsStdin, withNamed } from './named.ts'
import { onlyTries } from '../../words/options.ts'
import type { Obeys } from '../programs/row.ts'
import { chosenBy } from '../programs/processes.ts'
import { isPlain, programNamed, traitsOf } from '../programs/table.ts'

/** The commands with the paths they touch, and the data flows between them. */
interface Effects {
  readonly commands: readonly ShellCommand[]
  readonly flows: readonly ShellFlow[]
  /** Limits that were reached, as messages. */
  readonly uncertain: readonly string[]
}

/** @param structural the flows that follow from the shell text itself: pipes, arguments, variables */
export function withEffects(
  commands: readonly ShellCommand[],
  structural: readonly ShellFlow[],
  around: ShellSurroundings,
): Effects {
  const { cwd: _, ...rest } = around
  const place = placeOf(rest)
  const described = commands.map((command) => effectsOf(command, place))
  const effects = withLinks(withNamed(commands, described, structural, place))
  const own = structural.map((flow) => asRun(flow, commands[flow.to], effects[flow.to]))
  const { flows, isCut } = fileFlows(commands, withCode(commands, effects), [
    ...own,
    ...handlerFlows(commands, effects),
  ])
  const uncertain = new Set(isCut ? ['there are too many files to follow their data'] : [])
  const touching = withPaths(commands, effects, (what) => uncertain.add(what))
  return { commands: withObeyed(touching, flows), flows, uncertain: [...uncertain] }
}

/** Puts the files of inline code among those that its command touches. */
const withCode = (commands: readonly ShellCommand[], effects: readonly CommandEffects[]): readonly CommandEffects[] =>
  effects.map((effect, at) => {
    const own = effect.inCode ?? commands[at]?.paths ?? []
    return own.length === 0 ? effect : { ...effect, paths: [...own, ...effect.paths] }
  })

/** Marks a flow as code if the command runs its stdin, or runs the text of `<(…)` as a file. */
function asRun(flow: ShellFlow, command: ShellCommand | undefined, effect: CommandEffects | undefined): ShellFlow {
  if (flow.as === 'code' || command === undefined) return flow
  const isInput = flow.via === 'pipe' || flow.via === 'descriptor'
  const runs = (flow.via === 'pipe' && runsStdin(command)) || (isInput && effect?.runsInput === true)
  return runs ? { ...flow, as: 'code' } : flow
}

/** Returns the language of the code that a command gets from a file on its stdin: `bash < s.sh`. */
function languageFed(command: ShellCommand): CodeLanguage | undefined {
  const { redirections, stdin, wrapper } = command
  if (stdin !== undefined || wrapper === true) return undefined
  const isFed = redirections.some(({ operator, descriptor }) => /^<>?$/.test(operator) && descriptor === 0)
  return isFed ? languageOfStdin(command) : undefined
}

/**
 * Returns the language of what a person, or an agent, would type into a command: neither it nor what starts it has an input,
 * and it starts nothing else that is known.
 */
function languageTyped(
  command: ShellCommand,
  at: number,
  commands: readonly ShellCommand[],
): ShellCommand['typed'] | undefined {
  if (command.code !== undefined || command.later !== undefined) return undefined
  const words = command.args.map(({ value }) => ` ${value}`).join('')
  const known = programNamed(command.program)
  const isPrompt = known === undefined ? ownPrompt : isPlain(command.program) ? undefined : namedPrompt
  const waits = known?.row.typed?.test(words) === true || isPrompt?.test(words) === true
  if (!waits && command.wrapper === true) return undefined
  for (let one: ShellCommand | undefined = command; one !== undefined; one = commands[one.startedBy ?? -1])
    if (one.stdin !== undefined || one.redirections.some(isInput)) return undefined
  if (waits) return commands.some(({ startedBy }) => startedBy === at) ? undefined : 'other'
  return languageOfStdin(command) ?? (runsStdin(command) ? 'other' : undefined)
}

/** The prompt of a framework or a tool, by the name that most of them give it: `rails console`, `manage.py shell`. */
const namedPrompt = /^(?: -\S+)*(?: \S*(?:manage\.py|artisan|ssh))? (?:console|dbconsole|dbshell|repl|shell|tinker)$/
const ownPrompt = new RegExp(`${namedPrompt.source}|^ c$`)

const isInput = ({ operator, descriptor, target }: ShellRedirection): boolean =>
  operator.startsWith('<') && descriptor === 0 && target?.value !== '/dev/tty'

function withPaths(
  commands: readonly ShellCommand[],
  effects: readonly CommandEffects[],
  report: ReportLeftOut,
): readonly ShellCommand[] {
  let together = 0
  return commands.map((command, at) => {
    const effect = effects[at]
    const [line, fed, outputs] = [lineIn(command), languageFed(command), outputsOf(command)]
    const typed = languageTyped(command, at, commands)
    const ofAll = traitsOf(command.program)
    const processes = chosenBy({ ...command, ...ofAll })?.processes
    const isUnread = [line, fed, typed, outputs, ofAll, processes, command.code].every((one) => one === undefined)
    const read = isUnread
      ? command
      : {
          ...command,
          ...(line && { line }),
          ...(fed && { fed }),
          ...(typed && { typed }),
          ...outputs,
          ...ofAll,
          ...(processes && { processes }),
          ...sentOf({ ...command, ...ofAll }),
        }
    if (effect === undefined) return read
    const { message, search } = effect
    const told = { ...read, ...(message !== undefined && { message }), ...(search !== undefined && { search }) }
    if (effect.paths.length === 0 && effect.inCode === undefined && effect.network === undefined) return told
    let { leftOut } = effect
    const room = Math.max(0, shellLimits.pathsMaxTogether - together)
    const found = bounded(effect.paths, room, 'it touches more paths than are analyzed', (what) => (leftOut = what))
    together += found.length
    if (leftOut !== undefined) report(leftOut)
    const paths = command.paths.length === 0 ? found : [...(effect.inCode ?? command.paths), ...found]
    const network = read.network ?? effect.network
    return {
      ...told,
      paths,
      ...(network !== undefined && { network }),
      ...(leftOut !== undefined && { uncertain: [...command.uncertain, leftOut] }),
    }
  })
}

/**
 * Resolves paths through the links that the commands themselves would create: `ln -s ~/.ssh k; cat k/id_rsa` reads
 * `~/.ssh/id_rsa`. The target is set as the path's `real`, since these links are not on the disk yet.
 */
function withLinks(effects: readonly CommandEffects[]): readonly CommandEffects[] {
  if (!effects.some(({ linked }) => linked !== undefined)) return effects
  const links = new Map<string, string>()
  return effects.map((effect) => {
    const moved = links.size === 0 ? effect : withRealPaths(effect, links)
    if (effect.linked !== undefined) addLinks(effect.linked, links)
    return moved
  })
}

function withRealPaths(effect: CommandEffects, links: ReadonlyMap<string, string>): CommandEffects {
  let leftOut: LeftOut | undefined
  const tooMany = () => (leftOut = 'it makes more links to links than are followed')
  const paths = effect.paths.map((path) => followedPath(path, links, tooMany))
  const appended = effect.appended?.flatMap((path) => paths[effect.paths.indexOf(path)] ?? [])
  return { ...effect, paths, ...(appended !== undefined && { appended }), ...(leftOut !== undefined && { leftOut }) }
}

function addLinks({ to, names }: NonNullable<CommandEffects['linked']>, links: Map<string, string>): void {
  if (to.absolute === undefined || to.unresolved === true) return
  const base = to.absolute.slice(to.absolute.lastIndexOf('/') + 1)
  for (const { absolute, unresolved } of names) {
    if (absolute === undefined || unresolved === true || absolute === to.absolute) continue
    links.set(absolute, to.absolute)
    // If the name is an existing folder, `ln` creates the link inside it.
    if (base !== '') links.set(absolute === '/' ? `/${base}` : `${absolute}/${base}`, to.absolute)
  }
}

function followedPath(path: TouchedPath, links: ReadonlyMap<string, string>, tooMany: () => void): TouchedPath {
  const { absolute } = path
  if (absolute === undefined || path.access === 'delete') return path
  const real = followed(absolute, links)
  if (real === undefined) {
    tooMany()
    return { ...path, unresolved: true }
  }
  return real === absolute ? path : { ...path, real }
}

/**
 * Replaces the longest prefix that is a link, repeatedly, since links may lead to links. Returns `undefined` after more
 * than `shellLimits.linksMax` replacements.
 */
function followed(path: string, links: ReadonlyMap<string, string>): string | undefined {
  let at = path
  for (let round = 0; round <= shellLimits.linksMax; round++) {
    const next = followOnce(at, links)
    if (next === undefined) return at
    at = next
  }
  return undefined
}

function followOnce(path: string, links: ReadonlyMap<string, string>): string | undefined {
  for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) {
    const to = links.get(path.slice(0, end))
    if (to !== undefined && !to.startsWith(path.slice(0, end))) return to + path.slice(end)
  }
  return undefined
}

/** Adds to commands which earlier ones have written a file, or pipe a text, that they do as they are told by. */
const withObeyed = (commands: readonly ShellCommand[], flows: readonly ShellFlow[]): readonly ShellCommand[] =>
  commands.map((command, at) => {
    const says = at === 0 ? undefined : programNamed(command.program)?.row.obeys
    if (says === undefined) return command
    const words = wordsOf(command)
    if (says.when?.test(words.join(' ')) === false) return command
    if (onlyTries(command.args, ...trials, ...(says.looks?.split(' ') ?? []))) return command
    const piped =
      says.stdin?.(words) === true
        ? flows.filter(({ to, via }) => to === at && via === 'pipe').map(({ from }) => from)
        : []
    const written = commands.slice(0, at).flatMap((earlier, from) => {
      const isObeyed = earlier.paths.some(
        ({ access, absolute }) =>
          access === 'write' && absolute !== undefined && isNamed(absolute, words, says, command),
      )
      return isObeyed ? [from] : []
    })
    const obeys = [...new Set([...written, ...piped])]
    return obeys.length === 0 ? command : { ...command, obeys }
  })

const trials = ['dry-run', 'check', 'help']

const wordsOf = ({ args, redirections }: ShellCommand): readonly string[] => [
  ...args.map(({ value }) => value),
  ...redirections.flatMap(({ operator, target }) => (operator === '<' ? [target?.value ?? ''] : [])),
]

/** True if a command names a file by one of its words, or by the value in it, or reads it without being told. */
function isNamed(file: string, words: readonly string[], { files }: Obeys, { cwd = '' }: ShellCommand): boolean {
  const isOwn = files !== undefined && file.startsWith(`${cwd}/`)
  if (isOwn && (files.test(file.slice(file.lastIndexOf('/') + 1)) || files.test(file))) return true
  return words.some((word) => {
    const named = word.replace(/^-[^=]*=/, '').replace(/^(?:@|file:\/\/)?(?:\.\/)?/, '')
    return named === file || (named !== '' && !named.startsWith('/') && file.endsWith(`/${named}`))
  })
}
