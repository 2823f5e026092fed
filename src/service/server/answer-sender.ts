import { closeSync, openSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { agentNamed } from '../../facts/programs/agents.ts'
import { realPath } from '../../files/real-path.ts'
import type { GatePaths } from '../../files/state/places.ts'
import { printable } from '../../model/text.ts'

/** Ancestors of a process that are looked at: a person's shell has some ten. */
const ancestorsMax = 64

/** A file that the sender of an answer holds open while it asks, by which the gate finds its process. */
const witnessFile = ({ folder }: Pick<GatePaths, 'folder'>, proof: string) => join(realPath(folder), `answer-${proof}`)

/** Runs `send` while this process holds the witness of an answer open. @throws the system error */
export async function withWitness<T>(
  places: Pick<GatePaths, 'folder'>,
  proof: string,
  send: () => Promise<T>,
): Promise<T> {
  const file = witnessFile(places, proof)
  const descriptor = openSync(file, 'w', 0o600)
  try {
    return await send()
  } finally {
    closeSync(descriptor)
    rmSync(file, { force: true })
  }
}

/**
 * Says why the process that sends an approval is no person's: it holds no witness of it, has no controlling terminal, or
 * an agent has started it. `undefined` if nothing speaks against it.
 *
 * The gate's key alone proves no person, as any program of the user can read it. Node does not tell who is at the other
 * end of a socket (`SO_PEERCRED`), so the sender names its process, and Linux tells which files that process has open. No
 * other system tells that without a program of its own: there, the key is the proof.
 */
export function whyNoPerson(places: Pick<GatePaths, 'folder'>, proof: string, pid: number): string | undefined {
  if (process.platform !== 'linux') return undefined
  if (!holds(pid, witnessFile(places, proof))) return 'it does not come from the process that it names'
  let looked = processAt(pid)
  if (looked === undefined) return 'its process has ended'
  if (looked.terminal === 0) return 'it comes from a program that runs in no terminal'
  for (let step = 0; step < ancestorsMax && looked !== undefined; step++) {
    if (looked.agent !== undefined) return `it comes from a program that ${looked.agent} has started`
    looked = looked.parent === 0 ? undefined : processAt(looked.parent)
  }
  return undefined
}

function holds(pid: number, file: string): boolean {
  const folder = `/proc/${pid}/fd`
  try {
    return readdirSync(folder).some((name) => linkIn(join(folder, name)) === file)
  } catch {
    return false
  }
}

/** A descriptor may be closed while the folder is read. */
function linkIn(path: string): string | undefined {
  try {
    return readlinkSync(path)
  } catch {
    return undefined
  }
}

interface LookedAt {
  readonly parent: number
  /** The device of its controlling terminal; 0 for none. */
  readonly terminal: number
  /** The agent that it is, by the name of its program. */
  readonly agent: string | undefined
}

function processAt(pid: number): LookedAt | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // Behind the program's name, which may itself contain spaces and parentheses: state, parent, group, session, terminal.
    const [, parent, , , terminal] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
    return { parent: Number(parent), terminal: Number(terminal), agent: agentAmong(words) }
  } catch {
    return undefined
  }
}

/** Finds an agent by its program, or by the script or the package that an interpreter runs. */
function agentAmong([program = '', ...words]: readonly string[]): string | undefined {
  const names = [program, scriptOf(program, words)].flatMap((path) => [
    basename(path).replace(/\.(?:[cm]?js|exe)$/, ''),
    /\/node_modules\/(?:@[^/]+\/)?([^/]+)\//.exec(path)?.[1] ?? '',
  ])
  const found = names.find((name) => agentNamed(name.toLowerCase()) !== undefined)
  return found && printable(found)
}

/** Returns a program's first operand. Gemini CLI, for one, is started as `node --no-warnings … gemini`. */
function scriptOf(program: string, words: readonly string[]): string {
  if (!interpreters.test(basename(program))) return words[0] ?? ''
  return words.find((word, at) => !word.startsWith('-') && !takesNext.test(words[at - 1] ?? '')) ?? ''
}
const interpreters = /^(?:node|nodejs|bun|deno|python[\d.]*)$/
/** Options of interpreters whose value is the next word. */
const takesNext = /^(?:-r|--require|--import|--loader|--experimental-loader|-C|--conditions|-[XW])$/
