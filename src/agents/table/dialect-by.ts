import { supportedPart } from '../codec/supported-verdict.ts'
import type { AgentDescriptor } from '../descriptor.ts'
import { decodeAnswerBy } from './decode-answer.ts'
import { eventCodec } from './event-codec.ts'
import type { WireTable } from './table.ts'
import type { Dialect } from '../../model/dialect.ts'
import { printable } from '../../model/text.ts'

/** Makes the dialect that a table describes for an agent. */
export function dialectBy(descriptor: AgentDescriptor, table: WireTable): Dialect {
  const { dialect, rowFor } = eventCodec(descriptor, table)
  const agent = descriptor.name
  return {
    ...dialect,
    support: (event) => rowFor(event, event.raw).support,
    encodeVerdict(event, verdict) {
      const row = rowFor(event, event.raw)
      const supported = supportedPart(event, verdict, row.support, descriptor.title)
      // Fields that a hook set for another agent only are dropped, but reported.
      const dropped = Object.keys(verdict.agentFields).map(
        (field) => `a field \`${field}\`, which ${descriptor.title} does not know at ${event.name}`,
      )
      const stdout = jsonLine(row.form.encode(supported) ?? row.emptyAnswer)
      const stderr = stderrLines([...supported.unexpressed, ...dropped])
      if (supported.decision !== 'deny') return { stdout, stderr, exitCode: 0 }
      return { stdout, stderr: `${supported.reason}\n${stderr}`, exitCode: table.refusalCode ?? 2 }
    },
    decodeAnswer: decodeAnswerBy(agent, table, rowFor),
  }
}

export function jsonLine(object: object | undefined): string {
  return object === undefined ? '' : `${JSON.stringify(object)}\n`
}

/** Formats remarks for stderr, each line marked as hookgate's. */
export function stderrLines(texts: readonly string[]): string {
  return texts
    .flatMap((text) => printable(text).split('\n'))
    .map((line) => `hookgate: ${line}\n`)
    .join('')
}
