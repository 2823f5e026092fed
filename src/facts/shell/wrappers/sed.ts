import { readOptions } from '../../../model/options.ts'
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
  for (const found of executed(script.value)) {
    if (found === '') starts.uncertain('sed runs the lines that it reads')
    else starts.script(script.unresolved === true ? { value: found, unresolved: true } : { value: found })
  }
}

/** Reads sed commands one by one: their addresses, their name, and of `s` and `y` the parts between the delimiters. */
function executed(text: string): readonly string[] {
  const found: string[] = []
  let at = 0
  const behindPart = (from: number, delimiter: string): number => {
    let place = from
    while (place < text.length && text.charAt(place) !== delimiter) {
      if (text.charAt(place) === '[' && delimiter !== '[') {
        const close = text.indexOf(']', place + (text.charAt(place + 1) === '^' ? 3 : 2))
        if (close !== -1 && !text.slice(place, close).includes('\n')) place = close
      } else if (text.charAt(place) === '\\') place++
      place++
    }
    return place + 1
  }
  while (at < text.length) {
    const address = /^[\s;{}]*(?:\d+(?:~\d+)?|\$|)/.exec(text.slice(at))?.[0].length ?? 0
    at += address
    if (text.charAt(at) === '/') at = behindPart(at + 1, '/')
    else if (text.charAt(at) === '\\') at = behindPart(at + 2, text.charAt(at + 1))
    const rest = /^(?:[IM]*\s*,\s*[+~]?|[IM]*\s*!*\s*)/.exec(text.slice(at))?.[0] ?? ''
    if (rest.includes(',')) {
      at += rest.length
      continue
    }
    at += rest.length
    const name = text.charAt(at++)
    const lineEnd = text.indexOf('\n', at) === -1 ? text.length : text.indexOf('\n', at)
    if (name === 'e') {
      found.push(text.slice(at, lineEnd).trim())
      at = lineEnd
    } else if (name === 's' || name === 'y') {
      const delimiter = text.charAt(at)
      const second = behindPart(at + 1, delimiter)
      const end = behindPartPlain(text, second, delimiter)
      const options = /^[gpiIMme\d]*/.exec(text.slice(end))?.[0] ?? ''
      if (name === 's' && options.includes('e')) found.push(replacementOf(text, second, end))
      at = text.charAt(end + options.length) === 'w' ? lineEnd : end + options.length
    } else if (/[aicrRwWbtT:#]/.test(name)) {
      const semicolon = /[btT:]/.test(name) ? text.slice(at, lineEnd).search(/[;}]/) : -1
      at = semicolon === -1 ? lineEnd : at + semicolon
    }
  }
  return found
}

/** A replacement has no brackets to mind. */
function behindPartPlain(text: string, from: number, delimiter: string): number {
  let at = from
  while (at < text.length && text.charAt(at) !== delimiter) at += text.charAt(at) === '\\' ? 2 : 1
  return at + 1
}

/** What `s/…/…/e` runs where the replacement takes nothing from the line. */
function replacementOf(text: string, from: number, end: number): string {
  const replacement = text.slice(from, end - 1)
  return /(?<!\\)&|\\\d/.test(replacement) ? '' : replacement.replaceAll(/\\(.)/gs, '$1')
}

export const seds: Readonly<Record<string, Unwrap>> = { sed, gsed: sed, ssed: sed }
