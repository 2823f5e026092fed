/** The side effects of a sed script: the scripts it runs, and the files it reads and writes. */
export interface SedScript {
  /** Scripts that a shell runs; `''` if sed runs its input lines. */
  readonly runs: readonly string[]
  readonly reads: readonly string[]
  readonly writes: readonly string[]
}

/** Parses the commands of a sed script: addresses, name, and for `s` and `y` the parts between delimiters. */
export function sedScript(text: string): SedScript {
  const runs: string[] = []
  const reads: string[] = []
  const writes: string[] = []
  const lineEndAt = ends(text, '\n')
  const bracketEndAt = ends(text, ']')
  /** Returns the position after the next delimiter that is neither escaped nor in brackets. */
  const behindPart = (from: number, delimiter: string, brackets = true): number => {
    let place = from
    while (place < text.length && text.charAt(place) !== delimiter) {
      if (brackets && text.charAt(place) === '[' && delimiter !== '[') {
        const close = bracketEndAt(place + (text.charAt(place + 1) === '^' ? 3 : 2))
        if (close < Math.min(text.length, lineEndAt(place))) place = close
      } else if (text.charAt(place) === '\\') place++
      place++
    }
    return place + 1
  }
  for (let at = 0; at < text.length;) {
    at = behind(/[\s;{}]*(?:\d+(?:~\d+)?|\$)?/y, text, at)
    if (text.charAt(at) === '/') at = behindPart(at + 1, '/')
    else if (text.charAt(at) === '\\') at = behindPart(at + 2, text.charAt(at + 1))
    const rest = behind(/[IM]*\s*,\s*[+~]?|[IM]*\s*!*\s*/y, text, at)
    const isRange = text.slice(at, rest).includes(',')
    at = rest
    if (isRange) continue
    const name = text.charAt(at++)
    const lineEnd = lineEndAt(at)
    if (name === 'e') {
      runs.push(text.slice(at, lineEnd).trim())
      at = lineEnd
    } else if (name === 's' || name === 'y') {
      const delimiter = text.charAt(at)
      const second = behindPart(at + 1, delimiter)
      const end = behindPart(second, delimiter, false)
      const options = behind(/[gpiIMme\d]*/y, text, end)
      if (name === 's' && text.slice(end, options).includes('e')) runs.push(replacementOf(text.slice(second, end - 1)))
      if (text.charAt(options) === 'w') writes.push(fileOf(text.slice(options + 1, lineEndAt(options))))
      at = text.charAt(options) === 'w' ? lineEndAt(options) : options
    } else if (/[rRwW]/.test(name)) {
      const files = name === 'r' || name === 'R' ? reads : writes
      files.push(fileOf(text.slice(at, lineEnd)))
      at = lineEnd
    } else if (/[aic#]/.test(name)) at = lineEnd
    else if (/[btT:]/.test(name)) at = behind(/[^;}\n]*/y, text, at)
  }
  return { runs, reads, writes }
}

/** Returns a file name, which sed reads to the end of the line; after `;` or `}`, a further command is assumed. */
const fileOf = (rest: string): string => (/^[^;}]*/.exec(rest)?.[0] ?? '').trim()

function behind(part: RegExp, text: string, at: number): number {
  part.lastIndex = at
  return part.test(text) ? part.lastIndex : at
}

/** Makes a cached search for the next position of a character, or the end of the text. Avoids quadratic time. */
function ends(text: string, character: string): (from: number) => number {
  let [from, end] = [0, -1]
  return (at) => {
    if (at < from || at > end) {
      const next = text.indexOf(character, at)
      ;[from, end] = [at, next === -1 ? text.length : next]
    }
    return end
  }
}

/** Returns the script that `s/…/…/e` runs; `''` if the replacement includes parts of the line. */
const replacementOf = (replacement: string): string =>
  /(?<!\\)&|\\\d/.test(replacement) ? '' : replacement.replaceAll(/\\(.)/gs, '$1')
