import { parse } from 'jsonc-parser'
import { isJsonObject, type JsonObject } from '../../model/json.ts'
import { shellWord } from '../../model/text.ts'
import { inLanguage, withoutTemplates } from './lines.ts'

/** The places in a JSON or YAML document that hold commands. */
interface CommandKeys {
  /** Keys of a command, of a list, or of an object whose values are commands. */
  readonly keys: RegExp
  /** Whether a list of texts holds the lines of a script (the default) or the words of one command. */
  readonly lists?: 'words'
}

/** Reads the commands of a JSON text with comments. Of a part of such a text, all that is not said to be something else. */
export const jsonCommands =
  (how: CommandKeys) =>
  (text: string, isPart: boolean): Iterable<string> =>
    isPart && !text.includes('":')
      ? [text] // A part of one command.
      : isPart && !text.trimStart().startsWith('{')
        ? commandsUnder(parse(`{"": {${text}}}`), { ...how, keys: new RegExp(`^$|${how.keys.source}`) })
        : commandsUnder(objectOf(parse(text)), how)

/** @throws TypeError if a document is none that has keys */
function objectOf(value: unknown): JsonObject {
  if (isJsonObject(value)) return value
  throw new TypeError('the document is no object')
}

function* commandsUnder(value: unknown, how: CommandKeys): Generator<string> {
  if (Array.isArray(value)) for (const one of value) yield* commandsUnder(one, how)
  if (!isJsonObject(value)) return
  for (const [key, one] of Object.entries(value)) {
    yield* commandsUnder(one, how)
    if (!how.keys.test(key)) continue
    for (const command of isJsonObject(one) ? Object.entries(one).flatMap(unlessDescribed) : [one])
      yield scriptOf(textsIn(command), Array.isArray(command), how, textsIn(value['args']))
  }
}

const textsIn = (value: unknown) => [value].flat().filter((one) => typeof one === 'string')

const describes = /^(?:name|desc\w*|summary|label|keywords|version|shell|working\w*|dir|image)$/
const unlessDescribed = ([key, one]: readonly [string, unknown]) => (describes.test(key) ? [] : [one])

function scriptOf(words: readonly string[], isList: boolean, { lists }: CommandKeys, args: readonly string[]): string {
  const texts = words.map(withoutTemplates)
  if (lists === undefined) return texts.join('\n')
  // As Compose spells a command of a health check.
  if (isList && texts[0] === 'CMD-SHELL') return texts.slice(1).join(' ')
  return [...texts.filter((word) => word !== 'CMD').map(isList ? shellWord : String), ...args.map(shellWord)].join(' ')
}

/** Reads the commands of a YAML text, in front of each the secrets that the text puts into its variables. */
export const yamlCommands = (how: CommandKeys) =>
  function* (text: string, isPart: boolean): Generator<string> {
    // JSON is YAML.
    if (text.trimStart().startsWith('{')) {
      yield* jsonCommands(how)(text, isPart)
      return
    }
    const secrets = secretsIn(text)
    const entries = yamlEntries(text)
    const argsOf = new Map(entries.filter(({ key }) => key === 'args').map(({ beside, values }) => [beside, values]))
    for (const { key, above, values, isList, beside } of entries) {
      const isCommand = key === '' ? isPart : how.keys.test(key) || (how.keys.test(above) && !describes.test(key))
      if (!isCommand || values.length === 0) continue
      const script = scriptOf(values, isList, how, how.lists === undefined ? [] : (argsOf.get(beside) ?? []))
      const used = secrets.filter(({ name }) => script.includes(name)).map(({ line }) => line)
      yield [...used, inLanguage(beside.get('shell'), script)].join('\n')
    }
  }

/** A variable that gets a secret of the service that runs the steps. */
interface SecretVariable {
  readonly name: string
  readonly line: string
}

const secretsIn = (text: string): readonly SecretVariable[] =>
  [...text.matchAll(/^[ \t-]*(\w+):[ \t]*["']?\$\{\{\s*secrets\.(\w+)\s*\}\}["']?[ \t]*$/gm)].map(
    ([, name = '', secret = '']) => ({ name, line: `${name}="\${${secret}}"` }),
  )

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
function yamlEntries(text: string): readonly YamlEntry[] {
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
