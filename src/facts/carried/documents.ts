import { parse } from 'jsonc-parser'
import { isJsonObject, type JsonObject } from '../../model/json.ts'
import { shellWord } from '../../model/text.ts'
import { inLanguage, withoutTemplates } from './languages.ts'
import { yamlEntries } from './yaml.ts'

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
    isPart && !text.trimStart().startsWith('{')
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
