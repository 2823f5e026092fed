import type { ToolKind } from '../model/event.ts'
import { fileOfUrl, quotedWord, shellWord } from '../model/text.ts'
import { toolWords } from '../words/names.ts'
import { HookgateError } from '../model/errors.ts'
import { isJsonObject, type Json, type JsonObject, objectsIn, textsAt } from '../model/json.ts'
import { limits, shellLimits } from '../model/limits.ts'
import { setOf, type SetOf } from '../model/look-ups.ts'
import type { CarriedPlace } from '../model/tool-facts.ts'

/** What a call does, in the terms of the tools that agents bring themselves. */
export interface CarriedUse {
  /** `undefined`: the call names files, and nothing says what it does with them. */
  readonly kind: Extract<ToolKind, 'shell' | 'read' | 'write' | 'edit' | 'search' | 'list' | 'fetch'> | undefined
  readonly command?: string
  readonly paths: readonly string[]
  readonly url?: string
  readonly content?: string
}

/**
 * Derives what a call does from what its input carries and from the words of the tool's name, which authors choose
 * freely but alike.
 *
 * - a command line, or code for a tool that runs code: a shell call
 * - a file with a replacement: an edit
 * - a file with content: a write
 * - an address: a fetch
 * - a file and nothing else: what the name says
 *
 * Returns `undefined` where the input names no command, file or address.
 *
 * @param inputs several where it is not known which of them the tool reads
 *
 * @throws HookgateError `eventMalformed` if the inputs are too large to be searched
 */
export function carriedUse(name: string, ...inputs: readonly JsonObject[]): CarriedUse | undefined {
  const words = toolWords(name)
  const search: Search = { steps: 0 }
  const fields = fieldsOf(search, ...inputs)
  const files = filesIn(search, fields)
  const given = commandIn(search, fields)
  const named = namedProgramCommand(name, given ?? argumentsIn(fields))
  // Which of the two it is, the tool's author knows.
  const command =
    given !== undefined && named !== undefined && named !== given
      ? `${given}\n${named}`
      : (given ?? named ?? scriptIn(fields, words) ?? codeCommand(words, codeIn(fields)))
  // The `command` of an editor is one of its own (`create`, `view`). A folder beside a command is where it runs.
  if (command !== undefined && (files.length === 0 || words.some((word) => runWords.has(word)))) {
    return { kind: 'shell', command: withVariables(command, fields.variables), paths: [] }
  }
  const paths = fields.method ? [] : [...new Set([...files, ...textsOf(fields.folder)])].filter(isPath)
  const url = textsOf(fields.address).find((one) => /^(?!file:)[a-z]+:\/\//i.test(one))
  if (paths.length === 0 && url === undefined) return undefined
  const content = contentIn(search, fields)
  return {
    kind: paths.length > 0 ? fileKind(search, words, fields) : 'fetch',
    paths,
    ...(url !== undefined && { url }),
    ...(content !== undefined && { content }),
  }
}

/** Puts in front of a command the variables that its call sets for it, as a shell would set them: `export CI='1'`. */
export function withVariables(command: string, given: readonly Json[] = []): string {
  const sets = given.flatMap((one) =>
    isJsonObject(one)
      ? Object.entries(one).map(([name, value]) => [name, textOf(value)] as const)
      : textsOf([one]).flatMap((text) => {
          const [, name, value = ''] = /^([^=]*)=([^]*)$/.exec(text) ?? []
          return name === undefined ? [] : [[name, value] as const]
        }),
  )
  // No shell can read a variable of another name, and no program that is known does.
  const named = sets.filter(([name]) => /^[A-Za-z_]\w*$/.test(name))
  return named.length === 0
    ? command
    : `export ${named.map(([name, value]) => `${name}=${shellWord(value)}`).join(' ')}\n${command}`
}
const textOf = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value))

const runWords = setOf(
  'shell bash sh zsh powershell terminal console exec execute run command commands cmd process ssh script',
)
const shellWords = setOf('shell bash sh zsh ksh powershell pwsh terminal tmux stdin')
const listWords = setOf('list tree ls dir info stat exists glob')
const searchWords = setOf('search grep find')
const readWords = setOf(
  'read get view cat open show head tail fetch describe inspect analyze analyse preview explain summarize lookup',
)
const changeWords = setOf(
  'write edit create delete remove move rename copy update set put append insert replace upload save push patch add make rm unlink trash erase destroy purge truncate clear wipe overwrite modify change download',
)

/** Tells whether the words of a tool's name say that it looks at something, and none that it changes anything. */
const saysReads = (words: readonly string[]): boolean =>
  !words.some((word) => changeWords.has(word)) &&
  words.some((word) => searchWords.has(word) || listWords.has(word) || readWords.has(word))

function fileKind(search: Search, words: readonly string[], fields: Fields): CarriedUse['kind'] {
  if ([...textsOf(fields.replaced), ...textsOf(fields.patch), ...objectsOf(fields.edits)].length > 0) return 'edit'
  if (textsOf(fields.content).length > 0 || words.some((word) => changeWords.has(word))) return 'write'
  if (words.some((word) => searchWords.has(word))) return 'search'
  if (words.some((word) => listWords.has(word))) return 'list'
  if (words.some((word) => readWords.has(word))) return 'read'
  return contentIn(search, fields) === undefined ? undefined : 'write'
}

/** Joins all commands of an input, one on each line: which of two keys the tool obeys is not known. */
function commandIn(search: Search, fields: Fields): string | undefined {
  const args = argumentsIn(fields)
  const isStarted = (fields.arguments ?? []).some((value) => Array.isArray(value))
  const own = (fields.command ?? []).flatMap((value) =>
    typeof value === 'string' ? withArguments(search, value, args) : quotedWords(textsOf([value])),
  )
  const started = isStarted
    ? textsOf(fields.program).map((program) => withArguments(search, shellWord(program), args))
    : []
  const nested = objectsOf([...(fields.command ?? []), ...(fields.commands ?? [])])
  const lines = [
    ...own,
    ...textsOf(fields.commands),
    ...started,
    ...nested.flatMap((one) => copied(search, commandIn(search, fieldsOf(search, one))) ?? []),
  ]
  return lines.length === 0 ? undefined : [...new Set(lines)].join('\n')
}

const quotedWords = (words: readonly string[]): readonly string[] =>
  words.length === 0 ? [] : [words.map(shellWord).join(' ')]

/** Joins all arguments, each with a blank before it: which command gets them is not known. */
const argumentsIn = (fields: Fields): string =>
  [
    '',
    ...(fields.arguments ?? []).flatMap((value) =>
      typeof value === 'string' ? value : textsOf([value]).map(shellWord),
    ),
  ].join(' ')

const withArguments = (search: Search, line: string, args: string): string => line + (copied(search, args) ?? '')

/** Counts a text that each of many commands has, or each level of nested ones. */
function copied(search: Search, text: string | undefined): string | undefined {
  spend(search, Math.floor((text ?? '').length / charactersPerStep))
  return text
}
/** Copied characters that take as long as the search of one field. */
const charactersPerStep = 256

function scriptIn(fields: Fields, words: readonly string[]): string | undefined {
  if (!words.some((word) => shellWords.has(word))) return undefined
  const lines = [...textsOf(fields.script), ...textsOf(fields.content)]
  return lines.length === 0 ? undefined : lines.join('\n')
}

/** Code that a tool is to run, if its name says that it runs some, with the language that a field names. */
function codeIn({ content, script, source, language }: Fields): Code {
  const [text] = [...textsOf(source), ...textsOf(content), ...textsOf(script)]
  return { text, language: textsOf(language)[0] }
}

function filesIn(search: Search, fields: Fields): readonly string[] {
  const uris = textsOf(fields.address).filter((one) => /^file:/i.test(one))
  const nested = nestedOf(fields).flatMap((one) => textsOf(fieldsOf(search, one).file))
  return [...textsOf(fields.file), ...nested, ...uris].map(fileOfUrl).filter(isPath)
}

/** True for a text that can be a path. Some servers have a file's text, or an address, under the key of a path. */
const isPath = (text: string) => text !== '' && !/[\n\r]|^[a-z][a-z\d+.-]+:\/\//i.test(text)

/** Returns the text that is written; those of several files or edits are on separate lines. */
function contentIn(search: Search, fields: Fields): string | undefined {
  const [own] = [...textsOf(fields.content), ...textsOf(fields.patch), ...textsOf(fields.text)]
  if (own !== undefined) return own
  const texts = nestedOf(fields).flatMap((one) => {
    const { content, text } = fieldsOf(search, one)
    return [...textsOf(content), ...textsOf(text)].slice(0, 1)
  })
  return texts.length === 0 ? undefined : texts.join('\n')
}

/** Returns the files and edits that are described by an object each. */
const nestedOf = ({ file, edits }: Fields): readonly JsonObject[] => [...objectsOf(file), ...objectsOf(edits)]

/** Command-line programs that servers wrap, and whose arguments alone they take. */
const programs = setOf(
  'ansible argocd aws az bq brew cargo doctl docker eksctl firebase fly flyctl gcloud gh git glab gsutil helm heroku istioctl kubectl netlify npm nomad oc pip pnpm podman pulumi railway stripe supabase systemctl terraform terragrunt tofu uv vault vercel wrangler yarn',
)

/** Words of a tool's name that say no more than that it runs the program. */
const neutral = setOf('run exec execute call invoke command commands cmd cli tool generic raw mcp server query')

/**
 * Returns the command line of a tool that is named after the program that it runs, and takes only what comes behind the
 * program's name: `run_gcloud_command` with `["projects", "delete", "x"]`. `undefined` for other tools.
 *
 * @param name of the tool, behind its server's and `__` if it has one
 */
function namedProgramCommand(name: string, given: string): string | undefined {
  const text = given.trim()
  const words = toolWords(name)
  const program = words.findLast((word) => programs.has(word))
  if (program === undefined || text === '') return undefined
  // A server's name is anybody's choice; of the tool's, no word may say that it does something else.
  const own = toolWords(name.slice(name.lastIndexOf('__') + 1))
  if (!own.every((word) => word === program || neutral.has(word))) return undefined
  const lines = text.split('\n').map((line) => line.trim())
  return lines.map((line) => (line.startsWith(`${program} `) ? line : `${program} ${line}`)).join('\n')
}

/** Code in an input, and the name of its language where a field has one. */
export interface Code {
  readonly text: string | undefined
  readonly language: string | undefined
}

const evaluateWords = setOf('execute exec run eval evaluate invoke')
const codeWords = setOf('code script scripts snippet cell notebook repl kernel')
/** Servers whose code runs in a page, in a document, in a database, or on a machine that is made to be thrown away. */
const elsewhereWords = setOf(
  'browser page playwright puppeteer chrome devtools webview figma sql query graphql database sandbox e2b daytona',
)

/** How an interpreter is given code on its command line, by the words that name a language or an editor of it. */
const interpreters: readonly (readonly [words: SetOf<string>, command: string])[] = [
  [setOf('csharp cs roslyn dotnet unity'), 'csharp -e'],
  [setOf('gdscript godot'), 'gdscript -e'],
  [setOf('javascript js node nodejs typescript ts deno bun'), 'node -e'],
  [setOf('ruby rails irb'), 'ruby -e'],
  [setOf('php'), 'php -r'],
  [setOf('lua'), 'lua -e'],
  [setOf('julia'), 'julia -e'],
  [setOf('rscript rstudio'), 'Rscript -e'],
  [setOf('java jshell kotlin groovy scala'), 'groovy -e'],
  [
    setOf('python python3 py ipython jupyter notebook cell kernel blender unreal maya houdini freecad ide'),
    'python3 -c',
  ],
]

const commandFor = (words: readonly string[]): string | undefined =>
  interpreters.find(([names]) => words.some((word) => names.has(word)))?.[1]

/**
 * Returns the command line that does what a tool does with code that it is given to run, so that it is judged as inline
 * code of a shell command is: an editor of games, a notebook or an interpreter behind MCP runs it on this machine.
 *
 * Returns `undefined` where the tool's name does not say that it runs code, or nothing names a language.
 */
function codeCommand(words: readonly string[], { text, language }: Code): string | undefined {
  if (
    text === undefined ||
    !words.some((word) => evaluateWords.has(word)) ||
    words.some((word) => elsewhereWords.has(word))
  )
    return undefined
  const named = language === undefined ? undefined : commandFor([language.toLowerCase().replace('c#', 'csharp')])
  const command = named ?? commandFor(words)
  if (command === undefined) return undefined
  const saysCode =
    words.some((word) => codeWords.has(word)) || named !== undefined || commandFor([words.at(-1) ?? '']) !== undefined
  return saysCode || words.length <= 2 ? `${command} ${quotedWord(text)}` : undefined
}

/** The keys under which inputs hold what a call works on, by what they mean. */
const keyNames = [
  /** Run by a shell; a list holds the words of one program. */
  ['command', 'command cmd shell_command bash_command command_line cmd_line cli_command command_string argv'],
  ['commands', 'commands cmds'],
  /** A program, if a list of its arguments is beside it. */
  ['program', 'program executable binary'],
  ['arguments', 'args arguments'],
  /** What is set in the environment of the command. */
  ['variables', 'env environment env_vars environment_variables'],
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
type Fields = { readonly [Key in Meaning]?: readonly Json[] }

/** The keys and list entries that a search has gone through. */
export interface Search {
  steps: number
}

/** @throws HookgateError `eventMalformed` if the search has taken too many steps */
function spend(search: Search, steps: number): void {
  search.steps += steps
  if (search.steps <= limits.callSearchStepsMax) return
  throw new HookgateError('eventMalformed', "the tool's input has more fields than can be judged", {
    remedy: 'call the tool with a smaller input, in several calls',
  })
}

/** Takes one pass over the keys of the inputs and of those within them. */
function fieldsOf(search: Search, ...inputs: readonly JsonObject[]): Fields {
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
const textsOf = (values: readonly Json[] = []): readonly string[] =>
  values.flatMap((value) => textsAt({ value }, 'value'))

/** Returns the objects among values, those in lists with them. */
const objectsOf = (values: readonly Json[] = []): readonly JsonObject[] =>
  values.flatMap((value) => (isJsonObject(value) ? [value] : objectsIn(value)))

/**
 * Returns what the input of a tool names besides its files. Nobody knows what a server's tool does there: it is taken to
 * write, unless its name says that it only looks. An agent's own tool is taken to read. A key may say that something is
 * put there, whatever the tool; and what a server gets as a text may be a file to send.
 *
 * @param inputs several where it is not known which of them the tool reads
 *
 * @throws HookgateError `eventMalformed` if the input is too large to be searched
 */
export function carriedPlaces(
  { kind, name, isServer }: { readonly kind: ToolKind; readonly name: string; readonly isServer: boolean },
  files: readonly string[],
  ...inputs: readonly JsonObject[]
): readonly CarriedPlace[] {
  const looks = kind === 'read' || kind === 'search' || kind === 'list' || saysReads(toolWords(name))
  const known = new Set(files)
  return placesIn(inputs).flatMap(({ path, use }) => {
    const recursive = kind !== 'shell' && use !== 'words'
    if (use === 'target') return [{ path, access: 'write', recursive }]
    // Beside a command, a folder is where that runs.
    if (known.has(path) || (kind === 'shell' && use === 'folder') || (use === 'words' && !isServer)) return []
    const access = isServer && !looks && recursive ? 'write' : 'read'
    return [{ path, access, recursive }]
  })
}

/** What a key says of its value: something is put there, a command runs there, or it is a text that may quote a path. */
type KeyUse = 'target' | 'folder' | 'words' | 'any'

interface NamedPlace {
  readonly path: string
  readonly use: KeyUse
}

/**
 * Returns the texts of an input that look like paths, at any depth and under any key, since servers name their keys
 * freely. A key itself may be one: `{files: {'a.ts': '…'}}`.
 *
 * A relative path counts if one of its names begins with a dot, or if its key says that something is put there: other
 * texts with a slash are as often branches, media types or repositories.
 */
function placesIn(inputs: readonly JsonObject[]): readonly NamedPlace[] {
  const search: Search = { steps: 0 }
  const found = new Map<string, NamedPlace>()
  const add = (text: string, use: KeyUse) => {
    if (text.length > shellLimits.pathCharactersMax) return
    for (const part of text.split(/[,\r\n]/)) {
      const path = fileOfUrl(part.trim().replace(/^--?[\w-]+=/, ''))
      if ((use === 'words' ? isRooted : use === 'target' ? isTarget : isPlaced).test(path))
        found.set(`${use} ${path}`, { path, use })
    }
  }
  const queue: (readonly [value: Json, use: KeyUse])[] = inputs.map((input) => [input, 'any'])
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    const [value, use] = next
    if (typeof value === 'string') {
      add(value, use)
    } else if (isJsonObject(value)) {
      const entries = Object.entries(value)
      spend(search, entries.length)
      for (const [key, one] of entries) {
        add(key, typeof one === 'string' ? 'target' : 'any')
        queue.push([one, useOf(key, use)])
      }
    } else if (Array.isArray(value)) {
      const parts = value.filter((one: Json) => typeof one === 'string' || typeof one === 'object')
      spend(search, parts.length)
      for (const one of parts) queue.push([one, use])
    }
  }
  return [...found.values()]
}

function useOf(key: string, around: KeyUse): KeyUse {
  const words = toolWords(key)
  if (words.some((word) => targetWords.has(word))) return 'target'
  if (words.some((word) => textWords.has(word))) return 'words'
  if (words.some((word) => folderWords.has(word))) return 'folder'
  return around === 'target' ? 'target' : 'any'
}
const targetWords = setOf(
  'dst dest destination to out output outfile outdir outpath save saved into download export dump',
)
const textWords = setOf(
  'query queries pattern regex title message description body prompt question questions subject comment text content contents string str code summary label topic',
)
const folderWords = setOf('cwd dir directory folder workdir workspace root')

const isRooted = /^(?:~|\$HOME|\$\{HOME\}|\.{0,2})[\\/][^\s:]*$/
// What a name must not have is looked for first: else each of its dots and slashes would be tried as the last one.
const isPlaced =
  /^(?:~|\$HOME|\$\{HOME\}|\.{1,2})(?:[\\/][^:]*)?$|^(?:[a-z]:)?[\\/][^:]*$|^(?=[^\s:]*$)(?:[^\s:]*[\\/])?\.[^\\/]/i
const isTarget = new RegExp(`${isPlaced.source}|^(?=[^@:\\s]*$)[^./]*[./]`, 'i')
