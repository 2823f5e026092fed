import { limits } from '../../../model/limits.ts'
import { HookgateError } from '../../../model/errors.ts'
import type { Grant, KeptException, KeptRefusal } from '../../../model/refusal.ts'
import { printable, quoted } from '../../../model/text.ts'
import { endOfDay } from '../../../rules/load/exceptions.ts'
import { localTime } from '../../../model/local-time.ts'
import { noException } from '../../text/refusal-text.ts'
import { usage } from '../../command.ts'

/** The duration of a permission. */
export type Extent =
  | { readonly kind: 'once' | 'session' | 'always' }
  | { readonly kind: 'times'; readonly times: number }
  | { readonly kind: 'for'; readonly ms: number }
  /** `day` is the last one. */
  | { readonly kind: 'until'; readonly day: string }

interface ExtentFlags {
  readonly once?: boolean
  readonly times?: string
  readonly for?: string
  readonly session?: boolean
  readonly until?: string
  readonly always?: boolean
}

/** @throws HookgateError `usage` if more than one is given, or a number, time or day is none */
export function extentsGiven(command: string, values: ExtentFlags): readonly Extent[] {
  const extents: readonly Extent[] = [
    ...(values.once === true ? [{ kind: 'once' } as const] : []),
    ...(values.times === undefined ? [] : [{ kind: 'times', times: timesIn(command, values.times) } as const]),
    ...(values.for === undefined ? [] : [{ kind: 'for', ms: spanIn(command, values.for) } as const]),
    ...(values.session === true ? [{ kind: 'session' } as const] : []),
    ...(values.until === undefined ? [] : [{ kind: 'until', day: dayIn(values.until) } as const]),
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

/** @throws HookgateError `usage` if it is no day, or over */
export function dayIn(text: string): string {
  const day = text.trim()
  const endsAtMs = endOfDay(day)
  if (typeof endsAtMs === 'object') throw usage(`${endsAtMs.message}; ${endsAtMs.remedy ?? ''}`, 'allow')
  if (endsAtMs <= Date.now()) throw usage(`${quoted(day)} is over`, 'allow')
  return day
}

/** @throws HookgateError `usage` if the refusal cannot be allowed for that long */
export function checkExtent({ id, session, rules }: KeptRefusal, { kind }: Extent): void {
  const open = rules.find(({ exceptions }) => exceptions === undefined)
  const isException = kind === 'session' || kind === 'until' || kind === 'always'
  if (isException && open !== undefined) throw usage(`${open.name}: ${noException}`, 'allow')
  if (kind === 'session' && session === '') {
    const remedy = `use \`hookgate allow ${id} --once\`, \`--until\` or \`--always\``
    throw new HookgateError('usage', 'the agent did not say which session this was', { remedy })
  }
}

export const exceptionsOf = ({ rules }: Pick<KeptRefusal, 'rules'>): readonly KeptException[] =>
  rules.flatMap(({ exceptions = [] }) => exceptions)

/** Returns the grants that allow a refused call that long; none for what is written into the rules file. */
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

/** Says for how long a refused call is allowed, where nothing is written into the rules file. */
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
