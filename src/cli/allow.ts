import { endOfDay } from '../rules/load/exceptions.ts'
import { limits } from '../model/limits.ts'
import { HookgateError } from '../model/errors.ts'
import type { KeptRefusal } from '../model/refusal.ts'
import { printable, quoted } from '../model/text.ts'
import { openRefusals, type Refusals } from '../record/refusals.ts'
import { listText, localTime, noException, refusalText } from './allow/report.ts'
import { type Command, type CommandOutput, type Invocation, printed, usage } from './command.ts'
import { installContextFor } from './enable.ts'
import { parseFlags } from './flags.ts'
import { ownPlaces } from './own-places.ts'

export const allowCommand: Command = {
  summary: 'let through what was refused: once, for a session, until a day, or always',
  help: `hookgate allow: let through what was refused

  hookgate allow
  hookgate allow ID [--once | --session | --until DATE | --always] [--reason TEXT] [--dry-run]

Every refusal and every question about a tool call has an id, which its reason ends with. With the id, this shows what
was refused, by which rule, and the narrowest exception that lets it through; without one it lists the last refusals.

  --once          the same call of the same session, once, within ${limits.grantOnceMs / 60_000} minutes
  --session       the exception, in the same session (for at most ${limits.grantSessionMs / 86_400_000} days)
  --until DATE    the exception, up to the end of that day: 2027-01-31
  --always        the exception, for good
  --reason TEXT   why, as it is written beside the exception
  --dry-run       show what it would do, and change nothing

An exception is about exactly the commands or files of this refusal, in this project and for this rule. \`--until\` and
\`--always\` write it into "exceptions" of ~/.config/hookgate/hooks.json, after they have shown the change; remove it
there. No exception allows anything: the rule has no opinion then, and all others still have theirs.

It needs a terminal, since only a person may allow something. What managed rules refuse, what rules of the command line
refuse, and what protects hookgate itself, it cannot lift; nor a rule that failed.

  hookgate allow k3x7qd --once
`,
  async run(invocation): Promise<CommandOutput> {
    const { values, positionals } = parseFlags('allow', invocation.argv, flags, true)
    const refusals = openRefusals(ownPlaces(invocation.env).refusals)
    const [id, ...rest] = positionals
    if (rest.length > 0) throw usage('it takes one id', 'allow')
    const chosen = kindsGiven(values)
    if (id === undefined) {
      if (chosen.length > 0) throw usage('it needs the id of a refusal', 'allow')
      return printed(listText(refusals.all(), invocation.cwd))
    }
    const refusal = found(refusals, id, invocation.cwd)
    const isDry = values['dry-run'] === true
    const [kind] = chosen
    if (!isDry && invocation.ask === undefined) throw noTerminal(refusal)
    if (obstacles(refusal).length > 0) {
      return { stdout: refusalText(refusal), stderr: `hookgate: ${notLiftable(refusal)}\n`, exitCode: 1 }
    }
    const { ask } = invocation
    if (kind !== undefined) {
      const allowing = { refusal, refusals, invocation, reason: values.reason, shown: refusalText(refusal) }
      return isDry || ask === undefined ? dryRun(allowing, kind) : carriedOut(allowing, kind, ask)
    }
    if (isDry || ask === undefined) return printed(refusalText(refusal))
    return asked({ refusal, refusals, invocation, reason: values.reason, shown: '' }, ask)
  },
}

const flags = {
  once: { type: 'boolean' },
  session: { type: 'boolean' },
  until: { type: 'string' },
  always: { type: 'boolean' },
  reason: { type: 'string' },
  'dry-run': { type: 'boolean' },
} as const

/** How long something is to be allowed. */
type Extent =
  | { readonly kind: 'once' | 'session' | 'always' }
  /** `day` is the last one. */
  | { readonly kind: 'until'; readonly day: string }

interface Allowing {
  readonly refusal: KeptRefusal
  readonly refusals: Refusals
  readonly invocation: Invocation
  readonly reason: string | undefined
  /** What has not been shown yet. */
  readonly shown: string
}

/** @throws HookgateError `usage` if more than one is given, or the day is none */
function kindsGiven(values: {
  readonly once?: boolean
  readonly session?: boolean
  readonly until?: string
  readonly always?: boolean
}): readonly Extent[] {
  const extents: readonly Extent[] = [
    ...(values.once === true ? [{ kind: 'once' } as const] : []),
    ...(values.session === true ? [{ kind: 'session' } as const] : []),
    ...(values.until === undefined ? [] : [{ kind: 'until', day: dayIn(values.until) } as const]),
    ...(values.always === true ? [{ kind: 'always' } as const] : []),
  ]
  if (extents.length <= 1) return extents
  throw usage(`${extents.map(({ kind }) => `--${kind}`).join(' and ')} exclude each other`, 'allow')
}

function dayIn(text: string): string {
  const day = text.trim()
  const endsAtMs = endOfDay(day)
  if (typeof endsAtMs === 'object') throw usage(`${endsAtMs.message}; ${endsAtMs.remedy ?? ''}`, 'allow')
  if (endsAtMs <= Date.now()) throw usage(`${quoted(day)} is over`, 'allow')
  return day
}

/** @throws HookgateError `usage` for an id that is not kept, with those that are */
function found(refusals: Refusals, id: string, cwd: string): KeptRefusal {
  const refusal = refusals.find(id.trim().toLowerCase())
  if (refusal !== undefined) return refusal
  const days = limits.refusalMsMax / 86_400_000
  const message = `no refusal of the last ${days} days has the id ${quoted(id)}`
  const all = refusals.all()
  const remedy =
    all.length === 0
      ? 'the reason of a refusal ends with its id'
      : `take one of these:\n${listText(all, cwd).trimEnd()}`
  throw new HookgateError('usage', message, { remedy })
}

const noTerminal = ({ id }: KeptRefusal) =>
  new HookgateError('usage', 'it needs a terminal, since only a person may allow something', {
    remedy: `run \`hookgate allow ${id}\` in a terminal; \`--dry-run\` shows what it would do`,
  })

const obstacles = ({ rules }: KeptRefusal) => rules.filter(({ obstacle }) => obstacle !== undefined)

function notLiftable(refusal: KeptRefusal): string {
  const reasons = obstacles(refusal).map(({ name, obstacle = '' }) => `${name}: ${obstacle}`)
  return printable(`${refusal.id} cannot be allowed here; ${reasons.join('; ')}`)
}

const exceptionsOf = ({ rules }: KeptRefusal) => rules.flatMap(({ exceptions = [] }) => exceptions)
const isDescribed = ({ rules }: KeptRefusal) => rules.every(({ exceptions }) => exceptions !== undefined)

/** Asks the person at the terminal how long it is to be allowed. */
async function asked(allowing: Allowing, ask: NonNullable<Invocation['ask']>): Promise<CommandOutput> {
  const { refusal } = allowing
  const choices = isDescribed(refusal)
    ? `allow it [o]nce${refusal.session === '' ? '' : ', for this [s]ession'}, [u]ntil a day, or [a]lways? [N] `
    : 'allow it [o]nce? [N] '
  const answer = (await ask(`${refusalText(refusal)}\n${choices}`)).trim().toLowerCase()
  if (/^o(?:nce)?$/.test(answer)) return carriedOut(allowing, { kind: 'once' }, ask)
  if (/^s(?:ession)?$/.test(answer)) return carriedOut(allowing, { kind: 'session' }, ask)
  if (/^a(?:lways)?$/.test(answer)) return carriedOut(allowing, { kind: 'always' }, ask)
  if (!/^u(?:ntil)?$/.test(answer)) return printed('nothing was changed\n')
  const day = dayIn(await ask('until the end of which day (2027-01-31)? '))
  return carriedOut(allowing, { kind: 'until', day }, ask)
}

/** @throws HookgateError `usage` if the refusal cannot be allowed for that long */
function checkExtent({ id, session, rules }: KeptRefusal, { kind }: Extent): void {
  const open = rules.find(({ exceptions }) => exceptions === undefined)
  if (kind !== 'once' && open !== undefined) throw usage(`${open.name}: ${noException}`, 'allow')
  if (kind === 'session' && session === '') {
    const remedy = `use \`hookgate allow ${id} --once\`, \`--until\` or \`--always\``
    throw new HookgateError('usage', 'the agent did not say which session this was', { remedy })
  }
}

async function dryRun({ refusal, invocation, reason, shown }: Allowing, extent: Extent): Promise<CommandOutput> {
  checkExtent(refusal, extent)
  const planned = await plannedChange(refusal, extent, reason, invocation)
  const change = planned === undefined ? `${extentText(refusal, extent)}\n` : printable(changeText(planned))
  return printed(`${shown}\n${change}nothing was changed\n`)
}

async function carriedOut(
  { refusal, refusals, invocation, reason, shown }: Allowing,
  extent: Extent,
  ask: NonNullable<Invocation['ask']>,
): Promise<CommandOutput> {
  checkExtent(refusal, extent)
  const planned = await plannedChange(refusal, extent, reason, invocation)
  const { id, call, session, rules } = refusal
  if (planned !== undefined) {
    if (planned.diff === '') return printed(`${shown}${printable(planned.file)} has it already\n`)
    const answer = await ask(`${shown}\n${printable(planned.diff)}write this? [y/N] `)
    if (!/^y(?:es)?$/i.test(answer.trim())) return printed('nothing was changed\n')
    const copy = planned.write()
    const kept = copy === undefined ? '' : `the old one is kept in ${copy}\n`
    return printed(printable(`wrote ${planned.file}\n${kept}${again}`))
  }
  if (extent.kind === 'once') {
    const endsAtMs = Date.now() + limits.grantOnceMs
    refusals.grant({ kind: 'once', id, call, rules: rules.map((rule) => rule.id), endsAtMs })
  } else {
    const endsAtMs = Date.now() + limits.grantSessionMs
    refusals.grant({ kind: 'session', id, session, exceptions: exceptionsOf(refusal), endsAtMs })
  }
  return printed(`${shown}${extentText(refusal, extent)}\n${again}`)
}

const again = 'tell the agent to try again\n'

/** Plans the change of hooks.json; `undefined` for what is not written there. */
async function plannedChange(
  refusal: KeptRefusal,
  extent: Extent,
  reason: string | undefined,
  { env, cwd }: Invocation,
) {
  if (extent.kind === 'once' || extent.kind === 'session') return undefined
  // Loaded late: deciding an event does not need it.
  const { planExceptions } = await import('../install/exceptions.ts')
  const entries = exceptionsOf(refusal).map((one) =>
    Object.assign({}, one, extent.kind === 'until' && { until: extent.day }, reason !== undefined && { reason }),
  )
  return planExceptions(entries, installContextFor({ env, cwd }))
}

const changeText = ({ file, diff }: { readonly file: string; readonly diff: string }) =>
  diff === '' ? `${file} has it already\n` : diff

function extentText({ session }: KeptRefusal, { kind }: Extent): string {
  return kind === 'once'
    ? `allowed once: the same call of the same session, until ${localTime(Date.now() + limits.grantOnceMs)}`
    : printable(`allowed in session ${session}, until ${localTime(Date.now() + limits.grantSessionMs)}`)
}
