import type { Surroundings } from '../../model/dialect.ts'
import type { CallEvent, HookEvent } from '../../model/event.ts'
import { isJsonObject, type JsonObject } from '../../model/json.ts'
import { withCall } from '../codec/with-input.ts'
import { decodeEvent } from './decode-event.ts'
import { strings } from './encode-event.ts'
import { engineOf } from './engine.ts'

/**
 * Puts another input into a call about to be made, in the form of the engine that sent it.
 *
 * @throws HookgateError `eventMalformed` if that engine could not read it
 */
export function withInput(event: HookEvent, input: JsonObject, around: Surroundings): CallEvent {
  const { raw } = event
  const isSdk = engineOf(raw) === 'sdk'
  const put = isSdk ? input : strings(input)
  const { pre_tool_use: snake, ...others } = raw
  const wire = isSdk
    ? { ...raw, tool_call: { ...objectIn(raw['tool_call']), input } }
    : { ...others, preToolUse: { ...objectIn(raw['preToolUse'] ?? snake), parameters: put } }
  return withCall(event, decodeEvent(raw, around), decodeEvent(wire, around), put)
}

const objectIn = (value: unknown): JsonObject => (isJsonObject(value) ? value : {})
