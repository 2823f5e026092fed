import { type OptionRules, readOptions } from '../../../model/options.ts'
import type { Unwrap } from '../unwrap.ts'
import { prefix, type PrefixRules } from './prefix.ts'

/** Unwraps a program whose subcommands start others: `poetry run`, `docker compose exec`. */
export function subcommands(options: OptionRules, table: Readonly<Record<string, PrefixRules | Unwrap>>): Unwrap {
  const unwraps = new Map(
    Object.entries(table).map(([name, one]) => [name, typeof one === 'function' ? one : prefix(one)] as const),
  )
  return (command, starts) => {
    const { operands } = readOptions(command.args, { ...options, operandsLast: true })
    for (const length of [2, 1]) {
      const name = operands.slice(0, length).map(({ value }) => value)
      const unwrap = name.length === length ? unwraps.get(name.join(' ')) : undefined
      if (unwrap === undefined) continue
      unwrap({ ...command, args: operands.slice(length) }, starts)
      return
    }
  }
}
