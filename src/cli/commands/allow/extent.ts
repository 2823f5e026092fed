import { parseDay, type Extent } from '../../../changes/allow.ts'
import { limits } from '../../../model/limits.ts'
import { quoted } from '../../../model/text.ts'
import { usage } from '../../command.ts'

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
