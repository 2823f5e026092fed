import type { Call, Turn } from './script.ts'
import { callId, listOf, type ModelWire, type ServerEvent, turnsIn } from './wire.ts'

/** The Messages API. */
export const anthropic: ModelWire = {
  hears: (path) => path.endsWith('/messages'),
  standing: (body) => ({ hasTools: listOf(body['tools']).length > 0, turnsTaken: turnsIn(body, 'messages') }),
  isStreamed: (_path, body) => body['stream'] === true,
  whole: (turn, at) => ({ ...message(at), content: blocks(turn, at), stop_reason: reason(turn) }),
  events: (turn, at) => [
    event({ type: 'message_start', message: message(at) }),
    ...blocks(turn, at).flatMap(blockEvents),
    event({
      type: 'message_delta',
      delta: { stop_reason: reason(turn), stop_sequence: null },
      usage: { output_tokens: 1 },
    }),
    event({ type: 'message_stop' }),
  ],
}

type Block = { type: 'text'; text: string } | { type: 'tool_use'; id: string; name: string; input: Call['input'] }

const event = (data: { type: string; [key: string]: unknown }): ServerEvent => ({ event: data.type, data })
const reason = (turn: Turn) => ('calls' in turn ? 'tool_use' : 'end_turn')

const message = (at: number) => ({
  id: `msg_${at}`,
  type: 'message',
  role: 'assistant',
  model: 'scripted',
  content: [],
  stop_reason: null,
  stop_sequence: null,
  usage: { input_tokens: 1, output_tokens: 1, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 },
})

function blocks(turn: Turn, at: number): readonly Block[] {
  if ('text' in turn) return [{ type: 'text', text: turn.text }]
  return turn.calls.map(({ tool, input }, index) => ({ type: 'tool_use', id: callId(at, index), name: tool, input }))
}

function blockEvents(block: Block, index: number): readonly ServerEvent[] {
  const isText = block.type === 'text'
  return [
    event({
      type: 'content_block_start',
      index,
      content_block: isText ? { type: 'text', text: '' } : { ...block, input: {} },
    }),
    event({
      type: 'content_block_delta',
      index,
      delta: isText
        ? { type: 'text_delta', text: block.text }
        : { type: 'input_json_delta', partial_json: JSON.stringify(block.input) },
    }),
    event({ type: 'content_block_stop', index }),
  ]
}
