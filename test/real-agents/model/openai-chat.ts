import type { Turn } from './script.ts'
import { callId, listOf, type ModelWire, turnsIn } from './wire.ts'

/** The chat completions that most other programs and models have in common. */
export const openaiChat: ModelWire = {
  hears: (path) => path.endsWith('/chat/completions'),
  standing: (body) => ({ hasTools: listOf(body['tools']).length > 0, turnsTaken: turnsIn(body, 'messages') }),
  isStreamed: (_path, body) => body['stream'] === true,
  whole: (turn, at) => ({
    ...head(at, 'chat.completion'),
    choices: [{ index: 0, message: { role: 'assistant', ...content(turn, at) }, finish_reason: reason(turn) }],
  }),
  events: (turn, at) => [
    { data: chunk(at, { role: 'assistant', ...content(turn, at) }, null) },
    { data: { ...chunk(at, {}, reason(turn)), usage } },
    { data: '[DONE]' },
  ],
}

const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }
const reason = (turn: Turn) => ('calls' in turn ? 'tool_calls' : 'stop')
const head = (at: number, object: string) => ({ id: `chat_${at}`, object, created: 0, model: 'scripted', usage })
const chunk = (at: number, delta: object, finish: string | null) => ({
  id: `chat_${at}`,
  object: 'chat.completion.chunk',
  created: 0,
  model: 'scripted',
  choices: [{ index: 0, delta, finish_reason: finish }],
})

function content(turn: Turn, at: number) {
  if ('text' in turn) return { content: turn.text }
  return {
    content: null,
    tool_calls: turn.calls.map(({ tool, input }, index) => ({
      index,
      id: callId(at, index),
      ...(typeof input === 'string'
        ? { type: 'custom', custom: { name: tool, input } }
        : { type: 'function', function: { name: tool, arguments: JSON.stringify(input) } }),
    })),
  }
}
