import { carryOutRemoval, planRemoval } from '../../../changes/allow.ts'
import { allowedReport, listExceptions } from '../../../changes/exceptions.ts'
import type { Grant } from '../../../model/refusal.ts'
import { printable } from '../../../model/text.ts'
import type { Refusals } from '../../../files/state/refusals.ts'
import { type CommandOutput, type Invocation, jsonText, printChanges, printed } from '../../command.ts'
import { installContextFor } from '../../args/install-context.ts'
import { localTime } from '../../../words/moment.ts'

type Listed = ReturnType<typeof listExceptions>[number]

/** Lists the exceptions in the user's own rules file, and the calls that are allowed once or for a session. */
export function listAllowed(refusals: Refusals, invocation: Invocation, asJson: boolean): CommandOutput {
  const context = installContextFor(invocation)
  if (asJson) return printed(jsonText(allowedReport(refusals, context), 2))
  const exceptions = listExceptions(context)
  const grants = refusals.grants()
  if (exceptions.length + grants.length === 0) return printed('there are no exceptions, and nothing is allowed\n')
  const lines = [...exceptions.map(exceptionLine), ...grants.map(grantLine)]
  return printed(printable(`${lines.join('\n')}\n\`hookgate allow --remove KEY\` takes one of them back\n`))
}

function exceptionLine({ key, file, line, rule, command, path, project, until, reason, over }: Listed): string {
  const extent = until === undefined ? 'always' : over ? `over since the end of ${until}` : `until ${until}`
  const what = command ?? path ?? ''
  const more = [`${file}:${line}`, ...(project === undefined ? [] : [`in ${project}`]), ...(reason ?? '').split('\n')]
  return [
    `${key}  ${rule}: ${what}  (${extent})`,
    ...more.filter((one) => one !== '').map((one) => `          ${one}`),
  ].join('\n')
}

function grantLine(grant: Grant): string {
  const until = `until ${localTime(grant.endsAtMs)}`
  if (grant.kind !== 'session') {
    const often = grant.kind === 'while' ? '' : grant.nth === undefined ? 'once, ' : `use ${grant.nth}, `
    return `${grant.id.padEnd(8)}  the call of the refusal ${grant.id}  (${often}${until})`
  }
  const what = grant.exceptions.map(({ rule, command, path }) => `${rule}: ${command ?? path ?? ''}`)
  return `${grant.id.padEnd(8)}  ${what.join(', ')}  (in session ${grant.session}, ${until})`
}

const unchanged = 'nothing was changed\n'

/** Takes back the exception with a key, or what was allowed for the refusal with an id. @throws HookgateError `usage` */
export async function removeAllowed(
  key: string,
  refusals: Refusals,
  invocation: Invocation,
  { isDry, asJson }: { readonly isDry: boolean; readonly asJson: boolean },
): Promise<CommandOutput> {
  // A program that calls this has its own confirmation, or no person to confirm.
  const ask = isDry || asJson ? undefined : invocation.ask
  const removal = planRemoval(key, refusals, installContextFor(invocation))
  const isOfFile = removal.kind === 'exception'
  const shown = isOfFile ? removal.planned.diff : removal.grants.map((grant) => `${grantLine(grant)}\n`).join('')
  if (ask !== undefined && !/^y(?:es)?$/i.test((await ask(`${printable(shown)}take it back? [y/N] `)).trim())) {
    return printed(unchanged)
  }
  const changes = carryOutRemoval(removal, refusals, isDry)
  return asJson || isOfFile ? printChanges(changes, { asJson }) : printed(`${changes.notes.join('\n')}\n`)
}
