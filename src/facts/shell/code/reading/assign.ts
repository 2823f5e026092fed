import { codeLimits } from '../../../../model/limits.ts'
import { declares, isMark, peek, whole, type Reader } from './state.ts'
import { named, unknown, type Value } from '../value.ts'

/** `a, b = 1, 2` and `const {a, b: c} = …`: each name gets its part. */
export function assignmentsOf(reader: Reader): Value | undefined {
  const { tokens, scope, language } = reader
  let at = reader.at
  while (declares(tokens[at])) at++
  const open = tokens[at]
  const bracket = isMark(open, '{', '[', '(') && at > reader.at ? open?.text : undefined
  if (bracket !== undefined) at++
  const targets: { from: string; to: string }[] = []
  for (; tokens[at]?.kind === 'name' && targets.length < codeLimits.targetsMax; at++) {
    const name = tokens[at]?.text ?? ''
    const renamed = isMark(tokens[at + 1], ':') && tokens[at + 2]?.kind === 'name' ? tokens[at + 2]?.text : undefined
    targets.push({ from: name, to: renamed ?? name })
    if (renamed !== undefined) at += 2
    if (!isMark(tokens[at + 1], ',')) {
      at++
      break
    }
    at++
  }
  if (targets.length === codeLimits.targetsMax)
    reader.found.leftOut('its code has more values, or longer ones, than are looked at')
  if (bracket !== undefined && isMark(tokens[at], '}', ']', ')')) at++
  else if (bracket !== undefined || targets.length < 2) return undefined
  if (!isMark(tokens[at], '=') || targets.length === 0) return undefined
  reader.at = at + 1
  const values = [reader.read.expression(reader)]
  if (bracket === undefined) {
    while (isMark(peek(reader), ',')) {
      reader.at++
      values.push(reader.read.expression(reader))
    }
  }
  const [only] = values
  const parts = values.length === 1 && only?.kind === 'list' ? only.items : values
  for (const [place, { from, to }] of targets.entries()) {
    if (bracket === '{' && only?.kind === 'name') scope.set(to, named(whole(language, `${only.name}.${from}`)))
    else
      scope.set(
        to,
        bracket === '{' && only?.kind === 'map' ? (only.entries.get(from) ?? unknown) : (parts[place] ?? unknown),
      )
  }
  return unknown
}

/** The variable that an assignment would set: a name alone in front of its mark. */
export function targetOf(reader: Reader): string | undefined {
  let at = reader.at
  while (declares(reader.tokens[at])) at++
  const token = reader.tokens[at]
  // A type may stand between a name and what is assigned to it.
  return token?.kind === 'name' && isMark(reader.tokens[at + 1], '=', ':=', '<-', '+=', '.=', '||=', '??=')
    ? token.text
    : undefined
}
