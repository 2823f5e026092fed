import { decodeAnswer } from './decode-answer.ts'
import { decodeEvent } from './decode-event.ts'
import { encodeEvent } from './encode-event.ts'
import { support, encodeVerdict } from './encode-verdict.ts'
import { environment } from './environment.ts'
import { recognises } from './recognises.ts'
import type { Dialect } from '../../model/dialect.ts'
import { EventName } from '../../model/event.ts'

/** The hooks of Claude Code, as of 2.1.329. */
export const claudeCode: Dialect = {
  agent: 'claude-code',
  namesProject: false,
  events: EventName.options,
  recognises,
  decodeEvent,
  support,
  encodeVerdict,
  encodeEvent,
  environment,
  decodeAnswer,
}
