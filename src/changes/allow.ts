import type { Refusals } from '../files/state/refusals.ts'
import type { InstallContext } from '../install/index.ts'
import type { PlannedRulesFile } from '../install/rules-file.ts'
import { HookgateError } from '../model/errors.ts'
import type { FileChanges } from '../model/file-changes.ts'
import { limits } from '../model/limits.ts'
import { localTime } from '../words/moment.ts'
import { type Grant, type KeptException, type KeptRefusal, noException } from '../model/refusal.ts'
import { printable, quoted } from '../model/text.ts'
import { endOfDay } from '../rules/load/exceptions.ts'
import { planExceptions, planWithoutException } from './exceptions.ts'
import { applyPlan } from './user-rules-file.ts'

/** How long a permission holds. */
export type Extent =
  | { readonly kind: 'once' | 'session' | 'always' }
  | { readonly kind: 'times'; readonly times: number }
  | { readonly kind: 'for'; readonly ms: number }
  /** `day` is the last day on which the permission holds. */
  | { readonly kind: 'until'; readonly day: string }

/** A refused call that a person allows, and for how long. */
export interface Allowance {
  readonly refusal: KeptRefusal
  readonly extent: Extent
  /** Written into the exception, if one is made. */
  readonly reason: string | undefined
}

/** An exception that is to be written, or a permission that is to be kept. */
export type PlannedAllowance =
  | { readonly kind: 'exception'; readonly planned: PlannedRulesFile }
  | { readonly kind: 'grants'; readonly allowance: Allowance }

/** @throws HookgateError `usage` if the refusal cannot be allowed for that long; those of `planExceptions` */
export function planAllowance(allowance: Allowance, context: InstallContext): PlannedAllowance {
  const { refusal, extent, reason } = allowance
  checkExtent(refusal, extent)
  if (extent.kind !== 'until' && extent.kind !== 'always') return { kind: 'grants', allowance }
  const entries = exceptionsOf(refusal).map((one) =>
    Object.assign({}, one, extent.kind === 'until' && { until: extent.day }, reason !== undefined && { reason }),
  )
  return { kind: 'exception', planned: planExceptions(entries, context) }
}

/** Writes the exception, or keeps the permission. @throws HookgateError `settingsUnwritable` */
export function carryOutAllowance(allowed: PlannedAllowance, refusals: Refusals, isDry: boolean): FileChanges {
  if (allowed.kind === 'exception') {
    const { planned } = allowed
    return applyPlan(planned, { isDry, notes: isDry || planned.diff === '' ? [] : [tryAgain] })
  }
  const { refusal, extent } = allowed.allowance
  if (isDry) return changesNoFile(false, extentText(refusal, extent))
  for (const grant of grantsFor(refusal, extent)) refusals.grant(grant)
  return changesNoFile(true, extentText(refusal, extent), tryAgain)
}

const tryAgain = 'tell the agent to try again'

/** Returns the result of a change that only keeps or removes grants, so that no file of the person changes. */
const changesNoFile = (changed: boolean, ...notes: readonly string[]): FileChanges => ({
  changed,
  files: [],
  copies: [],
  notes,
})

/** Returns the kept refusal that has an id. @throws HookgateError `usage` if there is none */
export function findRefusal(refusals: Refusals, id: string, remedy: () => string): KeptRefusal {
  const refusal = refusals.find(id.trim().toLowerCase())
  if (refusal !== undefined) return refusal
  const message = `no refusal of the last ${limits.refusalMsMax / 86_400_000} days has the id ${quoted(id)}`
  throw new HookgateError('usage', message, { remedy: remedy() })
}

/** Returns the rules of a refusal whose answer no permission lifts. */
const obstacles = ({ rules }: KeptRefusal) => rules.filter(({ obstacle }) => obstacle !== undefined)

/** Says why a refused call cannot be let through; `undefined` if it can. */
export function whyNotLiftable(refusal: KeptRefusal): string | undefined {
  const hindering = obstacles(refusal)
  if (hindering.length === 0) return undefined
  const reasons = hindering.map(({ name, obstacle = '' }) => `${name}: ${obstacle}`)
  return printable(`${refusal.id} cannot be allowed here; ${reasons.join('; ')}`)
}

/** An exception or the grants of one refusal, which a person takes back. */
export type PlannedRemoval =
  | { readonly kind: 'exception'; readonly planned: PlannedRulesFile }
  | { readonly kind: 'grants'; readonly id: string; readonly grants: readonly Grant[] }

/**
 * Finds the exception with a name, or the grants for the refusal with an id.
 *
 * @throws HookgateError `usage` if there is neither
 */
export function planRemoval(key: string, refusals: Refusals, context: InstallContext): PlannedRemoval {
  const grants = refusals.grants().filter(({ id }) => id === key)
  if (grants.length > 0) return { kind: 'grants', id: key, grants }
  return { kind: 'exception', planned: planWithoutException(key, context) }
}

/** Removes an exception from its file, or the grants. @throws HookgateError `settingsUnwritable` */
export function carryOutRemoval(removal: PlannedRemoval, refusals: Refusals, isDry: boolean): FileChanges {
  if (removal.kind === 'exception') return applyPlan(removal.planned, { isDry })
  if (!isDry) for (const grant of removal.grants) refusals.use(grant)
  const state = isDry ? 'allowed until this is run without --dry-run' : 'no longer allowed'
  return changesNoFile(!isDry, `${removal.id} is ${state}`)
}

/** Returns a day that a person typed. @throws HookgateError `usage` if the text is no day, or the day is over */
export function parseDay(text: string): string {
  const day = text.trim()
  const endsAtMs = endOfDay(day)
  if (typeof endsAtMs === 'object') throw allowError(`${endsAtMs.message}; ${endsAtMs.remedy ?? ''}`)
  if (endsAtMs <= Date.now()) throw allowError(`${quoted(day)} is over`)
  return day
}

const allowError = (message: string) => new HookgateError('usage', message, { remedy: 'see `hookgate allow --help`' })

/** @throws HookgateError `usage` if the refusal cannot be allowed for that long */
function checkExtent({ id, session, rules }: KeptRefusal, { kind }: Extent): void {
  const open = rules.find(({ exceptions }) => exceptions === undefined)
  const isException = kind === 'session' || kind === 'until' || kind === 'always'
  if (isException && open !== undefined) throw allowError(`${open.name}: ${noException}`)
  if (kind === 'session' && session === '') {
    const remedy = `use \`hookgate allow ${id} --once\`, \`--until\` or \`--always\``
    throw new HookgateError('usage', 'the agent did not say which session this was', { remedy })
  }
}

const exceptionsOf = ({ rules }: Pick<KeptRefusal, 'rules'>): readonly KeptException[] =>
  rules.flatMap(({ exceptions = [] }) => exceptions)

/** Returns the grants that allow a refused call for an extent; none for an extent that becomes an exception. */
export function grantsFor(refusal: KeptRefusal, extent: Extent): readonly Grant[] {
  const { id, call, session } = refusal
  const rules = refusal.rules.map((rule) => rule.id)
  const nowMs = Date.now()
  switch (extent.kind) {
    case 'once':
      return [{ kind: 'once', id, call, rules, endsAtMs: nowMs + limits.grantOnceMs }]
    case 'times': {
      const endsAtMs = nowMs + limits.grantRepeatMsMax
      return Array.from({ length: extent.times }, (_, index) => ({
        kind: 'once',
        id,
        call,
        rules,
        endsAtMs,
        nth: index + 1,
      }))
    }
    case 'for':
      return [{ kind: 'while', id, call, rules, endsAtMs: nowMs + extent.ms }]
    case 'session':
      return [
        { kind: 'session', id, session, exceptions: exceptionsOf(refusal), endsAtMs: nowMs + limits.grantSessionMs },
      ]
    case 'until':
    case 'always':
      return []
  }
}

/** Says for how long a refused call is allowed by a grant, which no file of the person shows. */
export function extentText({ session }: Pick<KeptRefusal, 'session'>, extent: Extent): string {
  switch (extent.kind) {
    case 'once':
      return `allowed once: the same call of the same session, until ${until(limits.grantOnceMs)}${bound}`
    case 'times':
      return `allowed ${extent.times} times: the same call of the same session, until ${until(limits.grantRepeatMsMax)}${bound}`
    case 'for':
      return `allowed until ${until(extent.ms)}: the same call of the same session${bound}`
    case 'session':
    case 'until':
    case 'always':
      return printable(
        `allowed in session ${session}, until ${until(limits.grantSessionMs)}, on every branch and whatever a script holds by then`,
      )
  }
}

const bound = `
It ends sooner if the branch, a remote, the real folder, a started script or a rule's answer changes.
It does not notice a change of a build file (package.json, Makefile) or of a file that is only read.`

const until = (ms: number) => localTime(Date.now() + ms)
