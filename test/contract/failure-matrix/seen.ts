import { z } from 'zod'
import { outcomeOf } from '../../../src/agents/shell-call.ts'
import type { KnownAgent } from '../../../src/agents/registry.ts'
import { parseJsonObject } from '../../../src/model/json.ts'
import { firstLine } from '../../../src/model/text.ts'
import { shellEvent } from './events.ts'

/** What came back to an agent. */
export type Heard =
  | { readonly by: 'process'; readonly exitCode: number | null; readonly stdout: string; readonly stderr: string }
  | { readonly by: 'http'; readonly status: number; readonly body: string }
  | { readonly by: 'nobody'; readonly why: string }

/** What an agent makes of it. */
export type Seen =
  | { readonly kind: 'refusal'; readonly because: string }
  | { readonly kind: 'pass'; readonly told: string | undefined }
  | { readonly kind: 'noAnswer'; readonly why: string }
  /** A form that the agent does not heed: it may go on. */
  | { readonly kind: 'unheeded'; readonly what: string }

/**
 * What the agent sees in an answer. Only forms that every version of it heeds count: a refusal in half of its form is none.
 */
export async function seenIn(heard: Heard, agent: KnownAgent): Promise<Seen> {
  return readers[agent]?.(heard) ?? seenBy(agent, heard)
}

/** What a hook that printed this would have said, by what was measured of the agent. */
async function seenBy(agent: KnownAgent, heard: Heard): Promise<Seen> {
  if (heard.by === 'nobody') return { kind: 'noAnswer', why: heard.why }
  if (heard.by === 'http') return unheeded(heard)
  const { exitCode, stdout, stderr } = heard
  // Some take any code for a refusal, and tell nobody why; hookgate leaves with no other.
  if (exitCode !== 0 && exitCode !== 2) return unheeded(heard)
  if (stdout.trim() !== '' && parseJsonObject(stdout) === undefined) return unheeded(heard)
  const outcome = await outcomeOf(agent, await shellEvent(agent, 'true', '/'), { exitCode, stdout, stderr })
  if (outcome.kind === 'indeterminate') return unheeded(heard)
  if (outcome.kind === 'applicable' && outcome.effect === 'deny') {
    return { kind: 'refusal', because: outcome.reason ?? '' }
  }
  if (exitCode !== 0) return unheeded(heard)
  const notices =
    outcome.kind === 'applicable' ? outcome.advice.flatMap((one) => ('text' in one ? [one.text] : [])) : []
  return { kind: 'pass', told: nonEmpty(notices.join('\n')) ?? nonEmpty(stderr) }
}

const readers: { readonly [Agent in KnownAgent]?: (heard: Heard) => Seen } = {
  'claude-code': (heard) => {
    switch (heard.by) {
      case 'nobody':
        return { kind: 'noAnswer', why: heard.why }
      case 'http': {
        if (heard.status !== 200) return unheeded(heard)
        return claudeRefusal(heard.body) ?? claudePass(heard.body) ?? unheeded(heard)
      }
      case 'process': {
        // Measured: its JSON alone, the reason on stderr, and exit code 2 together are what blocks on every version.
        if (heard.exitCode === 2 && heard.stderr.trim() !== '') return claudeRefusal(heard.stdout) ?? unheeded(heard)
        return (heard.exitCode === 0 ? claudePass(heard.stdout) : undefined) ?? unheeded(heard)
      }
    }
  },
  cline: (heard) => {
    // Its classic engines throw away what a hook printed that exits with any other code, and the tool runs.
    if (heard.by !== 'process') return heard.by === 'nobody' ? { kind: 'noAnswer', why: heard.why } : unheeded(heard)
    const answer = heard.exitCode === 0 ? ClineAnswer.safeParse(parseJsonObject(heard.stdout)) : undefined
    if (answer?.success !== true) return unheeded(heard)
    const { cancel, errorMessage = '' } = answer.data
    // What a person is told stands on stderr, which Cline shows.
    return cancel ? { kind: 'refusal', because: errorMessage } : { kind: 'pass', told: nonEmpty(heard.stderr) }
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
  // Where the event does not say which one it is.
  z.looseObject({ decision: z.literal('block'), reason: z.string() }).transform(({ reason }) => reason),
])
const ClaudePass = z.strictObject({ systemMessage: z.string().optional() })

function claudeRefusal(text: string): Seen | undefined {
  const refusal = ClaudeRefusal.safeParse(parseJsonObject(text))
  return refusal.success ? { kind: 'refusal', because: refusal.data } : undefined
}

function claudePass(text: string): Seen | undefined {
  if (text.trim() === '') return { kind: 'pass', told: undefined }
  const pass = ClaudePass.safeParse(parseJsonObject(text))
  return pass.success ? { kind: 'pass', told: nonEmpty(pass.data.systemMessage ?? '') } : undefined
}

function unheeded(heard: Exclude<Heard, { by: 'nobody' }>): Seen {
  switch (heard.by) {
    case 'http':
      return { kind: 'unheeded', what: `status ${heard.status} with the body \`${firstLine(heard.body)}\`` }
    case 'process': {
      const said = firstLine(heard.stdout) || firstLine(heard.stderr)
      const code = heard.exitCode === null ? 'no exit code' : `exit code ${heard.exitCode}`
      return { kind: 'unheeded', what: `${code}${said === '' ? ' and nothing said' : ` and \`${said}\``}` }
    }
  }
}

const nonEmpty = (text: string) => (text.trim() === '' ? undefined : text.trim())
