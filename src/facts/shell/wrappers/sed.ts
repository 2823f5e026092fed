import { readOptions } from '../../../model/options.ts'
import { sedScript } from '../../sed-script.ts'
import type { Unwrap } from '../unwrap.ts'
import { joined, names } from './words.ts'

/** GNU sed's `e` runs a script, or with the flag of `s` what is left of the line. */
const sed: Unwrap = ({ args }, starts) => {
  const read = readOptions(args, {
    valued: names('e expression f file l line-length'),
    flags: names('in-place sandbox'),
    abbreviations: true,
  })
  if (read.has('help', 'version')) {
    starts.wrapper()
    return
  }
  if (read.has('sandbox')) return
  const expressions = [...(read.given.get('e') ?? []), ...(read.given.get('expression') ?? [])]
  const fromFile = read.has('f', 'file')
  const [script] = expressions.length > 0 ? [joined(expressions, '\n')] : fromFile ? [] : read.operands
  if (script === undefined) return
  for (const found of sedScript(script.value).runs) {
    if (found === '') starts.uncertain('sed runs the lines that it reads')
    else starts.script(script.unresolved === true ? { value: found, unresolved: true } : { value: found })
  }
}

export const seds: Readonly<Record<string, Unwrap>> = { sed, gsed: sed, ssed: sed }
