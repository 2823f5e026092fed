/** A key of a YAML text with its scalar, or the scalars of its list. The first entry has those without a key. */
export interface YamlEntry {
  readonly key: string
  /** The key that it stands below. */
  readonly above: string
  readonly values: readonly string[]
  readonly isList: boolean
  /** The scalars of the mapping that it is in. */
  readonly beside: ReadonlyMap<string, string>
}

interface OpenEntry extends YamlEntry {
  readonly values: string[]
  isList: boolean
}

/** A mapping at a column, with the last of its keys. */
interface OpenMapping {
  readonly column: number
  readonly above: string
  readonly scalars: Map<string, string>
  entry: OpenEntry
}

const keyed = /^(["']?)([\w.$/-]+)\1[ \t]*:(?=[ \t]|$)[ \t]*(.*)$/
const flowKeys =
  /(?<![\w-])([\w-]{1,80})[ \t]{0,8}:[ \t]{0,8}("(?:[^"\\]|\\.){0,300}"|'[^']{0,300}'|[^,{}[\]"'\s][^,{}[\]]*)/g
const flowItems = /"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s,[\]"'][^,[\]]*/g
const blockHead = /^[|>][\d+-]*[ \t]*(?:#.*)?$/

const entryIn = (key: string, above: string, beside: ReadonlyMap<string, string>): OpenEntry => ({
  key,
  above,
  values: [],
  isList: false,
  beside,
})

/**
 * Reads the keys and scalars of a YAML text line by line: in linear time, and of any part of a text. Aliases are not
 * followed. Parsers of all of YAML take minutes for some texts of a few kilobytes.
 */
export function yamlEntries(text: string): readonly YamlEntry[] {
  const lines = text.split(/\r?\n/)
  const root = entryIn('', '', new Map())
  const found = [root]
  const open: OpenMapping[] = [{ column: -1, above: '', scalars: new Map(), entry: root }]
  let at = 0

  /** Returns a scalar with the lines that go on with it, which are deeper than a column. */
  function scalarOf(first: string, column: number): string {
    const isBlock = blockHead.test(first)
    const rest: string[] = []
    for (; at < lines.length; at++) {
      const line = lines[at] ?? ''
      if (line.trim() === '' ? !isBlock : columnOf(line) <= column) break
      rest.push(line)
    }
    if (!isBlock) return unquoted([first, ...rest.map((line) => line.trim())].join(' ').trim())
    const inner = rest.reduce((least, line) => (line.trim() === '' ? least : Math.min(least, columnOf(line))), 1000)
    return rest.map((line) => line.slice(inner)).join(first.startsWith('|') ? '\n' : ' ')
  }

  while (at < lines.length) {
    const line = lines[at++] ?? ''
    const lead = /^[ \t]*(?:-(?=[ \t]|$)[ \t]*)*/.exec(line)?.[0] ?? ''
    const content = line.slice(lead.length)
    const isItem = lead.includes('-')
    if (content === '' || content.startsWith('#')) continue
    const outer = isItem ? lead.lastIndexOf('-') : lead.length
    // A list may stand in the column of its key.
    while ((open.at(-1)?.column ?? -1) > outer) open.pop()
    const mapping = open.at(-1) ?? { column: -1, above: '', scalars: new Map(), entry: root }
    const [, , key, written = ''] = keyed.exec(content) ?? []
    const value = written.replace(/^(?:[&!]\S*(?:[ \t]+|$))+/, '')
    if (key === undefined) {
      const { entry } = mapping
      if (!isItem && mapping.column >= 0 && entry.values.length > 0) continue
      entry.isList ||= isItem
      entry.values.push(scalarOf(content, isItem ? outer : mapping.column < 0 ? 1000 : mapping.column))
      continue
    }
    const isSame = !isItem && mapping.column === lead.length
    const own: OpenMapping = isSame
      ? mapping
      : { column: lead.length, above: mapping.entry.key, scalars: new Map(), entry: root }
    if (!isSame) open.push(own)
    own.entry = entryIn(key, own.above, own.scalars)
    found.push(own.entry)
    if (value.startsWith('[') || value.startsWith('{')) {
      own.entry.isList = true
      if (!value.includes('{')) own.entry.values.push(...(value.match(flowItems) ?? []).map(unquoted))
      for (const [, inner = '', scalar = ''] of value.includes('{') ? value.matchAll(flowKeys) : []) {
        const entry = entryIn(inner, key, new Map())
        entry.values.push(unquoted(scalar))
        found.push(entry)
      }
    } else if (value !== '' && !value.startsWith('#')) {
      const scalar = scalarOf(value, lead.length)
      own.entry.values.push(scalar)
      own.scalars.set(key, scalar)
    }
  }
  return found
}

const columnOf = (line: string) => line.length - line.trimStart().length

function unquoted(scalar: string): string {
  const text = scalar.trim()
  if (/^'.*'$/s.test(text)) return text.slice(1, -1).replaceAll("''", "'")
  if (!/^".*"$/s.test(text)) return text
  return text
    .slice(1, -1)
    .replaceAll(/\\([\s\S])/g, (_, mark: string) => (mark === 'n' ? '\n' : mark === 't' ? '\t' : mark))
}
