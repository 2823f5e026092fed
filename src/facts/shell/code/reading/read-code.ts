import { codeLimits } from '../../../../model/limits.ts'
import type { Found } from '../found.ts'
import type { Language } from '../language.ts'
import type { CodeSurroundings } from '../recognised.ts'
import { tokensOf } from '../tokens.ts'
import { unknown, type Value } from '../value.ts'
import { assignmentsOf } from './assign.ts'
import { imported } from './imports.ts'
import { bindArguments, loopBehind } from './functions.ts'
import { loop } from './loops.ts'
import { binary } from './operators.ts'
import { isName, peek, type Reader, type Reading } from './state.ts'

/**
 * Reads code expression by expression, as its author would skim it: what it makes of texts, lists and names is followed, calls
 * that are known have their effect, and all else is passed over. Nothing that is not understood stops it.
 */
export function readCode(source: string, language: Language, found: Found, around: CodeSurroundings): void {
  const read: Reading = { expression, statement, inner, left: codeLimits.stepsMax }
  readAll({
    tokens: tokensOf(source, language.lexis),
    language,
    found,
    around,
    scope: new Map(),
    read,
    depth: 0,
    at: 0,
  })
}

function readAll(reader: Reader): Value {
  let last: Value = unknown
  while (reader.at < reader.tokens.length && reader.read.left > 0) last = statement(reader)
  if (reader.read.left <= 0) reader.found.leftOut(tooMuch)
  return last
}

function inner(code: string, reader: Reader): Value {
  const tokens = tokensOf(code, reader.language.lexis)
  reader.read.left -= tokens.length
  return readAll({ ...reader, tokens, depth: reader.depth + 1, at: 0 })
}

function statement(reader: Reader): Value {
  const start = reader.at
  const token = peek(reader)
  if (isName(token, 'import', 'from', 'use', 'using') && imported(reader)) return unknown
  if (isName(token, 'for', 'foreach')) {
    loop(reader)
    return unknown
  }
  bindArguments(reader)
  const value = loopBehind(reader) ?? assignmentsOf(reader) ?? expression(reader)
  if (isName(peek(reader), 'as') && peek(reader, 1)?.kind === 'name') {
    reader.scope.set(peek(reader, 1)?.text ?? '', value)
    reader.at += 2
  }
  if (reader.at === start) reader.at++
  return value
}

function expression(reader: Reader): Value {
  reader.read.left--
  if (reader.depth >= codeLimits.depthMax || reader.read.left <= 0) {
    reader.at = reader.read.left <= 0 ? reader.tokens.length : reader.at + 1
    reader.found.leftOut(tooMuch)
    return unknown
  }
  reader.depth++
  const value = binary(reader)
  reader.depth--
  return value
}

const tooMuch = 'its code is nested deeper, or does more, than is looked at'
