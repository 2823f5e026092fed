import { indeterminate, notApplicable, type Outcome } from '../../model/evaluation.ts'
import type { HookEvent } from '../../model/event.ts'
import { limits } from '../../model/limits.ts'
import type { RemoteRule } from '../../model/rule.ts'
import type { ShellFacts } from '../../model/shell.ts'
import { type AskedServer, openServer } from './ask-server.ts'
import { authzenOutcome, authzenRequest } from './authzen.ts'
import { gateOutcome, gatePath, gateRequest, tooLarge, withoutGate } from './gate-elsewhere.ts'

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
