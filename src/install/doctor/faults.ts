import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventSpellings, subscribedEvents } from '../../agents/registry.ts'
import { lastResortAt } from '../../agents/last-resort.ts'
import { shellCall } from '../../agents/neutral-call.ts'
import { newKey } from '../../files/state/keys.ts'
import { ensurePlaces } from '../../files/state/own-folder.ts'
import { type GatePaths, placesOf } from '../../files/state/places.ts'
import { canaryPrefix } from '../../model/heartbeat.ts'
import type { AgentName } from '../../model/event.ts'
import { limits } from '../../model/limits.ts'
import { ownHookAgent } from '../../model/own-hook.ts'
import { firstLine, quoted, shellWord } from '../../model/text.ts'
import { standInGate } from '../../service/client/probe.ts'
import { type CanaryResponse, inTurn, refusalIn, runProgram } from '../canary.ts'
import type { AgentStatus, InstallContext } from '../index.ts'

/** A fault that a user's installation can have, and what an agent must see then. */
interface Fault {
  readonly id: string
  readonly what: string
  readonly seen: string
  /** Parts of the refusal's reason, of which it must have one. A canary is refused by the process that decides. */
  readonly because: readonly string[]
  /** The state of the gate that listens at the socket. Default: none listens. */
  readonly gate?: 'silent' | 'busy'
  readonly rules?: string
  readonly isClientGone?: true
}

const busy = `it is busy with ${limits.httpRequestsMax} other events; try again`
const refusal = 'a refusal that says so'
const decidedAlone = 'the rules’ answer, by a separate process'

const faults: readonly Fault[] = [
  { id: 'gate-absent', what: 'the gate is not running', seen: decidedAlone, because: [canaryPrefix] },
  {
    id: 'gate-stopped',
    what: 'the gate is running but does not respond',
    seen: decidedAlone,
    because: [canaryPrefix],
    gate: 'silent',
  },
  { id: 'gate-busy', what: 'the gate is at full capacity', seen: refusal, because: [busy], gate: 'busy' },
  {
    id: 'rules-malformed',
    what: 'the rules file is malformed',
    seen: refusal,
    because: ['hooks.json'],
    rules: '{"hooks": {"PreToolUse": [\n',
  },
  {
    id: 'client-gone',
    what: 'the client that asks the gate is missing',
    seen: `${refusal}, or ${decidedAlone}`,
    because: ['neither the resident gate', canaryPrefix],
    isClientGone: true,
  },
]

/** `notSafe`: the agent may go ahead. `wrong`: it is stopped, but not by what should stop it. */
export interface FaultResult {
  readonly agent: AgentName
  readonly kind: 'ok' | 'notSafe' | 'wrong'
  readonly why: string | undefined
}

export interface FaultReport extends Pick<Fault, 'id' | 'what' | 'seen'> {
  readonly results: readonly FaultResult[]
}

/**
 * Tries each fault on the hooks that agents run, in a temporary folder with rules and a socket of its own: the user's gate,
 * rules and settings are not touched.
 */
export async function proveFaults(
  context: InstallContext,
  hooks: ReadonlyMap<AgentName, InstalledHook>,
): Promise<readonly FaultReport[]> {
  // Short: a socket's path has some hundred bytes at most.
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'hookgate-doctor-')))
  try {
    return await inTurn(faults, async (fault) => {
      const { id, what, seen } = fault
      const tried = inTurn([...hooks], ([agent, hook]) =>
        tryFault(fault, agent, hook, context, join(folder, id, agent)),
      )
      return { id, what, seen, results: await tried }
    })
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

async function tryFault(
  fault: Fault,
  agent: AgentName,
  hook: InstalledHook,
  { env, platform, places: installed, cwd }: InstallContext,
  folder: string,
): Promise<FaultResult> {
  const { XDG_CONFIG_HOME: _config, HOOKGATE_DEPTH: _depth, ...rest } = env
  const home = join(folder, 'home')
  const own = { ...rest, HOME: home, HOOKGATE_HOME: join(folder, 'gate') }
  const places = placesOf({ env: own, platform, uid: process.getuid?.(), home })
  const rules = join(home, '.config', 'hookgate')
  mkdirSync(rules, { recursive: true })
  if (fault.rules !== undefined) writeFileSync(join(rules, 'hooks.json'), fault.rules)
  ensurePlaces(places)
  const gate = fault.gate === undefined ? undefined : await listenAs(fault.gate, agent, places)
  try {
    const moved = relocateHook(hook.text, installed, places)
    const text = fault.isClientGone === true ? withoutClient(moved, places) : moved
    const session = fault.because.includes(canaryPrefix) ? `${canaryPrefix}${randomUUID()}` : 'hookgate-doctor'
    const event = JSON.stringify(await shellCall(agent, 'true', folder, session))
    const answer = await runProgram({ ...scriptAt(join(folder, 'hook'), text), cwd: folder, env: own }, event)
    return { agent, ...judge(answer, await refusalIn(agent, cwd, answer), fault.because) }
  } finally {
    gate?.close()
  }
}

/** Starts a file as the system would by its first line: it may lie where no file may be executed. */
function scriptAt(file: string, text: string) {
  writeFileSync(file, text, { mode: 0o700 })
  const [shell = '/bin/sh', ...options] = (/^#!(.+)/.exec(text)?.[1] ?? '').split(' ').filter((word) => word !== '')
  return { file: shell, args: [...options, file] }
}

/** Listens in place of a gate that is stuck, or of one that has no room for another event. */
async function listenAs(state: 'silent' | 'busy', agent: AgentName, places: GatePaths): Promise<Server> {
  const server = state === 'silent' ? createServer(() => {}) : busyGate(agent, newKey(places))
  await new Promise<void>((listening, failed) => server.once('error', failed).listen(places.socket, listening))
  return server
}

/** Returns a gate that reads each event and refuses it as busy, with the proof that clients ask for. */
function busyGate(agent: AgentName, key: string): Server {
  const { stdout, stderr, exitCode } = lastResortAt(agent, toolEventOf(agent), busy, false)
  const answer = { stdout: Buffer.from(stdout), stderr: Buffer.from(stderr), exitCode }
  return standInGate(key, () => answer)
}

function judge(
  answer: CanaryResponse,
  reason: string | undefined,
  because: readonly string[],
): Omit<FaultResult, 'agent'> {
  if (answer.problem !== undefined) return { kind: 'notSafe', why: `it gets no answer: ${answer.problem}` }
  if (reason === undefined) return { kind: 'notSafe', why: `it goes ahead: it sees ${shown(answer)}` }
  if (because.some((part) => reason.includes(part))) return { kind: 'ok', why: undefined }
  return { kind: 'wrong', why: `it is refused for the wrong reason: ${quoted(reason)}` }
}

function shown({ exitCode, stdout, stderr }: CanaryResponse): string {
  const line = firstLine(stdout) || firstLine(stderr)
  const code = exitCode === null ? 'no exit code' : `exit code ${exitCode}`
  return `${code} and ${line === '' ? 'no output' : quoted(line)}`
}

/** The file of `enable` that an agent runs before a tool, where it asks through a client of this machine. */
interface InstalledHook {
  /** The kind of its client: `native`, `node` … */
  readonly client: string
  readonly text: string
}

export function installedHook(agent: AgentName, { scopes }: AgentStatus, places: GatePaths): InstalledHook | undefined {
  const folders = [join(places.folder, 'hooks', agent), ...scopes.map(({ place }) => place)]
  for (const file of folders.map((folder) => join(folder, toolEventOf(agent)))) {
    const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
    const client = /^# hookgate \S+: \S+ of \S+, through the (\w+) client\b/m.exec(text)?.[1]
    if (client !== undefined && ownHookAgent(text) === agent && asksAt(text, places)) return { client, text }
  }
  return undefined
}

/** The agent's name for the event before a tool, or before a shell command where it has one for each kind of tool. */
export const toolEventOf = (agent: AgentName): string =>
  eventSpellings(agent).find((event) => subscribedEvents(agent, event)?.events.includes('PreToolUse')) ?? ''

const asksAt = (text: string, { folder, socket }: GatePaths) =>
  text.includes(homeAssignment(folder)) && text.includes(` ${shellWord(socket)} `)

/** A hook's text for a gate elsewhere. Its client, its Node and its hookgate stay: they are to be proved. */
function relocateHook(text: string, from: GatePaths, to: GatePaths): string {
  return text
    .replace(homeAssignment(from.folder), () => homeAssignment(to.folder))
    .replace(` ${shellWord(from.socket)} `, () => ` ${shellWord(to.socket)} `)
    .replace(` ${shellWord(from.folder)} `, () => ` ${shellWord(to.folder)} `)
}

/** A hook's text in which the word before the socket, its client's file, leads nowhere. */
function withoutClient(text: string, { folder, socket }: GatePaths): string {
  const at = text.indexOf(` ${shellWord(socket)} `)
  const before = text.slice(0, at).replace(/(?<![\w@%+=:,./'-])(?:'[^'\n]*'|\\'|[\w@%+=:,./-])+$/, '')
  return `${before}${shellWord(`${folder}/missing`)}${text.slice(at)}`
}

const homeAssignment = (folder: string) => `HOOKGATE_HOME=${shellWord(folder)} `
