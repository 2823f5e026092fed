import type { AgentName } from '../../model/event.ts'
import { nodeVariables } from '../../model/node-environment.ts'
import { shellWord } from '../../model/text.ts'
import type { Launcher } from '../install-context.ts'

/** The command of a hook that an administrator registers. */
interface Guard {
  readonly agent: AgentName
  readonly launcher: Launcher
  readonly platform: NodeJS.Platform
  /** True at events that are refused where nothing answers. */
  readonly refuses: boolean
}

/**
 * Writes the command: it runs hookgate and, if that is missing or breaks, refuses and says so. A bare path would be
 * silence to some agents, and the action would go on.
 *
 * Variables with which Node runs other code, or hangs, are unset: a repository can set some of them.
 */
export function guardLine({ agent, launcher, platform, refuses }: Guard): string {
  const { node, bin } = launcher
  const run = `run --agent ${agent} --with-gate`
  // Tried on no machine: `||` is of its shell as well.
  if (platform === 'win32') return `${[node, bin].map(windowsWord).join(' ')} ${run}${refuses ? ' || exit 2' : ''}`
  const words = [node, bin].map(shellWord)
  const gone = shellWord(`hookgate is missing (${bin}): an administrator has to install it again`)
  const isThere = `[ -x ${words[0]} ] && [ -f ${words[1]} ]`
  const missing = `{ echo ${gone} >&2; exit ${refuses ? 2 : 0}; }`
  return `${isThere} || ${missing}; unset ${nodeVariables.join(' ')}; ${words.join(' ')} ${run}${refuses ? ' || exit 2' : ''}`
}

const word = String.raw`(?:[\w@%+=:,./-]|'[^']*'|\\')+`
const onUnix = new RegExp(
  String.raw`^\[ -x (${word}) \] && \[ -f (${word}) \] \|\| \{ echo ${word} >&2; exit [02]; \}; unset [\w ]+; ${word} ${word} run --agent ([\w-]+)(?: --with-gate)?(?: \|\| exit 2)?$`,
)
const onWindows =
  /^("[^"]+"|[\w@+=:,./\\-]+) ("[^"]+"|[\w@+=:,./\\-]+) run --agent ([\w-]+)(?: --with-gate)?(?: \|\| exit 2)?$/

/**
 * Recognises the command, of any version and installation, and returns what it runs.
 *
 * INVARIANT: it counts only as a whole: nothing else is taken out of an administrator's file.
 */
export function guardIn(agent: AgentName, command: string | undefined): Launcher | undefined {
  const [, node, bin, named] = onUnix.exec(command ?? '') ?? onWindows.exec(command ?? '') ?? []
  if (node === undefined || bin === undefined || named !== agent) return undefined
  return { node: unquoted(node), bin: unquoted(bin) }
}

const windowsWord = (text: string) => (/^[\w@+=:,./\\-]+$/.test(text) ? text : `"${text}"`)
const unquoted = (text: string) =>
  text.startsWith('"') ? text.slice(1, -1) : text.replaceAll(`\\'`, '\0').replaceAll("'", '').replaceAll('\0', "'")
