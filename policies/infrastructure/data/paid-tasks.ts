import type { Call } from '../cli/calls.ts'
import { isOneOf } from '../cli/line.ts'
import { kindOf } from './releases.ts'
import { tokensOf } from './targets.ts'

/** Words of tasks by which people are paid, or money leaves an account. */
export const payingWords =
  'payroll payout payouts sepa ebics bacs disburse disbursement disbursements remittance salaries wages'
/** Words of tasks that only prepare, show or try it. */
const preparing =
  'test tests spec specs preview dry list show report status check lint seed fake mock generate gen build dev docs validate template init new help types typecheck watch'

/** Returns the task of a project, or its script, that pays somebody by its name. */
export function paidTask({ program, args, command }: Call): string | undefined {
  const kind = kindOf(program, command.written, args)
  if (kind === undefined || (kind === 'program' && program !== 'rake')) return undefined
  const words = args.map(({ value }) => value)
  if (words.some((word) => /^--?(?:dry-?run|preview|help|h|T|P|tasks|list|n)$/.test(word))) return undefined
  const named = words.filter((word) => !word.startsWith('-')).slice(0, 2)
  const names = kind === 'script' ? [command.written?.value.split('/').at(-1) ?? '', ...named.slice(0, 1)] : named
  const tokens = names.flatMap((name) => tokensOf(name.replace(/^.*\/(?=[^/])/, '')))
  if (tokens.some((token) => isOneOf(token, preparing))) return undefined
  return names.find((name) => tokensOf(name).some((token) => isOneOf(token, payingWords)))
}
