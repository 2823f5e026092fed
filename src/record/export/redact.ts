import { createHmac } from 'node:crypto'
import { type ExportFields, type FieldTreatment, strictest } from '../../model/export-settings.ts'
import type { ToolKind } from '../../model/event.ts'
import type { CallResult, DecisionRecord, RecordedEvaluation } from '../record.ts'

/** Replaces the texts that a machine is not to send. */
export interface Redactor {
  record(record: DecisionRecord): DecisionRecord
  /** Returns the name of the account as it is sent, or a text that contains it; `undefined` to send nothing. */
  account(name: string | undefined): string | undefined
  /** Returns a text that may contain the name of the account. */
  named(text: string): string
  /** Returns a message that may quote anything. */
  text(text: string): string
}

/** Dependencies of a redactor. */
interface RedactorOptions {
  readonly fields: ExportFields
  /** The key of the hashes: without it, no one can try which text a hash stands for. */
  readonly key: string
  /** The account whose name is looked for. */
  readonly account: { readonly name: string | undefined; readonly home: string }
}

/**
 * INVARIANT: a text that may quote a field is treated like that field. A command names paths and addresses, and a reason
 * quotes all three, so that these get the strictest treatment of what they may quote.
 */
export function openRedactor({ fields, key, account }: RedactorOptions): Redactor {
  const { command = 'masked', path = 'masked', url = 'masked', user = 'masked', reason = 'masked' } = fields
  const commands = strictest(command, path, url)
  const texts = strictest(reason, commands)

  const hash = (text: string) => `hash:${createHmac('sha256', key).update(text).digest('hex').slice(0, hashCharacters)}`
  /** The folder first: it may be called otherwise than the account. */
  const replaced: readonly (readonly [RegExp, string])[] =
    user === 'masked'
      ? []
      : [
          ...(account.home.length > 1
            ? [[new RegExp(`${escapePattern(account.home)}(?![\\w-])`, 'gi'), '~'] as const]
            : []),
          ...(account.name === undefined
            ? []
            : [
                [
                  new RegExp(`(?<![A-Za-z0-9])${escapePattern(account.name)}(?![A-Za-z0-9])`, 'gi'),
                  user === 'hash' ? hash(account.name) : '…',
                ] as const,
              ]),
        ]
  const named = (text: string) => replaced.reduce((left, [pattern, other]) => left.replace(pattern, other), text)

  const treated = (text: string, treatment: FieldTreatment): string | undefined => {
    switch (treatment) {
      case 'masked':
        return named(text)
      case 'hash':
        return hash(text)
      case 'drop':
        return undefined
    }
  }

  const treatmentOfSubject = (tool: ToolKind | undefined): FieldTreatment => {
    switch (tool) {
      case 'read':
      case 'write':
      case 'edit':
      case 'search':
      case 'list':
        return path
      case 'fetch':
      case 'websearch':
      case 'browser':
        return url
      case 'shell':
      case 'agent':
      case 'mcp':
      case 'other':
      case undefined:
        return commands
    }
  }
  /** A rule that is named by its path has it in its id. */
  const ruleId = (id: string) => (hasPath.test(id) ? (treated(id, path) ?? '…') : named(id))
  const evaluation = ({ reason: said, remarks, failure, ...one }: RecordedEvaluation): RecordedEvaluation => ({
    ...one,
    ruleId: ruleId(one.ruleId),
    ...given(said, texts, (text) => ({ reason: text })),
    ...(failure && { failure: { ...failure, message: treated(failure.message, texts) ?? '' } }),
    ...(remarks && { remarks: remarks.flatMap((remark) => treated(remark, texts) ?? []) }),
  })

  /** Returns a part of a record if its text is there and sent. */
  function given<T extends object>(text: string | undefined, treatment: FieldTreatment, of: (sent: string) => T) {
    const sent = text === undefined ? undefined : treated(text, treatment)
    return sent === undefined ? undefined : of(sent)
  }

  const sawSent = ({ tokens, reused }: NonNullable<DecisionRecord['saw']>): DecisionRecord['saw'] => ({
    ...(tokens && { tokens }),
    ...(reused && { reused: { form: reused.form, ...given(reused.text, texts, (text) => ({ text })) } }),
  })

  function record({ who, onBehalfOf, subject, project, cwd, ...rest }: DecisionRecord) {
    // An input holds texts of every kind, for which there is no one treatment: it is not sent.
    const { result, rewritten, approval, slowest, error, saw, input: _, inputAltered: __, ...one } = rest
    return {
      ...one,
      ...given(who, user, (text) => ({ who: text })),
      ...given(onBehalfOf, user, (text) => ({ onBehalfOf: text })),
      ...given(subject, treatmentOfSubject(one.tool), (text) => ({ subject: text })),
      ...given(project, path, (text) => ({ project: text })),
      ...given(cwd, path, (text) => ({ cwd: text })),
      reason: one.reason === '' ? '' : (treated(one.reason, texts) ?? ''),
      determining: one.determining.map(ruleId),
      evaluations: one.evaluations.map(evaluation),
      slowest: slowest && { ...slowest, ruleId: ruleId(slowest.ruleId) },
      ...(saw && { saw: sawSent(saw) }),
      ...(result && { result: resultSent(result) }),
      ...(rewritten && { rewritten: rewriteSent(rewritten) }),
      ...(approval && { approval: approvalSent(approval) }),
      ...(error && { error: { code: error.code, message: treated(error.message, texts) ?? '' } }),
    }
  }
  const resultSent = ({ error, ...rest }: CallResult) => ({
    ...rest,
    ...given(error, texts, (text) => ({ error: text })),
  })
  const rewriteSent = ({
    by,
    cwd,
    subject,
    tool,
    toolName,
    subjectAltered,
  }: NonNullable<DecisionRecord['rewritten']>) => ({
    tool,
    toolName,
    ...(subjectAltered && { subjectAltered }),
    by: by.map(ruleId),
    ...given(cwd, path, (text) => ({ cwd: text })),
    ...given(subject, treatmentOfSubject(tool), (text) => ({ subject: text })),
  })
  const approvalSent = ({ by, reason: why, ...rest }: NonNullable<DecisionRecord['approval']>) => ({
    ...rest,
    ...given(by, user, (text) => ({ by: text })),
    ...given(why, texts, (text) => ({ reason: text })),
  })

  return {
    record: Object.values(fields).every((one) => one === 'masked') ? (one) => one : record,
    account: (name) => (name === undefined ? undefined : treated(name, user)),
    named,
    text: (text) => treated(text, texts) ?? '…',
  }
}

/** Characters of a hash: 128 bits. */
const hashCharacters = 32

const hasPath = /^[\w-]*:(?:[~/\\]|\.\.?[/\\]|[A-Za-z]:[\\/])/

const escapePattern = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
