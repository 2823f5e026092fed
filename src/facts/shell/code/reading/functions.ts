import { newFound } from '../found.ts'
import { apply } from './calls.ts'
import { comprehensionMax, loop } from './loops.ts'
import { isMark, isName, peek, type Reader } from './state.ts'
import { either, named, type Value } from '../value.ts'

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
  for (let at = first; tokens[at]?.kind === 'name' && parameters.length < parametersMax; at += 2) {
    parameters.push(tokens[at]?.text ?? '')
    if (!isMark(tokens[at + 1], ',')) break
  }
  if (parameters.length === 0) return
  let calls = 0
  for (let at = first; at < tokens.length && calls < callsMax; at++) {
    if (!isName(tokens[at], name) || !isMark(tokens[at + 1], '(')) continue
    calls++
    const given = argumentsAt({ ...reader, at: at + 2, found: newFound(), scope: new Map(scope) })
    for (const [place, parameter] of parameters.entries()) {
      const value = given[place]
      const before = calls > 1 ? scope.get(parameter) : undefined
      if (value !== undefined) scope.set(parameter, before === undefined ? value : either(before, value))
    }
  }
}

/** More parameters, and calls of one function, than anybody writes in one line. */
const parametersMax = 8
const callsMax = 8

function argumentsAt(reader: Reader): readonly Value[] {
  const values: Value[] = []
  while (reader.at < reader.tokens.length && values.length < parametersMax && !isMark(peek(reader), ')')) {
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
  let depth = 0
  for (let at = reader.at; at < tokens.length && at < reader.at + comprehensionMax; at++) {
    const token = tokens[at]
    if (isMark(token, '(', '[', '{')) depth++
    else if (isMark(token, ')', ']', '}')) {
      if (depth-- === 0) return undefined
    } else if (depth === 0 && isMark(token, ';')) return undefined
    else if (depth === 0 && at > reader.at && isName(token, 'for', 'foreach')) {
      loop({ ...reader, at, found: newFound() })
      const name = tokens[reader.at]?.text ?? ''
      const each = scope.get('$_')
      if (at !== reader.at + 1 || each === undefined || !Object.hasOwn(language.calls, name)) return undefined
      reader.at++
      return apply(reader, named(name), undefined, [each], new Map())
    }
  }
  return undefined
}
