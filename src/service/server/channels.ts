import { spawn } from 'node:child_process'
import { createHmac, randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { namedCall } from '../../words/call-words.ts'
import { titleOf } from '../../agents/registry.ts'
import { secretValue } from '../../files/header-values.ts'
import { isSameSecret, type Topics, topicsOf } from '../../files/state/keys.ts'
import type { GatePaths } from '../../files/state/places.ts'
import type { Approvals } from '../../gate/approvals/queue.ts'
import {
  type AnswerResult,
  type ApprovalSettings,
  exactText,
  type NtfySettings,
  type OpenRequest,
  type RequestAnswer,
} from '../../model/approval.ts'
import { errorText } from '../../model/errors.ts'
import { parsedJson } from '../../model/json.ts'
import { firstLine, visible, withoutEnd } from '../../model/text.ts'
import type { Log } from './log-file.ts'

interface ChannelOptions {
  readonly approvals: Approvals
  readonly places: GatePaths
  readonly env: Readonly<Record<string, string | undefined>>
  readonly log: Log
  /** Returns the settings in force. */
  readonly settings: () => Promise<ApprovalSettings | undefined>
}

/**
 * Tells a person elsewhere of calls that wait, as the settings say at that moment.
 *
 * INVARIANT: a channel that fails is logged, and the request waits for an answer at the terminal.
 *
 * @returns a function that closes the channels
 */
export function openChannels({ approvals, places, env, log, settings }: ChannelOptions): () => void {
  let ntfy: { readonly of: NtfySettings; readonly channel: NtfyChannel } | undefined

  function channelFor(of: NtfySettings): NtfyChannel {
    if (ntfy !== undefined && ntfy.of.url === of.url && JSON.stringify(ntfy.of) === JSON.stringify(of))
      return ntfy.channel
    ntfy?.channel.close()
    const token = () => (of.token === undefined ? undefined : secretValue(of.token, env))
    const channel = openNtfy({
      url: of.url,
      topics: topicsOf(places),
      token,
      log,
      answer: (given) => approvals.answer(given),
    })
    ntfy = { of, channel }
    return channel
  }

  async function announce(request: OpenRequest): Promise<void> {
    const now = await settings()
    // The answer may have come while the settings were looked at.
    if (now === undefined || !approvals.open().some(({ id }) => id === request.id)) return
    if (now.desktop) notifyDesktop(request, env)
    if (now.ntfy !== undefined) channelFor(now.ntfy).opened(request)
  }

  const unlisten = approvals.listen(({ kind, request }) => {
    if (kind === 'ended') {
      ntfy?.channel.ended(request.id)
      return
    }
    void announce(request).catch((error: unknown) =>
      log.warn({ why: errorText(error) }, 'a request for approval is not announced'),
    )
  })
  return () => {
    unlisten()
    ntfy?.channel.close()
  }
}

/** Time for the program that shows a notification: it hands the text over and ends. */
const desktopNotifyMs = 5000

/** Shows a request as a notification of the desktop: a hint that a call waits, and never an answer. */
function notifyDesktop(request: OpenRequest, env: Readonly<Record<string, string | undefined>>): void {
  const words = desktopCommand(request, process.platform)
  if (words === undefined) return
  const [program = '', ...args] = words
  // A gate in the background has none of the desktop's variables: the session's bus is found by the folder it is in.
  const runtime = env['XDG_RUNTIME_DIR'] ?? `/run/user/${process.getuid?.() ?? 0}`
  const child = spawn(program, args, {
    env: { ...env, XDG_RUNTIME_DIR: runtime },
    stdio: 'ignore',
    timeout: desktopNotifyMs,
  })
  // Without a desktop there is nobody to be told: the request waits all the same.
  child.on('error', () => {})
  child.unref()
}

/**
 * Returns the command that shows a notification; `undefined` where the system has none.
 *
 * INVARIANT: what others have written is one argument, and read as plain text.
 */
export function desktopCommand(request: OpenRequest, platform: NodeJS.Platform): readonly string[] | undefined {
  const { agent, toolName, subject, id } = request
  const title = `${titleOf(agent)} waits for you`
  const text = namedCall({ toolName, subject }).slice(0, shownMax).toWellFormed()
  const how = `hookgate approvals approve ${id}`
  if (platform === 'linux') return ['notify-send', '--app-name=hookgate', '--', title, `${escaped(text)}\n${how}`]
  if (platform !== 'darwin') return undefined
  const script = ['on run argv', 'display notification (item 2 of argv) with title (item 1 of argv)', 'end run']
  return ['osascript', ...script.flatMap((line) => ['-e', line]), title, `${text}\n${how}`]
}

/** Characters of a command in a notification, which shows a few lines. */
const shownMax = 200

/** A notification's text is markup. */
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Pause before a push or a connection to ntfy is tried again. It doubles. */
const ntfyRetryMs = 1000

/** The longest such pause: a person has minutes to answer. */
const ntfyRetryMsMax = 30_000

/** Time for one push: a slow server has answered by then, and the next attempt may find a faster one. */
const ntfyRequestMs = 10_000

/** The characters that a line counts for at least: reading the shortest takes as long as reading so many. */
const ntfyLineCost = 512

/** Characters of a push's message: ntfy takes 4096 bytes, and a phone shows some lines. */
const ntfyMessageCharactersMax = 1000

interface NtfyOptions {
  /** The server's address, without a topic. */
  readonly url: string
  readonly topics: Topics
  /** Returns the access token, read anew for each request; `undefined` if the server asks for none. */
  readonly token: () => string | undefined
  readonly log: Log
  readonly answer: (given: RequestAnswer) => AnswerResult
  /** Pause after a failure, ms. It doubles. */
  readonly retryMs?: number
}

/** Pushes requests to a person's phone by ntfy, and takes the answers that come back. */
interface NtfyChannel {
  opened(request: OpenRequest): void
  ended(id: string): void
  close(): void
}

/** A message that ntfy delivers; `open` and `keepalive` are among them. */
const Message = z.looseObject({ event: z.string(), message: z.string().optional() })

/**
 * Opens the channel. It has a connection only while a request is open.
 *
 * INVARIANT: nothing waits for it, and nothing that it receives counts but a text that `openSignedAnswers` has made: a
 * server that is down, slow, repeats itself or lies costs the push, and never an answer.
 */
export function openNtfy({ url, topics, token, log, answer, retryMs = ntfyRetryMs }: NtfyOptions): NtfyChannel {
  const signed = openSignedAnswers()
  const open = new Map<string, AbortController>()
  let listening: AbortController | undefined
  const base = withoutEnd(url, '/')

  function headers(): Readonly<Record<string, string>> {
    const own = token()
    return own === undefined ? {} : { authorization: `Bearer ${own}` }
  }

  /** Tries again until the request ends: the server may come back while the person still has time. */
  async function push(request: OpenRequest, signal: AbortSignal): Promise<void> {
    const back = { url: `${base}/${topics.fromPerson}`, headers: headers() }
    const message = pushOf(request, signed.textsFor(request), back)
    const body = JSON.stringify({ topic: topics.toPerson, ...message })
    await again(signal, 'a request for approval is not pushed', async () => {
      const limit = AbortSignal.any([signal, AbortSignal.timeout(ntfyRequestMs)])
      const response = await fetch(base, { method: 'POST', body, headers: headers(), redirect: 'error', signal: limit })
      await response.body?.cancel()
      if (!response.ok) throw new Error(`it answered ${response.status}`)
    })
  }

  async function listen(sinceS: number, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      // oxlint-disable-next-line no-await-in-loop -- one connection after the other
      await again(signal, 'answers to requests for approval do not arrive', async () => {
        // Whatever came since the first open request: an answer may have been sent while there was no connection.
        const from = `${base}/${topics.fromPerson}/json?since=${sinceS}`
        const response = await fetch(from, { headers: headers(), redirect: 'error', signal })
        if (!response.ok || response.body === null) throw new Error(`it answered ${response.status}`)
        for await (const line of streamLines(response.body)) take(line)
      })
      // oxlint-disable-next-line no-await-in-loop -- a server that ends each connection at once is not asked in a loop
      await sleep(retryMs, undefined, { signal }).catch(() => {})
    }
  }

  async function again(signal: AbortSignal, what: string, attempt: () => Promise<void>): Promise<void> {
    for (let pauseMs = retryMs; !signal.aborted; pauseMs = Math.min(2 * pauseMs, ntfyRetryMsMax)) {
      try {
        // oxlint-disable-next-line no-await-in-loop -- one attempt after the other
        await attempt()
        return
      } catch (error) {
        if (signal.aborted) return
        const cause = error instanceof Error && error.cause !== undefined ? error.cause : error
        log.warn({ channel: 'ntfy', why: errorText(cause) }, what)
        // oxlint-disable-next-line no-await-in-loop -- waiting is the point
        await sleep(pauseMs, undefined, { signal }).catch(() => {})
      }
    }
  }

  function take(line: string): void {
    const message = Message.safeParse(parsedJson(line)).data
    const given = message?.event === 'message' ? signed.read(message.message ?? '') : undefined
    if (given === undefined) return
    const { kind } = answer({ ...given, channel: 'ntfy' })
    log.info({ id: given.id, answer: given.answer, channel: 'ntfy', result: kind }, 'an approval')
  }

  return {
    opened(request) {
      const ending = new AbortController()
      open.set(request.id, ending)
      void push(request, ending.signal)
      if (listening !== undefined) return
      listening = new AbortController()
      void listen(Math.floor(request.openedAtMs / 1000), listening.signal)
    },
    ended(id) {
      signed.forget(id)
      open.get(id)?.abort()
      open.delete(id)
      if (open.size > 0) return
      listening?.abort()
      listening = undefined
    },
    close() {
      for (const id of open.keys()) this.ended(id)
    },
  }
}

/**
 * Makes the push: the command, masked, and two actions, each of which sends its text to the topic back. One that does not
 * fit has no action that approves: nobody approves what they do not see.
 */
function pushOf(
  request: OpenRequest,
  texts: Readonly<Record<RequestAnswer['answer'], string>>,
  back: { readonly url: string; readonly headers: Readonly<Record<string, string>> },
): object {
  const { agent, project, folder, toolName, subject, input, rules, terminalOnly, altered, call } = request
  const action = (label: string, body: string) => ({
    action: 'http',
    label,
    ...back,
    method: 'POST',
    body,
    clear: true,
  })
  const reasons = rules.map(({ name, reason }) => `${name}: ${firstLine(reason)}`)
  const text = [
    namedCall({ toolName, subject }),
    ...(folder === undefined ? [] : [`in ${folder}`]),
    ...(input === undefined ? [] : [input]),
    ...(altered === undefined ? [] : [`exactly: ${exactText(call)}`]),
    ...reasons,
  ].join('\n')
  const whole = visible(text)
  const max = ntfyMessageCharactersMax
  const isHere = terminalOnly === true || whole.length > max
  const shown = whole.length > max ? `${whole.slice(0, max).toWellFormed()}…` : whole
  return {
    title: `${titleOf(agent)} asks, in ${project}`,
    message: isHere ? `${shown}\nIt can be approved at the machine only.` : shown,
    actions: [...(isHere ? [] : [action('Approve', texts.approve)]), action('Deny', texts.deny)],
  }
}

/**
 * Splits a stream into lines. A line that is too long is none of ours, and more lines than answers and signs of life can be
 * are a flood: either ends the connection, and the next is made after a pause.
 */
async function* streamLines(stream: AsyncIterable<Uint8Array>): AsyncIterable<string> {
  const decoder = new TextDecoder()
  let rest = ''
  let characters = 0
  for await (const chunk of stream) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > ntfyLineCharactersMax) throw new Error('it sends a line that is too long')
    for (const line of lines) {
      characters += Math.max(line.length, ntfyLineCost)
      if (characters > ntfyConnectionCharactersMax) throw new Error('it sends more than answers to requests')
      yield line
    }
  }
}
/** Characters of one line of ntfy's stream: a message of the largest size, escaped, and its fields. */
const ntfyLineCharactersMax = 32 * 1024
/** Characters of all lines of one connection: 2,000 short ones, as many as the signs of life of a day. */
const ntfyConnectionCharactersMax = 1024 * 1024

/** Makes and reads the texts by which a person answers from outside. */
interface SignedAnswers {
  /** Returns the texts that approve and deny a request, as long as it is open. */
  textsFor(request: OpenRequest): Readonly<Record<RequestAnswer['answer'], string>>
  /** Returns what a text answers, once; `undefined` for any other text, and for one that was used or is over. */
  read(text: string): Pick<RequestAnswer, 'id' | 'call' | 'answer'> | undefined
  /** Makes the texts of a request void. */
  forget(id: string): void
}

/** The first word of such a text. */
const mark = 'hookgate1'

/**
 * Opens a signer, whose key is in this process's memory only: no file holds it, and it ends with the requests.
 *
 * INVARIANT: a text answers the one request that it was made for, by the digest of its call and a number that was never
 * used before, until that request ends, and once.
 */
function openSignedAnswers(): SignedAnswers {
  const key = randomBytes(32)
  const open = new Map<string, { readonly request: OpenRequest; readonly nonce: string }>()

  function textOf({ id, call, endsAtMs }: OpenRequest, nonce: string, answer: RequestAnswer['answer']): string {
    const signed = JSON.stringify([id, call, endsAtMs, nonce, answer])
    return `${mark} ${id} ${answer} ${createHmac('sha256', key).update(signed).digest('base64url')}`
  }

  return {
    textsFor(request) {
      const nonce = randomBytes(16).toString('base64url')
      open.set(request.id, { request, nonce })
      return { approve: textOf(request, nonce, 'approve'), deny: textOf(request, nonce, 'deny') }
    },
    read(text) {
      const [first, id = '', answer] = text.trim().split(' ')
      const known = open.get(id)
      if (first !== mark || known === undefined || (answer !== 'approve' && answer !== 'deny')) return undefined
      const { request, nonce } = known
      if (!isSameSecret(text.trim(), textOf(request, nonce, answer)) || request.endsAtMs <= Date.now()) return undefined
      open.delete(id)
      return { id, call: request.call, answer }
    },
    forget: (id) => void open.delete(id),
  }
}
