import { readOptions } from '../../../model/options.ts'
import type { Unwrap } from '../unwrap.ts'
import { prefix } from './prefix.ts'
import { names } from './words.ts'

/** `command -v NAME` and `-V` only tell where a program is. */
const command = prefix({ idle: names('v V') })

const exec: Unwrap = ({ args }, starts) => {
  const read = readOptions(args, { valued: ['a'], operandsLast: true })
  if (read.operands.length === 0) return
  starts.wrapper()
  starts.words(read.operands, read.has('c') ? { emptyEnvironment: true } : {})
}

/** `-C` is evaluated with what was read behind it, once for every so many lines. */
const mapfile: Unwrap = ({ args, stdin }, starts) => {
  if (!mayRead(args.map((word) => word.value)) || stdin?.value === '') return
  const callback = readOptions(args, { valued: names('d n O s u C c') })
  const script = callback.value('C')
  if (script !== undefined) starts.script(script, { stdin: 'none' })
}

/** An option that the builtin does not have makes it read nothing. */
const mayRead = (args: readonly string[]): boolean => !args.some((arg) => arg.startsWith('--') && arg !== '--')

export const builtins: Readonly<Record<string, Unwrap>> = {
  command,
  builtin: prefix({}),
  exec,
  mapfile,
  readarray: mapfile,
  noglob: prefix({}),
  nocorrect: prefix({}),
}
