import { connect } from 'node:net'
import { join } from 'node:path'
import { errorText, HookgateError } from '../../model/errors.ts'
import { limits } from '../../model/limits.ts'
import { quoted } from '../../model/text.ts'
import { agentOfShape, agentOfUnknown, type BridgedAgent } from './agents.ts'

/** An unrecognised event that is kept whole in the error file: a quarter of it, so that others fit as well. */
const bridgeStrayBytesMax = 256 * 1024

/** The bridge's error file: some thousands of lines, for a person to read. */
const bridgeErrorsBytesMax = 1024 * 1024

/** Wait for other writers of an event file: each takes some milliseconds, and writes all pending events. */
const bridgeLockMs = 3000

interface Emission {
  /** The bytes of one event, as the agent wrote them. */
  readonly wire: Uint8Array
  /** If `undefined`, the event's shape determines the agent. */
  readonly agent: BridgedAgent | undefined
  readonly port: number
  /** Returns the token to send to a listener of the user's own. Called only if something listens. */
  readonly token: () => Promise<string | undefined>
  /** Default: the agent's own folder below `home`. */
  readonly folder: string | undefined
  readonly home: string
}

/** Whether the event was delivered or is stored in a file, and notes for the user, one line each. */
interface Emitted {
  readonly kept: boolean
  readonly notes: readonly string[]
}

/** Sends one event to the listener, or stores it in a file. Never throws: an observer must not stop the agent. */
export async function emit(emission: Emission): Promise<Emitted> {
  const { event, problem } = eventIn(emission.wire)
  const known = emission.agent ?? (event === undefined ? undefined : agentOfShape(event.value))
  const agent = known ?? agentOfUnknown
  const folder = emission.folder ?? join(emission.home, ...agent.folder)
  if (event === undefined) return { kept: false, notes: await recordNotes(folder, agent, [problem]) }
  if (known === undefined) return { kept: false, notes: await recordNotes(folder, agent, [unknownAgent], event.text) }
  const posted = await post({
    port: emission.port,
    route: `/${agent.command}`,
    body: emission.wire,
    token: emission.token,
  })
  if (posted.kind === 'accepted') return { kept: true, notes: [] }
  const notes =
    posted.kind === 'notListening' ? [] : [`the listener on port ${emission.port} did not accept it: ${posted.why}`]
  try {
    const { append } = await eventFile()
    const kept = await append(
      { folder, name: agent.eventsFile, bytesMax: limits.bridgeFileBytesMax, waitMs: bridgeLockMs },
      event.text,
    )
    notes.push(...kept.notes)
    if (kept.waitsBecause !== undefined)
      notes.push(`the event is waiting next to \`${agent.eventsFile}\`: ${kept.waitsBecause}`)
    return { kept: true, notes: await recordNotes(folder, agent, notes) }
  } catch (cause) {
    // A system error does not name the folder.
    const where = cause instanceof HookgateError ? '' : ` in ${folder}`
    notes.push(`the event could not be kept${where}: ${errorText(cause)}`)
    return { kept: false, notes: await recordNotes(folder, agent, notes) }
  }
}

const unknownAgent =
  'no known agent writes such an event: it has neither `hook_event_name` nor `hookName`; name its agent with `--agent NAME`'

type ParsedEvent =
  | { readonly event: { readonly text: string; readonly value: object }; readonly problem?: undefined }
  | { readonly event?: undefined; readonly problem: string }

function eventIn(wire: Uint8Array): ParsedEvent {
  if (wire.length > limits.eventBytesMax) return { problem: `the event is larger than ${limits.eventBytesMax} bytes` }
  if (wire.length === 0) return { problem: 'there is no event on stdin' }
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(wire)
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { event: { text, value } }
  } catch {
    // Reported below: invalid JSON and a value that is not an object get the same message.
  }
  return {
    problem: `the input on stdin is not a JSON object: ${quoted(Buffer.from(wire.subarray(0, 400)).toString())}`,
  }
}

/** Appends notes to the error file if possible, with the event if it is stored nowhere else. */
async function recordNotes(
  folder: string,
  agent: BridgedAgent,
  notes: readonly string[],
  event?: string,
): Promise<readonly string[]> {
  if (notes.length === 0) return notes
  const entry = entryOf(notes, event)
  try {
    const { append } = await eventFile()
    const file = { folder, name: agent.errorsFile, bytesMax: bridgeErrorsBytesMax, waitMs: bridgeLockMs }
    const { notes: ofErrors } = await append(file, entry)
    return [...notes, ...ofErrors]
  } catch (cause) {
    const why = errorText(cause)
    return notes.some((note) => note.includes(why))
      ? notes
      : [...notes, `\`${agent.errorsFile}\` cannot be written: ${why}`]
  }
}

/** Returns the JSON of an error entry. The event's text is embedded unparsed: a round trip would change its numbers. */
function entryOf(notes: readonly string[], event: string | undefined): string {
  const entry = JSON.stringify({ timestamp: new Date().toISOString(), errors: notes })
  if (event === undefined) return entry
  const isSmall = Buffer.byteLength(event) <= bridgeStrayBytesMax
  const kept = isSmall ? event : JSON.stringify(`${event.slice(0, bridgeStrayBytesMax / 4)}…`)
  return `${entry.slice(0, -1)},"event":${kept}}`
}

/** Loaded only if no listener accepted the event. */
const eventFile = () => import('./event-file.ts')

/** Wait for a listener per event. The agent waits for nothing it needs; a loaded listener answers in 0.1 s. */
const bridgePostMs = 1000

/** `notListening`: nothing listens, as usual when events are kept in files. `failed`: a listener did not accept the event. */
type Posted =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'notListening' }
  | { readonly kind: 'failed'; readonly why: string }

interface Post {
  readonly port: number
  readonly route: string
  readonly body: Uint8Array
  /** Returns the token to send to a listener of the user's own. Called only if something listens. */
  readonly token: () => Promise<string | undefined>
}

/**
 * Posts an event to a listener on this machine. Uses a plain socket: only the status of the response matters, and
 * `node:http` takes as long to load as everything else together.
 */
export function post({ port, route, body, token }: Post, timeoutMs: number = bridgePostMs): Promise<Posted> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port })
    let answer = ''
    const end = (posted: Posted) => {
      clearTimeout(timer)
      socket.destroy()
      resolve(posted)
    }
    // One timeout for the whole exchange: a listener that sends a byte now and then would never trigger an idle
    // timeout.
    const timer = setTimeout(() => end({ kind: 'failed', why: `timed out after ${timeoutMs} ms` }), timeoutMs)
    socket.setEncoding('latin1')
    socket.on('error', (cause) => {
      const code = 'code' in cause ? String(cause.code) : cause.message
      end(code === 'ECONNREFUSED' ? { kind: 'notListening' } : { kind: 'failed', why: `system error ${code}` })
    })
    socket.on('data', (text: string) => {
      answer += text
      const posted = judge(answer)
      if (posted !== undefined) end(posted)
    })
    socket.on('close', () => end({ kind: 'failed', why: 'it closed the connection without an answer' }))
    const send = async () => {
      socket.write(headOf({ port, route, body }, await token()))
      socket.write(body)
    }
    socket.on('connect', () => void send().catch((cause) => end({ kind: 'failed', why: errorText(cause) })))
  })
}

function headOf({ port, route, body }: Omit<Post, 'token'>, token: string | undefined): string {
  const headers = [
    `POST ${route} HTTP/1.1`,
    `host: 127.0.0.1:${port}`,
    'content-type: application/json',
    `content-length: ${body.length}`,
    'connection: close',
    ...(token === undefined ? [] : [`authorization: Bearer ${token}`]),
  ]
  return `${headers.join('\r\n')}\r\n\r\n`
}

/** Interprets the first status line that is not an interim (1xx) one; `undefined` while it is incomplete. */
function judge(answer: string): Posted | undefined {
  const final = answer.replace(/^(?:HTTP\/1\.1 1\d\d[^]*?\r\n\r\n)+/, '')
  const status = /^HTTP\/1\.[01] (\d{3})[ \r]/.exec(final)?.[1]
  if (status?.startsWith('2')) return { kind: 'accepted' }
  if (status !== undefined && !status.startsWith('1')) return { kind: 'failed', why: `it answered ${status}` }
  const noHttp = !'HTTP/1.'.startsWith(final.slice(0, 7)) || answer.length > bridgeAnswerBytesMax
  return noHttp ? { kind: 'failed', why: 'its answer is not HTTP' } : undefined
}
/** The first line of a listener's answer, and room for headers. */
const bridgeAnswerBytesMax = 16 * 1024
