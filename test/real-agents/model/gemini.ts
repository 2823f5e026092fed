import type { Turn } from './script.ts'
import { type Fields, listOf, type ModelWire } from './wire.ts'

/** The Gemini API. Its calls need no ids: what counts is how often the model has spoken with calls in it. */
export const gemini: ModelWire = {
  hears: (path) => /:(streamGenerateContent|generateContent)$/.test(path),
  standing: (body) => ({ hasTools: listOf(body['tools']).length > 0, turnsTaken: turnsTaken(body) }),
  isStreamed: (path) => path.endsWith(':streamGenerateContent'),
  whole: answer,
  events: (turn) => [{ data: answer(turn) }],
}

function turnsTaken(body: Fields): number {
  const said = listOf(body['contents']).filter(({ role }) => role === 'model')
  return said.filter(({ parts }) => listOf(parts).some((part) => 'functionCall' in part)).length
}

function answer(turn: Turn) {
  const parts =
    'text' in turn
      ? [{ text: turn.text }]
      : turn.calls.map(({ tool, input }) => ({ functionCall: { name: tool, args: input } }))
  return {
    candidates: [{ index: 0, content: { role: 'model', parts }, finishReason: 'STOP' }],
    usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
    modelVersion: 'scripted',
  }
}
