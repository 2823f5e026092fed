import { encodeCall, type NeutralCall } from '../../agents/neutral-call.ts'
import { descriptorOf } from '../../agents/registry.ts'
import type { PastItem } from '../../model/past-call.ts'
import type { DecisionFilter } from '../../record/filter.ts'
import type { DecisionReader, StoredDecision } from '../../record/read.ts'
import type { DecisionRecord } from '../../record/record.ts'
import { toolCarries } from '../../model/tool-kinds.ts'

/**
 * Makes calls of the decisions in the record, in order. A decision of which the record holds too little to decide it
 * again is reported in its place.
 *
 * @param file names the record in reports
 */
export async function* recordedCalls(
  reader: Pick<DecisionReader, 'rows' | 'unreadable'>,
  file: string,
  filter: DecisionFilter,
): AsyncGenerator<PastItem> {
  for (const { seq, record } of reader.rows(filter)) {
    // Leaves out other events, which are no calls, and permission requests, which repeat one.
    if (record.event !== 'PreToolUse') continue
    // oxlint-disable-next-line no-await-in-loop -- in the order of the record
    yield await itemOf({ seq, record }, file)
  }
  const { unreadable } = reader
  if (unreadable > 0) yield { kind: 'unreadable', file, line: undefined, why: `${unreadable} rows are not hookgate’s` }
}

async function itemOf({ seq, record }: StoredDecision, file: string): Promise<PastItem> {
  const unreadable = (why: string): PastItem => ({ kind: 'unreadable', file, line: seq, why: `not replayable: ${why}` })
  const { agent, project, cwd = project, session = '', at } = record
  if (agent === undefined || cwd === undefined || descriptorOf(agent) === undefined)
    return unreadable('whose it was is not known')
  const call = callOf(record)
  if (typeof call === 'string') return unreadable(call)
  const wire = await encodeCall(agent, call, cwd, session)
  if (wire === undefined) return unreadable('its agent asks about no such call any more')
  return { kind: 'call', call: { agent, wire, atMs: Date.parse(at), cwd, file, line: seq } }
}

/** Returns the call as far as it is recorded, or the reason why that is not enough. */
function callOf({ tool, subject, subjectAltered }: DecisionRecord): NeutralCall | string {
  if (subjectAltered === true) return 'a secret in it was masked, or it was cut'
  if (subject === undefined) return 'its input is not recorded'
  const { subject: field, also } = tool === undefined ? toolCarries.other : toolCarries[tool]
  // The record does not hold the pattern of a search.
  if (tool === undefined || field === 'input' || also === 'pattern') return 'its input is not recorded'
  return { kind: tool, [field]: subject, ...(also === 'content' && { content: '' }) }
}
