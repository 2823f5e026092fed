import { z } from 'zod'
import { Decision, type OnFailure } from '../../model/effect.ts'
import { type Advice, indeterminate, notApplicable, Obligation, type Outcome } from '../../model/evaluation.ts'
import type { HookEvent, ToolKind } from '../../model/event.ts'
import type { Failure } from '../../model/failure.ts'
import type { JsonObject } from '../../model/json.ts'
import { limits } from '../../model/limits.ts'
import type { RemoteRule, Unreachable } from '../../model/rule.ts'
import type { ShellFacts } from '../../model/shell.ts'
import { type AskedServer, openServer } from './ask-server.ts'
import { authzenOutcome, authzenRequest } from './authzen.ts'

/** Wait for a decision point, which may have to look into a database, but holds up every call that it is asked about. */
const authzenAnswerMs = 2000

/** A call that servers are asked about. */
export interface RemoteCall {
  readonly event: HookEvent
  /** The facts of its shell command; `undefined` if they are unknown. */
  readonly shell: ShellFacts | undefined
  readonly signal: AbortSignal | undefined
}

/** The servers that the rules of a gate name. */
export interface Remotes {
  ask(rule: RemoteRule, call: RemoteCall): Promise<Outcome>
  close(): void
}

/** Servers whose connections are kept. Rules name one or two; those of a file that is edited again and again, many. */
const serversMax = 16

/** Opens the servers that rules name. Rules that name the same server in the same way share its connections. */
export function openRemotes(env: Readonly<Record<string, string | undefined>>): Remotes {
  const servers = new Map<string, AskedServer>()

  function serverOf({ handler: { server } }: RemoteRule): AskedServer {
    const key = JSON.stringify(server)
    const known = servers.get(key)
    if (known !== undefined) return known
    const [oldest] = servers
    if (servers.size >= serversMax && oldest !== undefined) {
      oldest[1].close()
      servers.delete(oldest[0])
    }
    const opened = openServer(server, env)
    servers.set(key, opened)
    return opened
  }

  return {
    async ask(rule, { event, shell, signal }) {
      const { asks, server } = rule.handler
      if (rule.untrustedReason !== undefined) {
        const message = `this server was not asked: ${rule.untrustedReason}`
        return indeterminate({ code: 'untrusted', message })
      }
      switch (asks.kind) {
        case 'authzen': {
          const request = authzenRequest(event, shell, asks.subject)
          if (request === undefined) return notApplicable
          if ('code' in request) return indeterminate(request)
          const timeoutMs = rule.timeoutMs ?? authzenAnswerMs
          const answer = await serverOf(rule).ask({ ...request, timeoutMs, signal })
          return answer.kind === 'failed'
            ? indeterminate(answer.failure)
            : authzenOutcome(request, answer.json, server.url)
        }
        case 'gate': {
          const timeoutMs = rule.timeoutMs ?? limits.remoteAnswerMs
          const body = gateRequest(event)
          const answer = await serverOf(rule).ask({ path: gatePath, body, timeoutMs, signal })
          if (answer.kind === 'failed' && answer.isTooLarge) return tooLarge(answer.failure)
          const outcome =
            answer.kind === 'failed' ? indeterminate(answer.failure) : gateOutcome(answer.json, server.url)
          const isLost = outcome.kind === 'indeterminate' && outcome.failure.code !== 'cancelled'
          return isLost ? withoutGate(event, outcome.failure, asks.unreachable) : outcome
        }
      }
    },
    close() {
      for (const server of servers.values()) server.close()
    },
  }
}

/** The path at which `hookgate serve` decides an event for another gate. */
const gatePath = '/v1/decide'

const gateRequest = ({ agent, raw }: HookEvent): JsonObject => ({ agent, event: raw })

/** The parts of a verdict that count here. Not strict: the gate elsewhere may be newer. */
const Answer = z.object({
  decision: Decision,
  reason: z.string(),
  context: z.string().optional(),
  notices: z.array(z.string()).optional(),
  obligations: z.array(Obligation).optional(),
})

/** Reads the verdict of a gate elsewhere, which counts like the answer of any rule of the file that names it. */
function gateOutcome(json: unknown, url: string): Outcome {
  const read = Answer.safeParse(json)
  if (!read.success) return indeterminate(noVerdict(url))
  const { decision, reason, context = '', notices = [], obligations = [] } = read.data
  const advice: Advice[] = notices.map((text) => ({ kind: 'notice', text }))
  if (context !== '') advice.push({ kind: 'addContext', text: context })
  const isOpinion = decision !== 'abstain'
  if (!isOpinion && advice.length === 0 && obligations.length === 0) return notApplicable
  return { kind: 'applicable', ...(isOpinion && { effect: decision, reason }), obligations, advice }
}

const noVerdict = (url: string): Failure => ({
  code: 'badOutput',
  message: `${url} answered with something that is no verdict`,
})

/**
 * Decides a call that the gate elsewhere has not: the rules here have, if there are any; else `unreachable` says.
 *
 * INVARIANT: never silence. If the call goes ahead, the failure is a notice, and is recorded.
 */
function withoutGate(event: HookEvent, failure: Failure, unreachable: Unreachable | 'rules'): Outcome {
  if (unreachable === 'rules') {
    return indeterminate({ ...failure, message: `${failure.message}; the rules on this machine have decided` })
  }
  const { tool } = event
  const which = tool === undefined || readingTools.has(tool.kind) ? 'read' : 'write'
  const onFailure = unreachable[which]
  const effect = effectOf(onFailure)
  if (effect === undefined) return indeterminate(failure)
  const reason = `${failure.message}, the rules here are not enough without it, and \`onUnreachable.${which}\` is \`${onFailure}\``
  return { kind: 'applicable', effect, reason, obligations: [], advice: [] }
}

/**
 * Refuses a call that the gate elsewhere does not read. The agent has made it so large, and is not to choose by that
 * who decides.
 */
const tooLarge = ({ message }: Failure): Outcome => ({
  kind: 'applicable',
  effect: 'deny',
  reason: `${message}: the call is too large for the gate that decides`,
  obligations: [],
  advice: [],
})

/** Tools that only read on this machine. A request to another one, also for a page, can carry data away. */
const readingTools: ReadonlySet<ToolKind> = new Set<ToolKind>(['read', 'search', 'list'])

function effectOf(onFailure: OnFailure): 'deny' | 'ask' | undefined {
  switch (onFailure) {
    case 'block':
      return 'deny'
    case 'ask':
      return 'ask'
    case 'continue':
      return undefined
  }
}
