import {
  carryOutAllowance,
  carryOutRemoval,
  type Extent,
  extentText,
  findRefusal,
  parseDay,
  planAllowance,
  type PlannedAllowance,
  planRemoval,
  whyNotLiftable,
} from '../../changes/allow.ts'
import { openRefusals, type Refusals } from '../../files/state/refusals.ts'
import { HookgateError } from '../../model/errors.ts'
import type { FileChanges } from '../../model/file-changes.ts'
import { limits } from '../../model/limits.ts'
import type { Grant, KeptRefusal } from '../../model/refusal.ts'
import { printable, quoted } from '../../model/text.ts'
import { parseFlags, installContextFor } from '../args/flags.ts'
import { ownPlaces } from '../args/own-places.ts'
import { type Command, type CommandOutput, type Invocation, jsonText, printed, usage } from '../command.ts'
import { consentTo, printChanges, withoutDiffs } from '../consent.ts'
import { listText, quotedCall, refusalText } from '../text/refusal-text.ts'
import { allowedReport, listExceptions } from '../../changes/exceptions.ts'
import { localTime } from '../../words/moment.ts'

type Listed = ReturnType<typeof listExceptions>[number]

/** Lists the exceptions in the user's own rules file, and the calls that are allowed once or for a session. */
export function listAllowed(refusals: Refusals, invocation: Invocation, asJson: boolean): CommandOutput {
  const context = installContextFor(invocation)
  if (asJson) return printed(jsonText(allowedReport(refusals, context), 2))
  const exceptions = listExceptions(context)
  const grants = refusals.grants()
  if (exceptions.length + grants.length === 0) return printed('there are no exceptions, and nothing is allowed\n')
  const lines = [...exceptions.map(exceptionLine), ...grants.map((grant) => grantLine(grant, refusals))]
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

function grantLine(grant: Grant, refusals: Refusals): string {
  const until = `until ${localTime(grant.endsAtMs)}`
  if (grant.kind !== 'session') {
    const often = grant.kind === 'while' ? '' : grant.nth === undefined ? 'once, ' : `use ${grant.nth}, `
    const refusal = refusals.find(grant.id)
    const what = refusal === undefined ? `the call of the refusal ${grant.id}` : quotedCall(refusal)
    return `${grant.id.padEnd(8)}  ${what}  (${often}${until})`
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
  { isDry, asJson, yes }: { readonly isDry: boolean; readonly asJson: boolean; readonly yes?: boolean },
): Promise<CommandOutput> {
  // A program that calls this has its own confirmation, or no person to confirm.
  const ask = isDry || asJson ? undefined : invocation.ask
  const removal = planRemoval(key, refusals, installContextFor(invocation))
  const isOfFile = removal.kind === 'exception'
  const shown = isOfFile
    ? removal.planned.diff
    : removal.grants.map((grant) => `${grantLine(grant, refusals)}\n`).join('')
  const question = 'take it back? [y/N]'
  if ((await consentTo({ ask, yes, shown: printable(shown), question })) === false) return printed(unchanged)
  const changes = carryOutRemoval(removal, refusals, isDry)
  const wasAsked = ask !== undefined && yes !== true
  return asJson || isOfFile
    ? printChanges(wasAsked ? withoutDiffs(changes) : changes, { asJson })
    : printed(`${changes.notes.join('\n')}\n`)
}

export const allowCommand: Command = {
  help: `hookgate allow: let through what was refused

  hookgate allow
  hookgate allow ID [--once | --times N | --for TIME | --session | --until DATE | --always] [options]
  hookgate allow --list [--json]
  hookgate allow --remove KEY [--dry-run] [--json]

Every refusal and every question about a tool call has an id, which its reason ends with. With the id, this shows what
was refused, by which rule, and the narrowest exception that lets it through; without one it lists the last refusals.

  --once          the same call of the same session, once, within ${limits.grantOnceMs / 60_000} minutes
  --times N       the same, N times (${limits.grantTimesMax} at most) within a day
  --for TIME      the same, as often as it comes for that long: 30m, 2h; a day at most
  --session       the exception, in the same session (for at most ${limits.grantSessionMs / 86_400_000} days)
  --until DATE    the exception, up to the end of that day: 2027-01-31
  --always        the exception, for good
  --reason TEXT   why, as it is written beside the exception
  --list          the exceptions of ~/.config/hookgate/hooks.json, and what is allowed without one
  --remove KEY    take back one that \`--list\` shows, by its key or its id; on a terminal it shows what, and asks
  --dry-run       show what it would do, and change nothing
  --yes           with --remove: do it without asking
  --json          the refusals, the list or, of a change, \`changed\`, \`files\` with their \`diff\`, \`copies\` and
                  \`notes\`, as JSON

An exception is about exactly the commands or files of this refusal, in this project and for this rule. \`--until\` and
\`--always\` write it into "exceptions" of ~/.config/hookgate/hooks.json, after they have shown the change. No exception
allows anything: the rule has no opinion then, and all others still have theirs.

It needs a terminal, since only a person may allow something. What managed rules refuse, what rules of the command line
refuse, and what protects hookgate itself, it cannot lift; nor a rule that failed.

  hookgate allow k3x7qd --once
`,
  async run(invocation): Promise<CommandOutput> {
    const { values, positionals } = parseFlags('allow', invocation.argv, flags, true)
    const refusals = openRefusals(ownPlaces(invocation.env).refusals)
    const [id, ...rest] = positionals
    if (rest.length > 0) throw usage('it takes one id', 'allow')
    const chosen = extentsGiven('allow', values)
    const isDry = values['dry-run'] === true
    const asJson = values.json === true
    if (values.list === true || values.remove !== undefined) {
      if (id !== undefined || chosen.length > 0 || (values.list === true && values.remove !== undefined)) {
        throw usage('--list and --remove stand alone', 'allow')
      }
      if (values.remove === undefined) return listAllowed(refusals, invocation, asJson)
      return removeAllowed(values.remove.trim(), refusals, invocation, { isDry, asJson, yes: values.yes === true })
    }
    if (id === undefined) {
      if (chosen.length > 0) throw usage('it needs the id of a refusal', 'allow')
      const all = refusals.all()
      return printed(asJson ? jsonText({ refusals: all }, 2) : listText(all, invocation.cwd))
    }
    const refusal = refusalOf(refusals, id, invocation.cwd)
    const [kind] = chosen
    if (kind === undefined && asJson) return printed(jsonText({ refusals: [refusal] }, 2))
    if (!isDry && invocation.ask === undefined) throw noTerminal(refusal)
    const obstacle = whyNotLiftable(refusal)
    if (obstacle !== undefined) {
      const stdout = asJson ? jsonText({ refusals: [refusal] }, 2) : refusalText(refusal)
      return { stdout, stderr: `hookgate: ${obstacle}\n`, exitCode: 1 }
    }
    const { ask } = invocation
    const { reason } = values
    if (kind !== undefined) {
      const allowing = { refusal, refusals, invocation, reason, shown: refusalText(refusal), asJson }
      return isDry || ask === undefined ? showPlanned(allowing, kind) : carryOut(allowing, kind, ask)
    }
    if (isDry || ask === undefined) return printed(refusalText(refusal))
    return askExtent({ refusal, refusals, invocation, reason, shown: '', asJson }, ask)
  },
}

const flags = {
  once: { type: 'boolean' },
  times: { type: 'string' },
  for: { type: 'string' },
  session: { type: 'boolean' },
  until: { type: 'string' },
  always: { type: 'boolean' },
  reason: { type: 'string' },
  'dry-run': { type: 'boolean' },
  yes: { type: 'boolean' },
  list: { type: 'boolean' },
  remove: { type: 'string' },
  json: { type: 'boolean' },
} as const

interface Allowing {
  readonly refusal: KeptRefusal
  readonly refusals: Refusals
  readonly invocation: Invocation
  readonly reason: string | undefined
  /** Lines about the refusal that are still to be printed. */
  readonly shown: string
  readonly asJson: boolean
}

/** Returns the refusal with an id. @throws HookgateError `usage`, which lists all ids, if none has it */
export const refusalOf = (refusals: Refusals, id: string, cwd: string): KeptRefusal =>
  findRefusal(refusals, id, () => {
    const all = refusals.all()
    if (all.length === 0) return 'the reason of a refusal ends with its id'
    return `take one of these:\n${listText(all, cwd).trimEnd()}`
  })

const noTerminal = ({ id }: KeptRefusal) =>
  new HookgateError('usage', 'it needs a terminal, since only a person may allow something', {
    remedy: `run \`hookgate allow ${id}\` in a terminal; \`--dry-run\` shows what it would do`,
  })

const isDescribed = ({ rules }: KeptRefusal) => rules.every(({ exceptions }) => exceptions !== undefined)

/** Asks the person at the terminal for how long the call is to be allowed, and carries that out. */
async function askExtent(allowing: Allowing, ask: Ask): Promise<CommandOutput> {
  const { refusal } = allowing
  const choices = isDescribed(refusal)
    ? `allow it [o]nce${refusal.session === '' ? '' : ', for this [s]ession'}, [u]ntil a day, or [a]lways? [N] `
    : 'allow it [o]nce? [N] '
  const answer = (await ask(`${refusalText(refusal)}\n${choices}`)).trim().toLowerCase()
  if (/^o(?:nce)?$/.test(answer)) return carryOut(allowing, { kind: 'once' }, ask)
  if (/^s(?:ession)?$/.test(answer)) return carryOut(allowing, { kind: 'session' }, ask)
  if (/^a(?:lways)?$/.test(answer)) return carryOut(allowing, { kind: 'always' }, ask)
  if (!/^u(?:ntil)?$/.test(answer)) return printed('nothing was changed\n')
  const day = parseDay(await ask('until the end of which day (2027-01-31)? '))
  return carryOut(allowing, { kind: 'until', day }, ask)
}

/** Shows what would be allowed, and changes nothing. */
async function showPlanned(allowing: Allowing, extent: Extent): Promise<CommandOutput> {
  const { refusal, refusals, shown, asJson } = allowing
  const allowed = planned(allowing, extent)
  if (asJson) return printChanges(carryOutAllowance(allowed, refusals, true), { asJson })
  const change = allowed.kind === 'grants' ? `${extentText(refusal, extent)}\n` : printable(changeText(allowed.planned))
  return printed(`${shown}\n${change}nothing was changed\n`)
}

async function carryOut(allowing: Allowing, extent: Extent, ask: Ask): Promise<CommandOutput> {
  const { refusals, shown, asJson } = allowing
  const allowed = planned(allowing, extent)
  if (allowed.kind === 'grants') {
    const changes = carryOutAllowance(allowed, refusals, false)
    const undo = `undo: \`hookgate allow --remove ${allowing.refusal.id}\`\n`
    return asJson ? printChanges(changes, { asJson }) : printed(`${shown}${changes.notes.join('\n')}\n${undo}`)
  }
  const { file, diff } = allowed.planned
  if (diff === '' && !asJson) return printed(`${shown}${printable(file)} has it already\n`)
  const changes = await writeIfAgreed(allowed, refusals, shown, ask)
  return printChanges(asJson ? changes : withoutDiffs(changes), { asJson })
}

type Ask = NonNullable<Invocation['ask']>

const planned = ({ refusal, reason, invocation }: Allowing, extent: Extent): PlannedAllowance =>
  planAllowance({ refusal, extent, reason }, installContextFor(invocation))

/** Writes an exception that a person has read and agrees to. @param shown what is said before the change */
export async function writeIfAgreed(
  allowed: Extract<PlannedAllowance, { readonly kind: 'exception' }>,
  refusals: Refusals,
  shown: string,
  ask: Ask,
): Promise<FileChanges> {
  const { diff } = allowed.planned
  const question = { shown: `${shown}\n${printable(diff)}`, question: 'write this? [y/N]' }
  const isAgreed = diff !== '' && (await consentTo({ ask, yes: undefined, ...question })) === true
  return carryOutAllowance(allowed, refusals, !isAgreed)
}

const changeText = ({ file, diff }: { readonly file: string; readonly diff: string }) =>
  diff === '' ? `${file} has it already\n` : diff

interface ExtentFlags {
  readonly once?: boolean
  readonly times?: string
  readonly for?: string
  readonly session?: boolean
  readonly until?: string
  readonly always?: boolean
}

/** Returns the extent that the flags name, if any. @throws HookgateError `usage` for several, or for a wrong value */
export function extentsGiven(command: string, values: ExtentFlags): readonly Extent[] {
  const extents: readonly Extent[] = [
    ...(values.once === true ? [{ kind: 'once' } as const] : []),
    ...(values.times === undefined ? [] : [{ kind: 'times', times: timesIn(command, values.times) } as const]),
    ...(values.for === undefined ? [] : [{ kind: 'for', ms: spanIn(command, values.for) } as const]),
    ...(values.session === true ? [{ kind: 'session' } as const] : []),
    ...(values.until === undefined ? [] : [{ kind: 'until', day: parseDay(values.until) } as const]),
    ...(values.always === true ? [{ kind: 'always' } as const] : []),
  ]
  if (extents.length <= 1) return extents
  throw usage(`${extents.map(({ kind }) => `--${kind}`).join(' and ')} exclude each other`, command)
}

function timesIn(command: string, text: string): number {
  const times = /^\d{1,3}$/.test(text) ? Number(text) : 0
  if (times >= 1 && times <= limits.grantTimesMax) return times
  throw usage(`--times takes a number from 1 to ${limits.grantTimesMax}, not ${quoted(text)}`, command)
}

function spanIn(command: string, text: string): number {
  const [, count = '0', unit = ''] = /^(\d{1,6})([smh])$/.exec(text) ?? []
  const ms = Number(count) * ({ s: 1000, m: 60_000, h: 3_600_000 }[unit] ?? 0)
  if (ms > 0 && ms <= limits.grantRepeatMsMax) return ms
  throw usage(`--for takes a time such as 30m or 2h, a day at most, not ${quoted(text)}`, command)
}
