import { z } from 'zod'
import { outcomeOf } from '../../../src/agents/neutral-call.ts'
import type { KnownAgent } from '../../../src/agents/registry.ts'
import { parseJsonObject } from '../../../src/model/json.ts'
import { firstLine } from '../../../src/model/text.ts'
import { shellEvent } from './events.ts'

/** What an agent gets back. */
export type AgentResponse =
  | { readonly by: 'process'; readonly exitCode: number | null; readonly stdout: string; readonly stderr: string }
  | { readonly by: 'http'; readonly status: number; readonly body: string }
  | { readonly by: 'none'; readonly why: string }

/** How an agent interprets it. */
export type Seen =
  | { readonly kind: 'refusal'; readonly because: string }
  | { readonly kind: 'pass'; readonly notice: string | undefined }
  | { readonly kind: 'noAnswer'; readonly why: string }
  /** A form that the agent ignores: it may go ahead. */
  | { readonly kind: 'unheeded'; readonly what: string }

/**
 * Interprets an answer as the agent does. Only forms that every version honors count: an incomplete refusal is none.
 */
export async function seenIn(response: AgentResponse, agent: KnownAgent): Promise<Seen> {
  return readers[agent]?.(response) ?? seenBy(agent, response)
}

/** Interprets a response with the dialect, which is measured on the agent. */
async function seenBy(agent: KnownAgent, response: AgentResponse): Promise<Seen> {
  if (response.by === 'none') return { kind: 'noAnswer', why: response.why }
  if (response.by === 'http') return unheeded(response)
  const { exitCode, stdout, stderr } = response
  // Some agents take any code as a refusal without showing a reason; hookgate uses no other codes.
  if (exitCode !== 0 && exitCode !== 2) return unheeded(response)
  if (stdout.trim() !== '' && parseJsonObject(stdout) === undefined) return unheeded(response)
  const outcome = await outcomeOf(agent, await shellEvent(agent, 'true', '/'), { exitCode, stdout, stderr })
  if (outcome.kind === 'indeterminate') return unheeded(response)
  if (outcome.kind === 'applicable' && outcome.effect === 'deny') {
    return { kind: 'refusal', because: outcome.reason ?? '' }
  }
  if (exitCode !== 0) return unheeded(response)
  const notices =
    outcome.kind === 'applicable' ? outcome.advice.flatMap((one) => ('text' in one ? [one.text] : [])) : []
  return { kind: 'pass', notice: nonEmpty(notices.join('\n')) ?? nonEmpty(stderr) }
}

const readers: { readonly [Agent in KnownAgent]?: (response: AgentResponse) => Seen } = {
  'claude-code': (response) => {
    switch (response.by) {
      case 'none':
        return { kind: 'noAnswer', why: response.why }
      case 'http': {
        if (response.status !== 200) return unheeded(response)
        return claudeRefusal(response.body) ?? claudePass(response.body) ?? unheeded(response)
      }
      case 'process': {
        // Measured: only JSON alone on stdout, a reason on stderr and exit code 2 together block on every version.
        if (response.exitCode === 2 && response.stderr.trim() !== '')
          return claudeRefusal(response.stdout) ?? unheeded(response)
        return (response.exitCode === 0 ? claudePass(response.stdout) : undefined) ?? unheeded(response)
      }
    }
  },
  cline: (response) => {
    // Its classic engines discard the output of a hook with any other code and run the tool.
    if (response.by !== 'process')
      return response.by === 'none' ? { kind: 'noAnswer', why: response.why } : unheeded(response)
    const answer = response.exitCode === 0 ? ClineAnswer.safeParse(parseJsonObject(response.stdout)) : undefined
    if (answer?.success !== true) return unheeded(response)
    const { cancel, errorMessage = '' } = answer.data
    // Cline shows stderr to the user.
    return cancel ? { kind: 'refusal', because: errorMessage } : { kind: 'pass', notice: nonEmpty(response.stderr) }
  },
}

const ClineAnswer = z.looseObject({ cancel: z.boolean(), errorMessage: z.string().optional() })

const ClaudeRefusal = z.union([
  z
    .looseObject({
      hookSpecificOutput: z.looseObject({
        hookEventName: z.literal('PreToolUse'),
        permissionDecision: z.literal('deny'),
        permissionDecisionReason: z.string(),
      }),
    })
    .transform(({ hookSpecificOutput }) => hookSpecificOutput.permissionDecisionReason),
  // The form for an event without a name.
  z.looseObject({ decision: z.literal('block'), reason: z.string() }).transform(({ reason }) => reason),
])
const ClaudePass = z.strictObject({ systemMessage: z.string().optional() })

function claudeRefusal(text: string): Seen | undefined {
  const refusal = ClaudeRefusal.safeParse(parseJsonObject(text))
  return refusal.success ? { kind: 'refusal', because: refusal.data } : undefined
}

function claudePass(text: string): Seen | undefined {
  if (text.trim() === '') return { kind: 'pass', notice: undefined }
  const pass = ClaudePass.safeParse(parseJsonObject(text))
  return pass.success ? { kind: 'pass', notice: nonEmpty(pass.data.systemMessage ?? '') } : undefined
}

function unheeded(response: Exclude<AgentResponse, { by: 'none' }>): Seen {
  switch (response.by) {
    case 'http':
      return { kind: 'unheeded', what: `status ${response.status} with the body \`${firstLine(response.body)}\`` }
    case 'process': {
      const output = firstLine(response.stdout) || firstLine(response.stderr)
      const code = response.exitCode === null ? 'no exit code' : `exit code ${response.exitCode}`
      return { kind: 'unheeded', what: `${code}${output === '' ? ' and no output' : ` and \`${output}\``}` }
    }
  }
}

const nonEmpty = (text: string) => (text.trim() === '' ? undefined : text.trim())
