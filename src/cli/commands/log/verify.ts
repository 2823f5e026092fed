import { HookgateError } from '../../../model/errors.ts'
import { quoted } from '../../../model/text.ts'
import { chainFaults, headText } from '../../../record/chain.ts'
import { verify as checked } from '../../../record/verification.ts'
import { type DecisionReader, openReader } from '../../../record/read.ts'
import { type CommandOutput, printed } from '../../command.ts'
import { counted } from '../../text/rule-lines.ts'
import { nothingRecorded } from '../../text/record-notes.ts'

/** Checks the chain of the record, and a head that was kept elsewhere against it. */
export function verify(file: string, { expect }: { readonly expect?: string }): CommandOutput {
  const kept = expect === undefined ? undefined : keptHead(expect)
  const reader = openReader(file)
  if (reader === undefined)
    return kept === undefined ? nothingRecorded(false) : printed('broken: nothing is recorded\n', 1)
  try {
    const check = checked(reader, file)
    if (check.kind === 'broken') {
      const id = check.id === undefined ? '' : ` (id ${quoted(check.id)})`
      return printed(`broken: row ${check.seq}${id} ${chainFaults[check.what]}\n`, 1)
    }
    const { rows, head } = check
    const differs = kept && difference(reader, kept)
    if (differs !== undefined) return printed(`broken: ${differs}\n`, 1)
    return printed(`intact: ${counted(rows, 'event')}, head ${headText(head)}\n`)
  } finally {
    reader.close()
  }
}

interface KeptHead {
  readonly seq: number
  readonly hash: string
}

/** @throws HookgateError `usage` */
function keptHead(text: string): KeptHead {
  const [, seq, hash] = /^(\d{1,15}):([0-9a-f]{64})$/i.exec(text) ?? []
  if (seq !== undefined && hash !== undefined) return { seq: Number(seq), hash: hash.toLowerCase() }
  throw new HookgateError('usage', `${quoted(text)} is no head of the record`, {
    remedy: 'give the number and the hash that `hookgate log --verify` printed, `SEQ:HASH`',
  })
}

function difference(reader: DecisionReader, { seq, hash }: KeptHead): string | undefined {
  const found = reader.hashAt(seq)
  if (found === undefined) return `row ${seq} is not there any more, or never was`
  return hex(found) === hash ? undefined : `row ${seq} is not the one that was kept: its hash is ${hex(found)}`
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
