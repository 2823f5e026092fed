import { noException } from '../../../model/refusal.ts'
import { printable } from '../../../model/text.ts'
import { wrapped } from '../../text/rule-lines.ts'
import type { Lifting } from '../../../review/why/report.ts'

/** Says how a person can let a call through, or why not. */
export function liftLines({ id, rules }: Lifting): readonly string[] {
  const obstacles = rules.flatMap(({ name, obstacle }) => (obstacle === undefined ? [] : [`${name}: ${obstacle}`]))
  if (obstacles.length > 0) return obstacles.map((line) => wrapped('  ', `it cannot be lifted here: ${line}`))
  if (rules.length === 0) return ['  nothing has to be lifted: no rule of today objects']
  const exceptions = rules.flatMap((rule) => rule.exceptions ?? [])
  const isDescribed = rules.every((rule) => rule.exceptions !== undefined)
  return [
    ...(id === undefined
      ? ['  it is no longer kept for `hookgate allow`; have the agent try again, or write the exception']
      : [`  hookgate allow ${id} --once       this very call, one time`]),
    ...(id === undefined || !isDescribed
      ? []
      : [`  hookgate allow ${id} --session    this exception, until the session ends (or --until DATE, or --always):`]),
    ...(isDescribed ? [] : [wrapped('  ', `no exception: ${noException}`)]),
    ...(isDescribed ? exceptions : []).map((one) => {
      const subject = one.command === undefined ? `path ${one.path ?? ''}` : `command ${one.command}`
      return wrapped('      ', printable(`rule ${one.rule}, ${subject}, project ${one.project}`))
    }),
    ...(id === undefined ? [] : ['  A person has to do it, in a terminal.']),
  ]
}
