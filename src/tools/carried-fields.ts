import { HookgateError } from '../model/errors.ts'
import { isJsonObject, type Json, type JsonObject, objectsIn, textsAt } from '../model/json.ts'
import { limits } from '../model/limits.ts'

/** The keys under which inputs hold what a call works on, by what they mean. */
const keyNames = [
  /** Run by a shell; a list holds the words of one program. */
  ['command', 'command cmd shell_command bash_command command_line cmd_line cli_command command_string argv'],
  ['commands', 'commands cmds'],
  /** A program, if a list of its arguments is beside it. */
  ['program', 'program executable binary'],
  ['arguments', 'args arguments'],
  /** Code in the language that the key names, or that another field does. */
  [
    'source',
    'source source_code cell_source csharp_code python_code javascript_code js_code typescript_code gdscript_code script_code snippet',
  ],
  ['language', 'language lang runtime kernel_name'],
  /** Run if the tool calls itself a shell; elsewhere, it may be of any language. */
  ['script', 'script input keys chars line'],
  [
    'file',
    'path paths file files file_path file_paths filename file_name absolute_path relative_path source_path source destination destination_path target_file target_path old_path new_path input_file input_path output_file output_path notebook_path',
  ],
  ['folder', 'directory directory_path dir dir_path folder folder_path target_directory search_path'],
  ['address', 'url urls uri address link href'],
  /** What a file is to hold, or what takes the place of a part of it. */
  [
    'content',
    'content contents file_text file_content new_string new_str new_text new_source new_code code code_edit code_content replacement replacement_content',
  ],
  /** Something to write, or to look for. */
  ['text', 'text body data'],
  /** The part of a file that is replaced. */
  ['replaced', 'old_string old_str old_text old_code target_content'],
  /** What is replaced, and by what. */
  ['patch', 'diff patch'],
  ['edits', 'edits replacements changes'],
  /** The way in which an address is requested, of which a `path` beside it is a part. */
  ['method', 'method'],
  /** An input within the input. */
  ['wrapper', 'params parameters payload request task call calls tool_calls tool_input'],
] as const
type Meaning = (typeof keyNames)[number][0]

/** Every key in the ways in which it is spelled: `file_path`, `filePath`, `FilePath`, `filepath`, `file-path`. */
const meanings: ReadonlyMap<string, Meaning> = new Map(
  keyNames.flatMap(([meaning, names]) =>
    names
      .split(' ')
      .flatMap(spellingsOf)
      .map((key) => [key, meaning] as const),
  ),
)

function spellingsOf(name: string): readonly string[] {
  const [first = '', ...others] = name.split('_')
  const capitals = others.map(capitalised).join('')
  return [name, first + capitals, capitalised(first) + capitals, name.replaceAll('_', ''), name.replaceAll('_', '-')]
}
function capitalised(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1)
}

/** The values of an input by what their keys mean. */
export type Fields = { readonly [Key in Meaning]?: readonly Json[] }

/** The keys and list entries that a search has gone through. */
export interface Search {
  steps: number
}

/** @throws HookgateError `eventMalformed` if the search has taken too many steps */
export function spend(search: Search, steps: number): void {
  search.steps += steps
  if (search.steps <= limits.callSearchStepsMax) return
  throw new HookgateError('eventMalformed', "the tool's input has more fields than can be judged", {
    remedy: 'call the tool with a smaller input, in several calls',
  })
}

/** Takes one pass over the keys of the inputs and of those within them. */
export function fieldsOf(search: Search, ...inputs: readonly JsonObject[]): Fields {
  const fields: { [Key in Meaning]?: Json[] } = {}
  const queue = [...inputs]
  for (let input = queue.pop(); input !== undefined; input = queue.pop()) {
    const keys = Object.keys(input)
    spend(search, 1 + keys.length)
    for (const key of keys) {
      const meaning = meanings.get(key)
      const value = input[key]
      if (meaning === undefined || value === undefined) continue
      if (Array.isArray(value)) spend(search, value.length)
      if (wrapping.has(meaning)) for (const inner of objectsOf([value])) queue.push(inner)
      ;(fields[meaning] ??= []).push(value)
    }
  }
  return fields
}
/** The meanings of keys under which an object is an input of its own. */
const wrapping: ReadonlySet<Meaning> = new Set(['wrapper', 'arguments', 'script'])

/** Returns the texts among values, those in lists with them. */
export const textsOf = (values: readonly Json[] = []): readonly string[] =>
  values.flatMap((value) => textsAt({ value }, 'value'))

/** Returns the objects among values, those in lists with them. */
export const objectsOf = (values: readonly Json[] = []): readonly JsonObject[] =>
  values.flatMap((value) => (isJsonObject(value) ? [value] : objectsIn(value)))
