import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { request } from 'node:http'
import { outcomeOf, shellCall } from '../agents/neutral-call.ts'
import type { AgentName } from '../model/event.ts'
import { canaryAnsweredBy, canaryPrefix } from '../model/heartbeat.ts'
import { gateStartEveryVariable } from '../service/client/index.ts'
import { errorText } from '../model/errors.ts'
import { firstLine, quoted } from '../model/text.ts'
import { askGate } from '../service/server/ask-gate.ts'
import { readState } from '../files/state/gate-state.ts'
import { presenceAt } from '../service/server/heartbeats.ts'
import type { InstallContext, Canary } from './install-context.ts'

/** A program as an agent starts it. */
interface AgentProgram {
  readonly file: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
}

interface HttpPost {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

/** The output of the program or listener that answered a canary. */
export interface CanaryResponse {
  readonly stdout: string
  readonly stderr: string
  /** `null` where it was killed, or never was. */
  readonly exitCode: number | null
  readonly problem: string | undefined
}

/** The way by which an agent sends its events: to a program, which may have another name for people, or to a port. */
export type CanaryWay = { readonly start: AgentProgram; readonly shown?: string } | { readonly post: HttpPost }

/** Sends a canary the way an agent would send an event, and checks that the agent would read its refusal. */
export async function sendCanary(
  agent: AgentName,
  context: Pick<InstallContext, 'places' | 'cwd'>,
  way: CanaryWay,
): Promise<Canary> {
  const sessionId = `${canaryPrefix}${randomUUID()}`
  const event = JSON.stringify(await shellCall(agent, 'true', context.cwd, sessionId))
  const startMs = performance.now()
  const response =
    'start' in way ? await runProgram(way.start, event) : await postedToGate(context, way.post, event, sessionId)
  const durationMs = Math.round(performance.now() - startMs)
  const pid = canaryAnsweredBy((await refusalIn(agent, context.cwd, response)) ?? '', sessionId)
  const shown = 'start' in way ? (way.shown ?? [way.start.file, ...way.start.args].join(' ')) : way.post.url
  if (pid !== undefined && response.problem === undefined) {
    const by = readState(context.places)?.pid === pid ? 'gate' : 'process'
    return { way: shown, answered: true, by, durationMs, problem: undefined }
  }
  return { way: shown, answered: false, by: undefined, durationMs, problem: response.problem ?? whyNot(response) }
}

/** Reads the reason of a refusal as the agent itself would, had it asked about a shell command. */
export async function refusalIn(
  agent: AgentName,
  cwd: string,
  { exitCode, stdout, stderr }: CanaryResponse,
): Promise<string | undefined> {
  if (exitCode === null) return undefined
  const wire = await shellCall(agent, 'true', cwd, 'hookgate')
  const outcome = await outcomeOf(agent, wire, { exitCode, stdout, stderr })
  return outcome.kind === 'applicable' && outcome.effect === 'deny' ? outcome.reason : undefined
}

/** Maps a list sequentially: processes that start at once slow each other down. @returns the results, in order */
export async function inTurn<T, R>(all: readonly T[], one: (each: T) => Promise<R>): Promise<readonly R[]> {
  const results: R[] = []
  // oxlint-disable-next-line no-await-in-loop -- sequential on purpose
  for (const each of all) results.push(await one(each))
  return results
}

function whyNot({ stdout, stderr }: CanaryResponse): string {
  const said = firstLine(stderr) || firstLine(stdout)
  return `it does not answer as hookgate would${said === '' ? '' : `, but says ${quoted(said)}`}`
}

/** Starts the program in its own process group, as agents do, so that the whole group can be killed. */
export function runProgram({ file, args, cwd, env }: AgentProgram, event: string): Promise<CanaryResponse> {
  return new Promise((resolve) => {
    // A check leaves nothing behind: the client starts no gate for the next event.
    const own = { ...env, [gateStartEveryVariable]: '0' }
    const child = spawn(file, args, { cwd, env: own, detached: true, stdio: 'pipe', windowsHide: true })
    let stdout = ''
    let stderr = ''
    let why: string | undefined
    let exitCode: number | null = null
    const end = (reason: string) => {
      why = reason
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
      } catch {
        child.kill('SIGKILL')
      }
      resolve({ stdout, stderr, exitCode, problem: why })
    }
    const late = setTimeout(() => end(`it does not answer within ${canaryMs / 1000} s`), canaryMs)
    const tooMuch = () => {
      if (stdout.length + stderr.length > canaryAnswerBytesMax) end('its output is longer than any answer')
    }
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text
      tooMuch()
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text
      tooMuch()
    })
    child.stdin.on('error', () => {})
    child.stdin.end(event)
    child.on('error', (error) => {
      clearTimeout(late)
      resolve({ stdout, stderr, exitCode, problem: `it does not start: ${errorText(error)}` })
    })
    child.on('close', (code) => {
      clearTimeout(late)
      exitCode = code
      resolve({ stdout, stderr, exitCode, problem: why })
    })
  })
}
/** Timeout of a canary: a cold start on a loaded machine takes some seconds. */
export const canaryMs = 30_000
/** Bytes of a canary's answer that are read. */
export const canaryAnswerBytesMax = 1024 * 1024

const failed = (problem: string): CanaryResponse => ({ stdout: '', stderr: '', exitCode: null, problem })

/**
 * INVARIANT: an answer at a port proves nothing: any program may listen there while the gate does not, and say what a
 * gate would. What counts is what the gate behind the private socket says: that it listens there, and that it received
 * this canary. The token goes to no other program.
 */
async function postedToGate(
  { places }: Pick<InstallContext, 'places'>,
  post: HttpPost,
  event: string,
  sessionId: string,
): Promise<CanaryResponse> {
  const there = await presenceAt(places)
  if (there.kind !== 'answering') return failed('the gate is not running, and no other program should get its token')
  const { http } = there.hello
  if (http === null || new URL(http).origin !== new URL(post.url).origin) {
    return failed(
      `the gate ${http === null ? 'does not listen to HTTP' : `listens at ${http}`}: run \`hookgate up --http\``,
    )
  }
  const response = await postEvent(post, event)
  if (response.problem !== undefined) return response
  const { stdout } = await askGate(places, { to: 'events' })
  return stdout.includes(sessionId) ? response : failed('another program answers there: the gate did not get the event')
}

function postEvent({ url, headers }: HttpPost, event: string): Promise<CanaryResponse> {
  return new Promise((resolve) => {
    const fail = (problem: string) => resolve(failed(problem))
    const asking = request(url, {
      method: 'POST',
      agent: false,
      headers: { ...headers, 'content-type': 'application/json', 'content-length': Buffer.byteLength(event) },
      timeout: canaryMs,
      signal: AbortSignal.timeout(canaryMs),
    })
    asking.on('error', (error) => fail(`nothing answers there: ${errorText(error)}`))
    asking.on('response', (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (piece: string) => {
        text += piece
        if (text.length > canaryAnswerBytesMax) asking.destroy(new Error('its output is longer than any answer'))
      })
      response.on('error', (error) => fail(errorText(error)))
      response.on('end', () => {
        const status = response.statusCode ?? 0
        const problem = status === 200 ? undefined : `it answers with status ${status}: ${quoted(firstLine(text))}`
        resolve({ stdout: text, stderr: '', exitCode: 0, problem })
      })
    })
    asking.end(event)
  })
}
