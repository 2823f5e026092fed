/** The framing of an event file: a JSON array with one element per line, so that the oldest can be cut off. */
const opening = '[\n'
const separator = ',\n'
const closing = '\n]\n'

/** The bytes of an event file beyond those of its older and newer lines. */
export const framingBytes = opening.length + separator.length + closing.length

/** Puts JSON on one line without parsing it, which keeps its numbers: JSON strings cannot contain raw line breaks. */
export function onOneLine(json: string): string {
  return json.trim().replace(/[\r\n]+/g, ' ')
}

/** Returns the elements of a file that the bridge wrote, one per line, without the framing. */
export function linesIn(file: Uint8Array): Uint8Array {
  return file.subarray(opening.length, Math.max(opening.length, file.length - closing.length))
}

/** Returns the pieces to write, in order, for an event file of older and newer lines. */
export function arrayOf(older: Uint8Array, newer: readonly string[]): Uint8Array[] {
  const joint = older.length > 0 && newer.length > 0 ? separator : ''
  return [Buffer.from(opening), older, Buffer.from(`${joint}${newer.join(separator)}${closing}`)]
}

/** Drops whole lines from the front until at most `bytesMax` bytes are left. */
export function newestLines(
  lines: Uint8Array,
  bytesMax: number,
): { readonly kept: Uint8Array; readonly dropped: number } {
  if (lines.length <= bytesMax) return { kept: lines, dropped: 0 }
  const end = lines.indexOf(newline, Math.max(0, lines.length - bytesMax - 1))
  const start = end < 0 ? lines.length : end + 1
  let dropped = start === lines.length ? 1 : 0
  for (let at = lines.indexOf(newline); at >= 0 && at < start; at = lines.indexOf(newline, at + 1)) dropped += 1
  return { kept: lines.subarray(start), dropped }
}
const newline = 0x0a

/** Returns the elements of an array that another program wrote, each put on one line but otherwise verbatim. */
export function elementsOf(text: string): string[] | undefined {
  if (!isArray(text)) return undefined
  const elements: string[] = []
  let depth = 0
  let start = 0
  const end = (at: number) => {
    const element = onOneLine(text.slice(start, at))
    if (element !== '') elements.push(element)
    start = at + 1
  }
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]
    if (character === '"') at = endOfString(text, at)
    else if (character === ',' && depth === 1) end(at)
    else if (character === '[' || character === '{') {
      depth += 1
      if (depth === 1) start = at + 1
    } else if (character === ']' || character === '}') {
      if (depth === 1) end(at)
      depth -= 1
    }
  }
  return elements
}

function isArray(text: string): boolean {
  try {
    return Array.isArray(JSON.parse(text))
  } catch {
    return false
  }
}

/** Returns the index of the closing quote of a string in valid JSON. */
function endOfString(text: string, start: number): number {
  let at = start + 1
  while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at
}
