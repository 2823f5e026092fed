import type { Turn } from './script.ts'
import { callId, listOf, type ModelWire, type ServerEvent, turnsIn } from './wire.ts'

/** OpenAI's Responses API. */
export const openaiResponses: ModelWire = {
  hears: (path) => path.endsWith('/responses'),
  standing: (body) => ({ hasTools: listOf(body['tools']).length > 0, turnsTaken: turnsIn(body, 'input') }),
  isStreamed: (_path, body) => body['stream'] === true,
  whole: (turn, at) => response(at, 'completed', items(turn, at)),
  events: (turn, at) => {
    const all = items(turn, at)
    return [
      event({ type: 'response.created', response: response(at, 'in_progress', []) }),
      ...all.flatMap((item, output_index) => [
        event({ type: 'response.output_item.added', output_index, item }),
        ...(item.type === 'function_call' ? argumentEvents(item, output_index) : []),
        event({ type: 'response.output_item.done', output_index, item }),
      ]),
      event({ type: 'response.completed', response: response(at, 'completed', all) }),
    ]
  },
}

type Item =
  | { type: 'message'; id: string; role: 'assistant'; status: 'completed'; content: readonly object[] }
  | {
      type: 'function_call'
      id: string
      call_id: string
      namespace?: string
      name: string
      arguments: string
      status: 'completed'
    }
  | { type: 'custom_tool_call'; id: string; call_id: string; name: string; input: string; status: 'completed' }

const event = (data: { type: string; [key: string]: unknown }): ServerEvent => ({ event: data.type, data })

function argumentEvents(item: Item & { type: 'function_call' }, output_index: number): readonly ServerEvent[] {
  const { id: item_id, arguments: whole } = item
  return [
    event({ type: 'response.function_call_arguments.delta', item_id, output_index, delta: whole }),
    event({ type: 'response.function_call_arguments.done', item_id, output_index, arguments: whole }),
  ]
}

function items(turn: Turn, at: number): readonly Item[] {
  if ('text' in turn) {
    const content = [{ type: 'output_text', text: turn.text, annotations: [] }]
    return [{ type: 'message', id: `msg_${at}`, role: 'assistant', status: 'completed', content }]
  }
  return turn.calls.map(({ tool: name, namespace, input }, index) => {
    const call_id = callId(at, index)
    if (typeof input === 'string')
      return { type: 'custom_tool_call', id: `ctc_${at}_${index}`, call_id, name, input, status: 'completed' }
    return {
      type: 'function_call',
      id: `fc_${at}_${index}`,
      call_id,
      ...(namespace !== undefined && { namespace }),
      name,
      arguments: JSON.stringify(input),
      status: 'completed',
    }
  })
}

const response = (at: number, status: string, output: readonly Item[]) => ({
  id: `resp_${at}`,
  object: 'response',
  created_at: 0,
  status,
  model: 'scripted',
  output,
  usage: {
    input_tokens: 1,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 1,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 2,
  },
})
