import type { Answer } from '../../model/dialect.ts'
import type { HookEvent } from '../../model/event.ts'
import type { JsonObject } from '../../model/json.ts'
import { printable } from '../../model/text.ts'
import type { Verdict } from '../../model/verdict.ts'
import { carry } from '../carry.ts'
import { rowFor } from './row-for.ts'
import type { WireTable } from './table.ts'

/** What the table's agent gets from its hook: one JSON object, or what it takes for having nothing to say. */
export function encodeVerdictBy(table: WireTable): (event: HookEvent, verdict: Verdict) => Answer {
  return (event, verdict) => {
    const row = rowFor(table, event)
    const carried = carry(event, verdict, row.carries)
    const stdout = jsonLine(row.form.encode(carried) ?? row.silence)
    const stderr = [...carried.unsaid, ...fieldsOfOthers(table, event, verdict)].flatMap(lines).join('')
    if (carried.decision !== 'deny') return { stdout, stderr, exitCode: 0 }
    return { stdout, stderr: `${carried.reason}\n${stderr}`, exitCode: table.exits.refusal }
  }
}

/** Fields that a hook meant for another agent alone: dropped, but not in silence. */
function fieldsOfOthers({ agent }: WireTable, { name }: HookEvent, { agentFields }: Verdict): readonly string[] {
  return Object.keys(agentFields).map((field) => `a field \`${field}\`, which ${agent} does not know at ${name}`)
}

const jsonLine = (object: JsonObject | undefined) => (object === undefined ? '' : `${JSON.stringify(object)}\n`)

const lines = (text: string) =>
  printable(text)
    .split('\n')
    .map((line) => `hookgate: ${line}\n`)
