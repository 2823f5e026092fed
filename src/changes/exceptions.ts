import { z } from 'zod'
import type { Refusals } from '../files/state/refusals.ts'
import { HookgateError } from '../model/errors.ts'
import type { Grant, KeptException, KeptRefusal } from '../model/refusal.ts'
import { quoted } from '../model/text.ts'
import { callWords } from '../words/call-words.ts'
import { endOfDay, ExceptionEntry } from '../rules/load/exceptions.ts'
import { planUserRules } from './user-rules-file.ts'
import { lookAt } from '../install/files/settings-file.ts'
import type { InstallContext } from '../install/install-context.ts'
import { addItems, removeValue, type JsonDocument, malformed, parseDocument } from '../install/json/edit.ts'
import { withContent } from './packs/pack-change.ts'
import { type PlannedRulesFile, rulesFileOf } from '../install/rules-file.ts'
import { sha256Of } from '../files/digest.ts'

/** An exception as it is written into a rules file. */
interface WrittenException extends KeptException {
  readonly until?: string
  readonly reason?: string
}

/**
 * Plans to add exceptions to the user's own rules file.
 *
 * @throws HookgateError `settingsMalformed`, `rulesMalformed` if the file would not load
 */
export const planExceptions = (entries: readonly WrittenException[], context: InstallContext): PlannedRulesFile =>
  planUserRules(context, (document) => addItems(document, ['exceptions'], entries))

/** An exception of the user's own rules file, for a list of them. */
export interface ListedException extends z.infer<typeof ExceptionEntry> {
  /** Made from its content: it names the same exception for as long as nobody edits that. */
  readonly key: string
  readonly file: string
  readonly line: number
  /** True if its last day has passed. */
  readonly over: boolean
}

/** Lists the exceptions of the user's own rules file, in its order. @throws HookgateError `settingsMalformed` */
export function listExceptions(context: InstallContext): readonly ListedException[] {
  const file = rulesFileOf({ ...context, scope: 'user' })
  const { present } = lookAt(file, undefined)
  return present === undefined ? [] : exceptionsOf(parseDocument(present.bytes, file))
}

/** Lists the exceptions in the user's own rules file, and what is allowed once or for a session. */
export const allowedReport = (refusals: Refusals, context: InstallContext) => ({
  exceptions: listExceptions(context),
  grants: refusals.grants().map((grant) => grantReport(grant, refusals)),
})

function grantReport({ endsAtMs, ...grant }: Grant, refusals: Refusals) {
  const refusal = refusals.find(grant.id)
  return {
    ...grant,
    endsAt: new Date(endsAtMs).toISOString(),
    /** The refused call in words, and the names of the rules that it met; `null` once the refusal is no longer kept. */
    refused: refusal === undefined ? null : { words: callWords(refusal), names: rulesIn(refusal) },
  }
}

const rulesIn = ({ rules }: KeptRefusal) => [...new Set(rules.map(({ name }) => name))]

/** Plans to remove the exceptions with a key. @throws HookgateError `usage` if there is none, `settingsMalformed` */
export function planWithoutException(key: string, context: InstallContext): PlannedRulesFile {
  return planUserRules(context, (document) => {
    const isGone = exceptionsOf(document).map((one) => one.key === key)
    if (!isGone.includes(true)) {
      const message = `no exception in ${document.file} has the key ${quoted(key)}`
      throw new HookgateError('usage', message, { remedy: '`hookgate allow --list` shows their keys' })
    }
    if (!isGone.includes(false)) return withContent(removeValue(document, ['exceptions']))
    return isGone.reduceRight(
      (changed, gone, index) => (gone ? removeValue(changed, ['exceptions', index]) : changed),
      document,
    )
  })
}

const Exceptions = z.looseObject({ exceptions: z.array(ExceptionEntry).default([]) })

function exceptionsOf({ text, file, placeOf }: JsonDocument): readonly ListedException[] {
  const { data } = Exceptions.safeParse(JSON.parse(text))
  if (data === undefined) {
    throw malformed(
      placeOf(['exceptions'], 'value'),
      'it cannot be read',
      '`hookgate check` says what is wrong with it',
    )
  }
  return data.exceptions.map((one, index) => {
    const endsAtMs = one.until === undefined ? Infinity : endOfDay(one.until)
    const { line = 0 } = placeOf(['exceptions', index], 'value')
    const over = typeof endsAtMs === 'number' && endsAtMs <= Date.now()
    return Object.assign({ key: exceptionKey(one), file, line }, one, { over })
  })
}

/** Enough of a digest that no two of one file's few hundred exceptions have the same. */
const exceptionKey = (one: z.infer<typeof ExceptionEntry>) => sha256Of(JSON.stringify(one)).slice(0, 8)
