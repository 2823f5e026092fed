import type { CodeLanguage, ShellCommand, ShellFlow, ShellSurroundings } from '../../model/shell.ts'
import { shellLimits } from '../../model/limits.ts'
import { bounded, type ReportLeftOut } from '../bounds.ts'
import { placeOf } from '../paths/index.ts'
import { effectsOf } from '../programs/describe.ts'
import type { CommandEffects } from '../programs/effects.ts'
import { lineIn } from '../programs/line.ts'
import { fileFlows } from './file-flows.ts'
import { outputsOf } from '../programs/outputs.ts'
import { languageOfStdin, runsStdin } from './runs-stdin.ts'
import { handlerFlows } from './handlers.ts'
import { withLinks } from './links.ts'
import { withNamed } from './named.ts'
import { withObeyed } from './obeyed.ts'

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
  const { flows, isCut } = fileFlows(commands, effects, [...own, ...handlerFlows(commands, effects)])
  const uncertain = new Set(isCut ? ['there are too many files to follow their data'] : [])
  const touching = withPaths(commands, effects, (what) => uncertain.add(what))
  return { commands: withObeyed(touching, flows), flows, uncertain: [...uncertain] }
}

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

function withPaths(
  commands: readonly ShellCommand[],
  effects: readonly CommandEffects[],
  report: ReportLeftOut,
): readonly ShellCommand[] {
  let together = 0
  return commands.map((command, at) => {
    const effect = effects[at]
    const [line, fed, outputs] = [lineIn(command), languageFed(command), outputsOf(command)]
    const isPlain = line === undefined && fed === undefined && outputs === undefined
    const read = isPlain ? command : { ...command, ...(line && { line }), ...(fed && { fed }), ...outputs }
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
    const network = command.network ?? effect.network
    return {
      ...told,
      paths,
      ...(network !== undefined && { network }),
      ...(leftOut !== undefined && { uncertain: [...command.uncertain, leftOut] }),
    }
  })
}
