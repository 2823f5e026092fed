import { onlyTries, type PreparedOptions, prepareOptions, readPrepared } from '../../../words/options.ts'
import type { ShellWord } from '../../../model/shell.ts'
import type { Call } from '../../../words/calls.ts'
import type { SqlWords } from '../../programs/program.ts'
import { programNamed, sqlWordsOf } from '../../programs/table.ts'
import { names } from '../../programs/words.ts'

/** Text that a client is given to run, and where. */
interface GivenSql {
  readonly text: ShellWord
  readonly host: string | undefined
}

const prepared = new Map<string, PreparedOptions>()

/** Returns the options of a client: those of its row, and those that are only known where SQL is looked for. */
function optionsOf(program: string, { options = '', valued = '', oneDash }: SqlWords): PreparedOptions {
  const ready = prepared.get(program)
  if (ready !== undefined) return ready
  const row = programNamed(program)?.options ?? prepareOptions({})
  const all = {
    ...row,
    valued: new Set([...row.valued, ...names(options), ...names(valued)]),
    oneDash: oneDash === true || row.oneDash,
    operandsLast: false,
  }
  prepared.set(program, all)
  return all
}

/** SQL that is given to a client on its command line or its stdin. `undefined` where the program is no client. */
export function sqlGiven({ program, args, command }: Call): readonly GivenSql[] | undefined {
  const client = sqlWordsOf(program)
  if (client === undefined) return undefined
  if (onlyTries(args, 'readonly', 'read-only', 'dry_run', 'dry-run')) return []
  const { values, value, operands } = readPrepared(args, optionsOf(program, client))
  if (names(client.behind ?? '').some((name, place) => operands[place]?.value !== name)) return undefined
  const texts = [...values(...names(client.options ?? '')), ...operands.slice(client.from ?? operands.length)]
  if (client.stdin !== false && command.stdin !== undefined) texts.push(command.stdin)
  const url = operands.find((one) => /^[a-z0-9+]+:\/\//i.test(one.value))
  const host = value(...names(client.hosts ?? '')) ?? url
  return texts.map((text) => ({ text, host: host?.value }))
}
