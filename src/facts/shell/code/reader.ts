import { codeLimits } from '../../../model/code-limits.ts'
import { unknownPart } from '../../../model/shell.ts'
import type { Found } from './found.ts'
import type { Call, Language } from './language.ts'
import type { CodeSurroundings } from './recognised.ts'
import { type Part, type Token, tokensOf } from './tokens.ts'
import {
  combine,
  either,
  elementOf,
  joinPath,
  list,
  named,
  text,
  textsOf,
  unknown,
  unknownText,
  type Value,
} from './value.ts'

/** What the names of a piece of code stand for so far. */
export type Scope = Map<string, Value>

/**
 * Reads code expression by expression, as its author would skim it: what it makes of texts, lists and names is followed, calls
 * that are known have their effect, and all else is passed over. Nothing that is not understood stops it.
 */
export function readCode(
  source: string,
  language: Language,
  found: Found,
  around: CodeSurroundings,
  scope: Scope = new Map(),
  depth = 0,
): Value {
  if (depth > codeLimits.depthMax) {
    found.uncertain('the code is nested deeper than is looked at')
    return unknown
  }
  const tokens = tokensOf(source, language.lexis)
  const reader: Reader = { tokens, language, found, around, scope, depth, at: 0 }
  let last: Value = unknown
  while (reader.at < tokens.length) last = statement(reader)
  return last
}

interface Reader {
  readonly tokens: readonly Token[]
  readonly language: Language
  readonly found: Found
  readonly around: CodeSurroundings
  readonly scope: Scope
  depth: number
  at: number
}

const peek = (reader: Reader, ahead = 0): Token | undefined => reader.tokens[reader.at + ahead]
const isMark = (token: Token | undefined, ...marks: readonly string[]): boolean =>
  token?.kind === 'mark' && marks.includes(token.text)
const isName = (token: Token | undefined, ...names: readonly string[]): boolean =>
  token?.kind === 'name' && (names.length === 0 || names.includes(token.text))

function statement(reader: Reader): Value {
  const start = reader.at
  const token = peek(reader)
  if (isName(token, 'import', 'from', 'use', 'using') && imported(reader)) return unknown
  if (isName(token, 'for', 'foreach')) {
    loop(reader)
    return unknown
  }
  const value = assignmentsOf(reader) ?? expression(reader)
  if (isName(peek(reader), 'as') && peek(reader, 1)?.kind === 'name') {
    reader.scope.set(peek(reader, 1)?.text ?? '', value)
    reader.at += 2
  }
  if (reader.at === start) reader.at++
  return value
}

/** `a, b = 1, 2` and `const {a, b: c} = …`: each name gets its part. */
function assignmentsOf(reader: Reader): Value | undefined {
  const { tokens, scope, language } = reader
  let at = reader.at
  while (isName(tokens[at], 'const', 'let', 'var', 'my', 'our', 'local')) at++
  const open = tokens[at]
  const bracket = isMark(open, '{', '[', '(') && at > reader.at ? open?.text : undefined
  if (bracket !== undefined) at++
  const targets: { from: string; to: string }[] = []
  for (; tokens[at]?.kind === 'name'; at++) {
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
  if (bracket !== undefined && isMark(tokens[at], '}', ']', ')')) at++
  else if (bracket !== undefined || targets.length < 2) return undefined
  if (!isMark(tokens[at], '=') || targets.length === 0) return undefined
  reader.at = at + 1
  const values = [expression(reader)]
  while (bracket === undefined && isMark(peek(reader), ',')) {
    reader.at++
    values.push(expression(reader))
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

/** `import a.b as c`, `from a import b as c`, `import {a as b} from 'c'`, `import * as a from 'b'`. */
function imported(reader: Reader): boolean {
  const { tokens, scope, language } = reader
  let at = reader.at + 1
  const text = (): string => tokens[at]?.text ?? ''
  const dotted = (): string => {
    let name = ''
    while (tokens[at]?.kind === 'name' || isMark(tokens[at], '.')) {
      if (name !== '' && !isMark(tokens[at], '.') && !isMark(tokens[at - 1], '.')) break
      name += tokens[at++]?.text ?? ''
    }
    return name
  }
  if (isName(peek(reader), 'from')) {
    const module = dotted()
    if (!isName(tokens[at], 'import')) return false
    at++
    if (isMark(tokens[at], '(')) at++
    while (tokens[at]?.kind === 'name' && !(tokens[at]?.newLine === true && !isMark(tokens[at - 1], ',', '('))) {
      const name = text()
      at++
      let to = name
      if (isName(tokens[at], 'as')) {
        at++
        to = text()
        at++
      }
      scope.set(to, named(whole(language, `${module}.${name}`)))
      if (!isMark(tokens[at], ',')) break
      at++
    }
    reader.at = Math.max(at, reader.at + 1)
    return true
  }
  if (!isName(peek(reader), 'import') || isMark(tokens[at], '(')) return false
  const bindings: { from: string | undefined; to: string }[] = []
  let braces = false
  for (; at < tokens.length; at++) {
    const token = tokens[at]
    if (isMark(token, '{', '}')) braces = isMark(token, '{')
    else if (isName(token, 'from') || token?.kind === 'string' || isMark(token, ';')) break
    else if (token?.newLine === true && !braces && bindings.length > 0 && !isMark(tokens[at - 1], ',')) break
    else if (isMark(token, '*')) bindings.push({ from: undefined, to: '' })
    else if (isName(token, 'as')) {
      const last = bindings.at(-1)
      at++
      if (last !== undefined) last.to = text()
    } else if (token?.kind === 'name') {
      const from = at
      const name = dotted()
      bindings.push({ from: braces ? name : undefined, to: name })
      at = Math.max(from, at - 1)
    }
  }
  if (isName(tokens[at], 'from')) at++
  const source = tokens[at]
  if (source?.kind === 'string') {
    const module = source.parts.map((part) => (typeof part === 'string' ? part : unknownPart)).join('')
    for (const { from, to } of bindings)
      scope.set(to, named(whole(language, from === undefined || from === 'default' ? module : `${module}.${from}`)))
    at++
  } else {
    for (const { to } of bindings) {
      const top = to.split('.')[0] ?? to
      scope.set(top, named(top))
    }
    // `import a.b as c` has its whole name in front of the `as`.
    for (const found of aliases(tokens.slice(reader.at, at))) scope.set(found.to, named(whole(language, found.from)))
  }
  reader.at = Math.max(at, reader.at + 1)
  return true
}

function aliases(tokens: readonly Token[]): readonly { from: string; to: string }[] {
  return tokens.flatMap((token, at) => {
    if (!isName(token, 'as')) return []
    let from = ''
    for (let back = at - 1; back > 0 && (isMark(tokens[back], '.') || tokens[back]?.kind === 'name'); back--)
      from = (tokens[back]?.text ?? '') + from
    return [{ from, to: tokens[at + 1]?.text ?? '' }]
  })
}

/** What goes through a list: the variable may be any of its elements. */
function loop(reader: Reader): void {
  const perl = reader.language.braceIndex === true
  reader.at++
  if (isName(peek(reader), 'await', 'each')) reader.at++
  const parens = isMark(peek(reader), '(')
  const start = reader.at
  if (parens) reader.at++
  while (isName(peek(reader), 'const', 'let', 'var', 'my', 'our', 'local')) reader.at++
  const names: string[] = []
  while (peek(reader)?.kind === 'name' && !isName(peek(reader), 'in', 'of', 'as')) {
    names.push(peek(reader)?.text ?? '')
    reader.at++
    if (!isMark(peek(reader), ',')) break
    reader.at++
  }
  if (isName(peek(reader), 'in', 'of') && names.length > 0) {
    reader.at++
    bind(reader, names, expression(reader))
    return
  }
  if (perl) {
    if (names.length > 0 && isMark(peek(reader), '(') && !parens) {
      bind(reader, names.slice(0, 1), expression(reader))
      return
    }
    reader.at = start
    const value = expression(reader)
    if (value.kind === 'list' || value.kind === 'text') bind(reader, ['$_'], value)
    return
  }
  reader.at = start
  if (!parens) return
  reader.at++
  const value = expression(reader)
  if (!isName(peek(reader), 'as')) return
  reader.at++
  const variable = peek(reader)?.text ?? ''
  reader.at++
  if (isMark(peek(reader), '=>')) {
    bind(reader, [peek(reader, 1)?.text ?? ''], value)
    reader.at += 2
  } else bind(reader, [variable], value)
}

function bind({ scope }: Reader, names: readonly string[], value: Value): void {
  for (const [at, name] of names.entries()) scope.set(name, at === 0 || names.length > 1 ? elementOf(value) : unknown)
}

const compares = [
  '==',
  '===',
  '!=',
  '!==',
  '<',
  '>',
  '<=',
  '>=',
  '<=>',
  '=~',
  '!~',
  '&&',
  '-',
  '*',
  '<<',
  '|',
  '&',
  '^',
  '**',
]

function expression(reader: Reader): Value {
  if (++reader.depth > codeLimits.depthMax) {
    reader.depth--
    reader.at++
    reader.found.uncertain('the code is nested deeper than is looked at')
    return unknown
  }
  try {
    return binary(reader)
  } finally {
    reader.depth--
  }
}

function binary(reader: Reader): Value {
  const { language, scope } = reader
  const target = targetOf(reader)
  let value = operand(reader)
  for (;;) {
    const token = peek(reader)
    if (
      token === undefined ||
      (language.lines === true && token.newLine && !isMark(token, ...language.concat.filter((one) => one !== '*')))
    )
      return value
    if (isMark(token, '=', ':=', '<-', '||=', '??=') && target !== undefined) {
      reader.at++
      const assigned = expression(reader)
      scope.set(target, assigned)
      return assigned
    }
    if (isMark(token, '+=', '.=') && target !== undefined) {
      reader.at++
      const assigned = combine(value, expression(reader), (one, other) => one + other)
      scope.set(target, assigned)
      return assigned
    }
    if (isMark(token, ...language.concat)) {
      reader.at++
      const right = operand(reader)
      value =
        value.kind === 'list' && right.kind === 'list' ? list([...value.items, ...right.items]) : added(value, right)
    } else if (isMark(token, '/') && language.members[0] === '.') {
      reader.at++
      const right = operand(reader)
      const isPath = [value, right].some((one) => one.kind === 'text' && one.path === true)
      value = isPath ? combine(value, right, joinPath) : unknown
    } else if (isMark(token, '%') && value.kind === 'text') {
      reader.at++
      const right = operand(reader)
      value = formatted(value, right.kind === 'list' ? right.items : [right])
    } else if (isMark(token, '||', '??', '//') || isName(token, 'or')) {
      reader.at++
      value = either(value, operand(reader))
    } else if (isMark(token, '?')) {
      reader.at++
      const first = expression(reader)
      if (!isMark(peek(reader), ':')) return first
      reader.at++
      value = either(first, expression(reader))
    } else if (isName(token, 'if') && language.adjacentTexts === true && !token.newLine) {
      reader.at++
      operand(reader)
      if (!isName(peek(reader), 'else')) continue
      reader.at++
      value = either(value, expression(reader))
    } else if (isMark(token, ...compares)) {
      reader.at++
      operand(reader)
      value = unknown
    } else return value
  }
}

const added = (left: Value, right: Value): Value =>
  left.kind === 'number' && right.kind === 'number'
    ? { kind: 'number', number: left.number + right.number }
    : combine(left, right, (one, other) => one + other)

/** The variable that an assignment would set: a name alone in front of its mark. */
function targetOf(reader: Reader): string | undefined {
  let at = reader.at
  while (isName(reader.tokens[at], 'const', 'let', 'var', 'my', 'our', 'local', 'global')) at++
  const token = reader.tokens[at]
  // A type may stand between a name and what is assigned to it.
  return token?.kind === 'name' && isMark(reader.tokens[at + 1], '=', ':=', '<-', '+=', '.=', '||=', '??=')
    ? token.text
    : undefined
}

/** `%s` one by one, and `{}` of python's `format`. */
export function formatted(pattern: Value, args: readonly Value[]): Value {
  let next = 0
  return text(
    ...textsOf(pattern).map((one) =>
      one.replaceAll(/%[-\d.]*[sdir]|\{(\d*)\}/g, (_, number: string | undefined) => {
        const place = number === undefined || number === '' ? next++ : Number(number)
        return textsOf(args[place])[0] ?? unknownPart
      }),
    ),
  )
}

function operand(reader: Reader): Value {
  let value = primary(reader)
  for (;;) {
    const token = peek(reader)
    const { language } = reader
    if (token === undefined) return value
    if (
      isMark(token, ...language.members) &&
      peek(reader, 1)?.kind === 'name' &&
      !(isMark(token, '.') && language.concat.includes('.'))
    ) {
      const member = peek(reader, 1)?.text ?? ''
      reader.at += 2
      value = memberOf(reader, value, member)
    } else if (isMark(token, ...language.members) && isMark(peek(reader, 1), '(', '[', '{')) reader.at++
    else if (isMark(token, '(') && !(token.newLine && language.lines === true)) value = called(reader, value, undefined)
    else if (isMark(token, '[') && !token.newLine && !(token.apart && language.bareCalls === true)) {
      reader.at++
      const [key = unknown] = items(reader, ']').values
      value = indexed(reader, value, key)
    } else if (isMark(token, '{') && language.braceIndex === true && !token.apart) {
      reader.at++
      const bare = peek(reader)
      const key = bare?.kind === 'name' && isMark(peek(reader, 1), '}') ? text(bare.text) : undefined
      const [inner = unknown] = items(reader, '}').values
      value = indexed(reader, value, key ?? inner)
    } else if (token.kind === 'string' && language.textCalls === true && value.kind === 'name') {
      value = apply(reader, value, undefined, [stringValue(reader)], new Map())
    } else if (
      token.kind === 'string' &&
      token.text === '`' &&
      value.kind === 'name' &&
      /^(?:Bun\.)?\$$/.test(value.name)
    ) {
      reader.found.script(stringValue(reader))
      value = unknownText
    } else if (
      language.adjacentTexts === true &&
      token.kind === 'string' &&
      value.kind === 'text' &&
      reader.tokens[reader.at - 1]?.kind === 'string'
    ) {
      value = combine(value, stringValue(reader), (one, other) => one + other)
    } else return value
  }
}

function primary(reader: Reader): Value {
  const { language, scope } = reader
  const token = peek(reader)
  if (token === undefined) return unknown
  if (token.kind === 'string') return stringValue(reader)
  if (token.kind === 'number') {
    reader.at++
    return { kind: 'number', number: Number(token.text.replaceAll(/[_nLu]/g, '').replace(/^0(?=\d)/, '0o')) }
  }
  if (token.kind === 'mark') {
    reader.at++
    if (token.text === '(') {
      const { values, commas } = items(reader, ')')
      return values.length === 1 && !commas ? (values[0] ?? unknown) : list(values)
    }
    if (token.text === '[') return list(items(reader, ']').values)
    if (token.text === '{') {
      const { values, named: entries } = items(reader, '}')
      return entries.size > 0 || values.length === 0 ? { kind: 'map', entries } : list(values)
    }
    // Signs in front of an operand; whatever else begins none is left to the statement.
    if (/^(?:[-+!*&\\~@]|\.\.\.|\*\*|::|->)$/.test(token.text)) return operand(reader)
    reader.at--
    if (/^[)\]},;:]$/.test(token.text)) return unknown
    reader.at++
    return unknown
  }
  reader.at++
  const next = peek(reader)
  if (
    language.prefixes.has(token.text) &&
    !isMark(next, '(', '.', '=', ',', ')') &&
    !(language.lines === true && next?.newLine === true)
  )
    return expression(reader)
  const bound = scope.get(token.text) ?? constantOf(reader, token.text)
  const value = bound ?? named(whole(language, language.names[token.text] ?? token.text))
  if (language.bareCalls === true && isBareCall(reader, token, bound)) return bare(reader, value, undefined)
  return value
}

/** A name and, on the same line and apart from it, what can only be its first argument. */
function isBareCall({ tokens, at, language }: Reader, name: Token, bound: Value | undefined): boolean {
  const next = tokens[at]
  if (next === undefined || bound !== undefined || language.variable?.test(name.text) === true) return false
  if (next.newLine && language.lines === true) return false
  if (next.kind === 'string' || next.kind === 'number') return true
  if (next.kind === 'name')
    return !/^(?:if|unless|while|until|and|or|not|do|then|for|foreach|x|eq|ne|in|rescue|end|lt|gt|cmp)$/.test(next.text)
  return (isMark(next, '[') && next.apart) || (isMark(next, '\\', '::') && next.apart)
}

function bare(reader: Reader, callee: Value, receiver: Value | undefined): Value {
  const args: Value[] = []
  const given = new Map<string, Value>()
  for (;;) {
    const key = keyOf(reader)
    const value = expression(reader)
    if (key === undefined) args.push(value)
    else given.set(key, value)
    if (!isMark(peek(reader), ',', '=>')) break
    reader.at++
  }
  return apply(reader, callee, receiver, args, given)
}

/** `key:`, `key =>`, `key=` in front of an argument or an entry. */
function keyOf(reader: Reader): string | undefined {
  const token = peek(reader)
  const next = peek(reader, 1)
  if (token === undefined || token.kind === 'mark' || token.kind === 'number') return undefined
  const [only] = token.kind === 'string' && token.parts.length === 1 ? token.parts : []
  const name = token.kind === 'name' ? token.text : typeof only === 'string' ? only : undefined
  if (name === undefined) return undefined
  if (isMark(next, '=>') && !(token.kind === 'name' && isArrow(reader))) {
    reader.at += 2
    return name
  }
  if ((isMark(next, ':') && !isMark(peek(reader, 2), ':')) || (isMark(next, '=') && token.kind === 'name')) {
    reader.at += 2
    return name
  }
  return undefined
}

/** `x => …` of JavaScript, which no other language here writes. */
const isArrow = ({ language }: Reader): boolean => language.members.includes('?.')

/** What stands in brackets, up to their end: values and entries. What is no expression is passed over. */
function items(
  reader: Reader,
  close: string,
  receiver?: Value,
): { values: Value[]; named: Map<string, Value>; commas: boolean } {
  const values: Value[] = []
  const entries = new Map<string, Value>()
  let commas = false
  comprehension(reader, close)
  while (reader.at < reader.tokens.length) {
    const token = peek(reader)
    if (isMark(token, close)) {
      reader.at++
      break
    }
    if (isMark(token, ',')) {
      commas = true
      reader.at++
      continue
    }
    if (isMark(token, ';', ')', ']', '}')) {
      reader.at++
      continue
    }
    const start = reader.at
    if (receiver !== undefined) parameters(reader, receiver)
    const key = keyOf(reader)
    const isFirst = start === 0 || isMark(reader.tokens[start - 1], ',', '(', '[', '{')
    const value =
      close === '}' && key === undefined
        ? statement(reader)
        : isName(peek(reader), 'for', 'foreach')
          ? (loop(reader), unknown)
          : expression(reader)
    if (key !== undefined) entries.set(key, value)
    else if (isFirst) values.push(value)
    if (reader.at === start) reader.at++
  }
  return { values, named: entries, commas }
}

/** `[f(x) for x in y]`: what `x` is stands behind what is done with it. */
function comprehension(reader: Reader, close: string): void {
  if (reader.language.adjacentTexts !== true) return
  let depth = 0
  for (let at = reader.at; at < reader.tokens.length && at < reader.at + comprehensionMax; at++) {
    const token = reader.tokens[at]
    if (isMark(token, '(', '[', '{')) depth++
    else if (isMark(token, ')', ']', '}')) {
      if (depth-- === 0) return
    } else if (depth === 0 && isName(token, 'for')) {
      const back = reader.at
      const silent: Reader = { ...reader, at }
      loop(silent)
      reader.at = back
      return
    }
  }
  void close
}
/** Tokens in which a `for` is looked for: whoever writes on one line writes no more. */
const comprehensionMax = 200

/** The parameters of a function that goes through what stands in front: `.forEach(f => …)`, `.then(({rm}) => …)`. */
function parameters(reader: Reader, receiver: Value): void {
  const { tokens, scope, language } = reader
  let at = reader.at
  while (isName(tokens[at], 'async', 'function')) at++
  const open = isMark(tokens[at], '(') ? at++ : undefined
  const braces = isMark(tokens[at], '{') ? at++ : undefined
  if (tokens[at]?.kind !== 'name') return
  const first = tokens[at]?.text ?? ''
  const arrow =
    isMark(tokens[at + 1], '=>') ||
    (open !== undefined &&
      tokens
        .slice(at, at + parametersMax)
        .some((token, place, all) => isMark(token, ')') && isMark(all[place + 1], '=>', '{')))
  if (!arrow) return
  if (braces === undefined) {
    scope.set(first, receiver.kind === 'list' ? elementOf(receiver) : receiver)
    return
  }
  for (; tokens[at]?.kind === 'name' && receiver.kind === 'name'; at += 2) {
    scope.set(tokens[at]?.text ?? '', named(whole(language, `${receiver.name}.${tokens[at]?.text}`)))
  }
}
const parametersMax = 16

function stringValue(reader: Reader): Value {
  const token = peek(reader)
  reader.at++
  if (token?.kind !== 'string') return unknown
  const { language, found, around, scope, depth } = reader
  const part = (one: Part): Value =>
    typeof one === 'string' ? text(one) : readCode(one.code, language, found, around, scope, depth + 1)
  const value = token.parts.map(part).reduce((left, right) => combine(left, right, (one, other) => one + other))
  switch (token.quoted) {
    case 'command':
      found.script(value)
      return unknownText
    case 'pattern':
      return unknown
    case 'words':
      return list(
        (textsOf(value)[0] ?? '')
          .split(/\s+/)
          .filter((one) => one !== '')
          .map((one) => text(one)),
      )
    case 'text':
      return value.kind === 'text' ? text(...value.texts) : unknownText
  }
}

const whole = (language: Language, name: string): string => language.canonical?.(name) ?? name

function constantOf({ language, around }: Reader, name: string): Value | undefined {
  return language.constants(name, around)
}

function indexed({ language, around }: Reader, value: Value, key: Value): Value {
  if (value.kind === 'name') {
    const known = language.index(value.name, key, around)
    if (known !== undefined) return known
    const [member] = textsOf(key)
    return key.kind === 'text' && member !== undefined && !member.includes(unknownPart)
      ? named(whole(language, `${value.name}.${member}`))
      : unknown
  }
  if (value.kind === 'list')
    return key.kind === 'number'
      ? (value.items[key.number < 0 ? value.items.length + key.number : key.number] ?? unknown)
      : elementOf(value)
  if (value.kind === 'map') return value.entries.get(textsOf(key)[0] ?? '') ?? unknown
  return value.kind === 'text' && value.texts.some((one) => one.includes(unknownPart)) ? unknownText : unknown
}

/** `value.member`, called or not. */
function memberOf(reader: Reader, value: Value, member: string): Value {
  const { language } = reader
  const next = peek(reader)
  const callee = value.kind === 'name' ? named(whole(language, `${value.name}.${member}`)) : named(`?.${member}`)
  if (isMark(next, '(') && !(next?.newLine === true && language.lines === true)) return called(reader, callee, value)
  const isBlock = language.bareCalls === true && (isMark(next, '{') || isName(next, 'do')) && next?.newLine === false
  if (isBlock) {
    blockParameters(reader, value)
    return unknown
  }
  if (value.kind === 'map' && value.entries.has(member)) return value.entries.get(member) ?? unknown
  if (language.bareCalls === true && callee.kind === 'name') {
    const token = reader.tokens[reader.at - 1]
    if (token !== undefined && isBareCall(reader, token, undefined)) return bare(reader, callee, value)
    const isAssigned = isMark(next, '=')
    if (!isAssigned && !(next?.kind === 'string' && language.textCalls === true)) {
      const known = constantOf(reader, callee.name)
      if (known !== undefined) return known
      if (
        language.calls[callee.name] !== undefined ||
        (value.kind !== 'name' && language.methods[member] !== undefined)
      )
        return apply(reader, callee, value, [], new Map())
    }
  }
  const known = callee.kind === 'name' ? constantOf(reader, callee.name) : undefined
  if (known !== undefined) return known
  if (value.kind === 'name') return callee
  const property = language.methods[`.${member}`]
  if (property !== undefined) return apply(reader, named(`?..${member}`), value, [], new Map())
  return isMark(next, '[', '?.') || next?.kind === 'string' ? callee : value.kind === 'text' ? unknownText : unknown
}

/** `list.each { |x| … }`: in the block, `x` is any of them. */
function blockParameters(reader: Reader, value: Value): void {
  const bar = peek(reader, 1)
  const name = peek(reader, 2)
  if (isMark(bar, '|') && name?.kind === 'name') {
    reader.scope.set(name.text, value.kind === 'list' ? elementOf(value) : value.kind === 'text' ? value : unknown)
    let at = reader.at + 3
    while (at < reader.tokens.length && !isMark(reader.tokens[at], '|')) at++
    reader.at = at + 1
  }
}

function called(reader: Reader, callee: Value, receiver: Value | undefined): Value {
  reader.at++
  const source = receiver ?? (callee.kind === 'name' ? undefined : callee)
  const { values, named: given } = items(reader, ')', source)
  return apply(reader, callee, receiver, values, given)
}

function apply(
  reader: Reader,
  callee: Value,
  receiver: Value | undefined,
  args: readonly Value[],
  given: ReadonlyMap<string, Value>,
): Value {
  const { language, found, around } = reader
  if (callee.kind !== 'name')
    return callee.kind === 'text' && callee.texts.length === 1
      ? apply(reader, named(callee.texts[0] ?? ''), undefined, args, given)
      : unknown
  const call: Call = {
    args,
    named: given,
    found,
    around,
    ...(receiver !== undefined && receiver.kind !== 'name' && { receiver }),
    arg: (at, ...names) => args[at] ?? names.map((name) => given.get(name)).find((one) => one !== undefined),
  }
  const own = language.calls[callee.name]
  if (own !== undefined && Object.hasOwn(language.calls, callee.name)) return own(call) ?? unknown
  const member = callee.name.slice(callee.name.lastIndexOf('.', callee.name.length - 2) + 1)
  const isMember = callee.name.includes('.')
  const method = isMember && Object.hasOwn(language.methods, member) ? language.methods[member] : undefined
  return method?.(call) ?? unknown
}
