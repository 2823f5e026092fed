import { codeLimits } from '../../../../model/limits.ts'
import { newFound } from '../found.ts'
import { apply } from './calls.ts'
import { bracketsOf } from './brackets.ts'
import { loop } from './loops.ts'
import { isMark, isName, peek, type Reader } from './state.ts'
import { either, leftOutText, named, unknown, type Value } from '../value.ts'

/**
 * `def f(p): …` and, anywhere behind it, `f('/x')`: in the body, `p` is what the calls give for it. The body is read once,
 * where it stands.
 */
export function bindArguments(reader: Reader): void {
  const { tokens, scope } = reader
  const isLambda = isMark(peek(reader, 1), '=') && isName(peek(reader, 2), 'lambda')
  if (!isLambda && !isName(peek(reader), 'def', 'function', 'fn')) return
  const name = peek(reader, isLambda ? 0 : 1)?.text
  const first = reader.at + (isLambda ? 3 : 3)
  if (name === undefined || (!isLambda && !isMark(peek(reader, 2), '('))) return
  const parameters: string[] = []
  for (let at = first; tokens[at]?.kind === 'name'; at += 2) {
    parameters.push(tokens[at]?.text ?? '')
    if (!isMark(tokens[at + 1], ',')) break
  }
  if (parameters.length === 0) return
  let calls = 0
  for (let at = first; at < tokens.length; at++) {
    if (!isName(tokens[at], name) || !isMark(tokens[at + 1], '(')) continue
    if (calls++ === codeLimits.callsMax) {
      for (const parameter of parameters) scope.set(parameter, either(scope.get(parameter) ?? unknown, leftOutText))
      return
    }
    const given = argumentsAt({ ...reader, at: at + 2, found: newFound(), scope: new Map(scope) }, parameters.length)
    for (const [place, parameter] of parameters.entries()) {
      const value = given[place]
      const before = calls > 1 ? scope.get(parameter) : undefined
      if (value !== undefined) scope.set(parameter, before === undefined ? value : either(before, value))
    }
  }
}

function argumentsAt(reader: Reader, most: number): readonly Value[] {
  const values: Value[] = []
  while (reader.at < reader.tokens.length && values.length < most && !isMark(peek(reader), ')')) {
    const start = reader.at
    values.push(reader.read.expression(reader))
    if (!isMark(peek(reader), ',') || reader.at === start) break
    reader.at++
  }
  return values
}

/** `unlink for …` of Perl: what `$_` is stands behind what is done with it, or done by a name alone. */
export function loopBehind(reader: Reader): Value | undefined {
  const { tokens, language, scope } = reader
  if (language.braceIndex !== true) return undefined
  const at = bracketsOf(tokens).landmark(reader.at)
  if (at === undefined || at === reader.at || !isName(tokens[at], 'for', 'foreach')) return undefined
  loop({ ...reader, at, found: newFound() })
  const name = tokens[reader.at]?.text ?? ''
  const each = scope.get('$_')
  if (at !== reader.at + 1 || each === undefined || !Object.hasOwn(language.calls, name)) return undefined
  reader.at++
  return apply(reader, named(name), undefined, [each], new Map())
}
