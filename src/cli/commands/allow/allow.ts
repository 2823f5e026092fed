import { limits } from '../../../model/limits.ts'
import { HookgateError } from '../../../model/errors.ts'
import type { FileChanges } from '../../../model/file-changes.ts'
import type { KeptRefusal } from '../../../model/refusal.ts'
import { printable, quoted } from '../../../model/text.ts'
import { openRefusals, type Refusals } from '../../../files/state/refusals.ts'
import { listText, refusalText } from '../../text/refusal-text.ts'
import { type Command, type CommandOutput, type Invocation, jsonText, printed, usage } from '../../command.ts'
import { installContextFor } from '../../args/install-context.ts'
import { applyPlan, printChanges } from '../../text/file-changes.ts'
import { parseFlags } from '../../args/flags.ts'
import { ownPlaces } from '../../args/own-places.ts'
import { checkExtent, dayIn, exceptionsOf, type Extent, extentsGiven, extentText, grantsFor } from './extent.ts'

export const allowCommand: Command = {
  summary: 'let through what was refused: once, for a session, until a day, or always',
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
      // Loaded late: deciding an event does not need it.
      const { listAllowed, removeAllowed } = await import('./exceptions.ts')
      if (values.remove === undefined) return listAllowed(refusals, invocation, asJson)
      return removeAllowed(values.remove.trim(), refusals, invocation, { isDry, asJson })
    }
    if (id === undefined) {
      if (chosen.length > 0) throw usage('it needs the id of a refusal', 'allow')
      const all = refusals.all()
      return printed(asJson ? jsonText({ refusals: all }, 2) : listText(all, invocation.cwd))
    }
    const refusal = found(refusals, id, invocation.cwd)
    const [kind] = chosen
    if (kind === undefined && asJson) return printed(jsonText({ refusals: [refusal] }, 2))
    if (!isDry && invocation.ask === undefined) throw noTerminal(refusal)
    if (obstacles(refusal).length > 0) {
      const stdout = asJson ? jsonText({ refusals: [refusal] }, 2) : refusalText(refusal)
      return { stdout, stderr: `hookgate: ${notLiftable(refusal)}\n`, exitCode: 1 }
    }
    const { ask } = invocation
    const { reason } = values
    if (kind !== undefined) {
      const allowing = { refusal, refusals, invocation, reason, shown: refusalText(refusal), asJson }
      return isDry || ask === undefined ? dryRun(allowing, kind) : carriedOut(allowing, kind, ask)
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
  list: { type: 'boolean' },
  remove: { type: 'string' },
  json: { type: 'boolean' },
} as const

interface Allowing {
  readonly refusal: KeptRefusal
  readonly refusals: Refusals
  readonly invocation: Invocation
  readonly reason: string | undefined
  /** Lines that were not printed yet. */
  readonly shown: string
  readonly asJson: boolean
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

const isDescribed = ({ rules }: KeptRefusal) => rules.every(({ exceptions }) => exceptions !== undefined)

/** Asks the person at the terminal how long it is to be allowed. */
async function askExtent(allowing: Allowing, ask: NonNullable<Invocation['ask']>): Promise<CommandOutput> {
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

async function dryRun(
  { refusal, invocation, reason, shown, asJson }: Allowing,
  extent: Extent,
): Promise<CommandOutput> {
  checkExtent(refusal, extent)
  const planned = await plannedChange(refusal, extent, reason, invocation)
  if (asJson) {
    if (planned !== undefined) return printChanges(applyPlan(planned, { isDry: true }), { asJson })
    return printChanges(unwritten(false, extentText(refusal, extent)), { asJson })
  }
  const change = planned === undefined ? `${extentText(refusal, extent)}\n` : printable(changeText(planned))
  return printed(`${shown}\n${change}nothing was changed\n`)
}

async function carriedOut(
  { refusal, refusals, invocation, reason, shown, asJson }: Allowing,
  extent: Extent,
  ask: NonNullable<Invocation['ask']>,
): Promise<CommandOutput> {
  checkExtent(refusal, extent)
  const planned = await plannedChange(refusal, extent, reason, invocation)
  if (planned !== undefined) {
    const { file, diff } = planned
    if (diff === '' && !asJson) return printed(`${shown}${printable(file)} has it already\n`)
    const isAgreed =
      diff !== '' && /^y(?:es)?$/i.test((await ask(`${shown}\n${printable(diff)}write this? [y/N] `)).trim())
    const notes = isAgreed ? [again] : []
    const changes = applyPlan(planned, { isDry: !isAgreed, notes })
    // At a terminal, the question has shown the change.
    const shownYet = asJson
      ? changes
      : { ...changes, files: changes.files.map((one) => ({ file: one.file, diff: '' })) }
    return printChanges(shownYet, { asJson })
  }
  for (const grant of grantsFor(refusal, extent)) refusals.grant(grant)
  const text = extentText(refusal, extent)
  if (asJson) return printChanges(unwritten(true, text, again), { asJson })
  return printed(`${shown}${text}\n${again}\n`)
}

const again = 'tell the agent to try again'

/** A grant is kept, and no file of the person's changes. */
const unwritten = (changed: boolean, ...notes: readonly string[]): FileChanges => ({
  changed,
  files: [],
  copies: [],
  notes,
})

/** Plans the change of hooks.json; `undefined` for what is not written there. */
async function plannedChange(
  refusal: KeptRefusal,
  extent: Extent,
  reason: string | undefined,
  { env, cwd }: Invocation,
) {
  if (extent.kind !== 'until' && extent.kind !== 'always') return undefined
  // Loaded late: deciding an event does not need it.
  const { planExceptions } = await import('../../../changes/exceptions.ts')
  const entries = exceptionsOf(refusal).map((one) =>
    Object.assign({}, one, extent.kind === 'until' && { until: extent.day }, reason !== undefined && { reason }),
  )
  return planExceptions(entries, installContextFor({ env, cwd }))
}

const changeText = ({ file, diff }: { readonly file: string; readonly diff: string }) =>
  diff === '' ? `${file} has it already\n` : diff
