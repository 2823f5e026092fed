import { HookgateError } from '../model/errors.ts'
import { quoted } from '../model/text.ts'
import type { LatestReader } from '../record/latest-reader.ts'
import type { StoredDecision } from '../record/read.ts'

/** Finds a row by its id or the id of its refusal. @throws HookgateError `usage` if there is none */
export function foundDecision(record: LatestReader, id: string): StoredDecision {
  const found = record.look().reader?.find(id)
  if (found !== undefined) return found
  throw new HookgateError('usage', `no recorded decision has the id ${quoted(id)}`, {
    remedy: 'it may have been removed for its age; take one from the list',
  })
}
