/** The texts behind a line of code that a mark in it stands for: `<<~CMD`, as its language writes them. */
export interface Heredocs {
  /** The mark, with `quote` and `name` as groups. */
  readonly open: RegExp
  /** More may stand behind the name at the end: `CMD);`. */
  readonly goesOn?: true
}

/**
 * Writes each such text as a literal in quotes in the place of its mark, and the lines that it took as none. A mark whose
 * end does not come is an operator. Takes time linear in the length.
 */
export function withHeredocs(source: string, { open, goesOn }: Heredocs): string {
  if (!source.includes('<<')) return source
  const lines = source.split('\n')
  const ends = new Map<string, number[]>()
  for (const [at, line] of lines.entries()) {
    const [name] = (goesOn === true ? /^\s*\w+/ : /^\s*\w+\s*$/).exec(line) ?? []
    if (name === undefined) continue
    const places = ends.get(name.trim())
    if (places === undefined) ends.set(name.trim(), [at])
    else places.push(at)
  }
  for (const places of ends.values()) places.reverse()
  const written: string[] = []
  for (let at = 0; at < lines.length;) {
    const line = lines[at] ?? ''
    let [text, from, next, rest] = ['', 0, at + 1, '']
    for (const { 0: mark, index, groups: { quote = '', name = '' } = {} } of line.matchAll(open)) {
      const places = ends.get(name) ?? []
      while ((places.at(-1) ?? Number.POSITIVE_INFINITY) < next) places.pop()
      const end = places.pop()
      if (end === undefined) continue
      text += line.slice(from, index) + literalOf(lines.slice(next, end).join('\n'), quote)
      from = index + mark.length
      next = end + 1
      if (goesOn === true) rest = (lines[end] ?? '').trimStart().slice(name.length)
    }
    written.push(text + line.slice(from) + rest)
    at = next
  }
  return written.join('\n')
}

function literalOf(body: string, quote: string): string {
  switch (quote) {
    case "'":
      return `'${body.replaceAll(/[\\']/g, String.raw`\$&`)}'`
    case '`':
      return `\`${body.replaceAll('`', '')}\``
    default:
      return `"${body.replaceAll(/\\?"/g, String.raw`\"`)}"`
  }
}
