import { closeSync, openSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { agentNamed } from '../../facts/programs/may-start.ts'
import { realPath } from '../../files/real-path.ts'
import type { GatePaths } from '../../files/state/places.ts'
import { printable } from '../../model/text.ts'

/** Runs `send` while this process holds the witness file of an answer open. @throws the system error */
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

/** Returns the file that the sender of an answer holds open while it asks, by which the gate finds its process. */
const witnessFile = ({ folder }: Pick<GatePaths, 'folder'>, proof: string) => join(realPath(folder), `answer-${proof}`)

/**
 * Says why the process that sends an approval is no person's: it does not hold the witness file, has no controlling
 * terminal, or an agent has started it. `undefined` if nothing speaks against it.
 *
 * The gate's key alone proves no person, as any program of the user can read it. Node does not say who is at the other
 * end of a socket (`SO_PEERCRED`), so the sender names its process, and Linux says which files that process has open. On
 * other systems, that takes a program of its own to find out: there, the key is the proof.
 */
export function whyNoPerson(places: Pick<GatePaths, 'folder'>, proof: string, pid: number): string | undefined {
  if (process.platform !== 'linux') return undefined
  if (!holds(pid, witnessFile(places, proof))) return 'it does not come from the process that it names'
  let ancestor = processAt(pid)
  if (ancestor === undefined) return 'its process has ended'
  if (ancestor.terminal === 0) return 'it comes from a program that runs in no terminal'
  for (let step = 0; step < ancestorsMax && ancestor !== undefined; step++) {
    if (ancestor.agent !== undefined) return `it comes from a program that ${ancestor.agent} has started`
    ancestor = ancestor.parent === 0 ? undefined : processAt(ancestor.parent)
  }
  return undefined
}
/** Ancestors of a process that are looked at: a person's shell has some ten. */
const ancestorsMax = 64

/** Returns true if a process has a file open. */
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

interface ProcessEntry {
  readonly parent: number
  /** The device of its controlling terminal; 0 for none. */
  readonly terminal: number
  /** The agent whose program it runs. */
  readonly agent: string | undefined
}

function processAt(pid: number): ProcessEntry | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // Behind the program's name, which may itself contain spaces and parentheses: state, parent, group, session, terminal.
    const [, parent, , , terminal] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
    return { parent: Number(parent), terminal: Number(terminal), agent: agentIn(words) }
  } catch {
    return undefined
  }
}

/** Finds the agent in a command line: by the program, or by the script or the package that an interpreter runs. */
function agentIn([program = '', ...words]: readonly string[]): string | undefined {
  const names = [program, scriptOf(program, words)].flatMap((path) => [
    basename(path).replace(/\.(?:[cm]?js|exe)$/, ''),
    /\/node_modules\/(?:@[^/]+\/)?([^/]+)\//.exec(path)?.[1] ?? '',
  ])
  const found = names.find((name) => agentNamed(name.toLowerCase()) !== undefined)
  return found && printable(found)
}

/** Returns a program's first operand. Gemini CLI, for example, is started as `node --no-warnings … gemini`. */
function scriptOf(program: string, words: readonly string[]): string {
  if (!interpreter.test(basename(program))) return words[0] ?? ''
  return words.find((word, at) => !word.startsWith('-') && !takesNext.test(words[at - 1] ?? '')) ?? ''
}
const interpreter = /^(?:node|nodejs|bun|deno|python[\d.]*)$/
/** Options of interpreters whose value is the next word. */
const takesNext = /^(?:-r|--require|--import|--loader|--experimental-loader|-C|--conditions|-[XW])$/
