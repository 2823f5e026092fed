import { unknownPart } from '../../../../model/shell.ts'
import { isMark, isName, peek, whole, type Reader } from './state.ts'
import type { Token } from '../tokens.ts'
import { named } from '../value.ts'

/** `import a.b as c`, `from a import b as c`, `import {a as b} from 'c'`, `import * as a from 'b'`. */
export function imported(reader: Reader): boolean {
  const { tokens, scope, language } = reader
  let at = reader.at + 1
  const here = (): string => tokens[at]?.text ?? ''
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
    if (isMark(tokens[at], '*')) {
      for (const name of Object.keys(language.calls))
        if (name.startsWith(`${module}.`)) scope.set(name.slice(module.length + 1), named(name))
      at++
    }
    while (tokens[at]?.kind === 'name' && !(tokens[at]?.newLine === true && !isMark(tokens[at - 1], ',', '('))) {
      const name = here()
      at++
      let to = name
      if (isName(tokens[at], 'as')) {
        at++
        to = here()
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
    // `import os`, and on the next line `from pathlib import Path`.
    if (language.lines === true && token?.newLine === true && isName(token, 'from', 'import') && bindings.length > 0)
      break
    if (isMark(token, '{', '}')) braces = isMark(token, '{')
    else if (isName(token, 'from') || token?.kind === 'string' || isMark(token, ';')) break
    else if (token?.newLine === true && !braces && bindings.length > 0 && !isMark(tokens[at - 1], ',')) break
    else if (isMark(token, '*')) bindings.push({ from: undefined, to: '' })
    else if (isName(token, 'as')) {
      const last = bindings.at(-1)
      at++
      if (last !== undefined) last.to = here()
    } else if (token?.kind === 'name') {
      const from = at
      const name = dotted()
      bindings.push({ from: braces ? name : undefined, to: name })
      at = Math.max(from, at - 1)
    }
  }
  if (isName(tokens[at], 'from') && !(language.lines === true && tokens[at]?.newLine === true)) at++
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
