import { quotedWord } from '../model/text.ts'

/** Code in an input, and the name of its language where a field has one. */
export interface Code {
  readonly text: string | undefined
  readonly language: string | undefined
}

const wordSet = (words: string): ReadonlySet<string> => new Set(words.split(' '))

const runs = wordSet('execute exec run eval evaluate invoke')
const code = wordSet('code script scripts snippet cell notebook repl kernel')
/** Servers whose code runs in a page, in a document, in a database, or on a machine that is made to be thrown away. */
const elsewhere = wordSet(
  'browser page playwright puppeteer chrome devtools webview figma sql query graphql database sandbox e2b daytona',
)

/** How an interpreter is given code on its command line, by the words that name a language or an editor of it. */
const interpreters: readonly (readonly [words: ReadonlySet<string>, command: string])[] = [
  [wordSet('csharp cs roslyn dotnet unity'), 'csharp -e'],
  [wordSet('gdscript godot'), 'gdscript -e'],
  [wordSet('javascript js node nodejs typescript ts deno bun'), 'node -e'],
  [wordSet('ruby rails irb'), 'ruby -e'],
  [wordSet('php'), 'php -r'],
  [wordSet('lua'), 'lua -e'],
  [wordSet('julia'), 'julia -e'],
  [wordSet('rscript rstudio'), 'Rscript -e'],
  [wordSet('java jshell kotlin groovy scala'), 'groovy -e'],
  [
    wordSet('python python3 py ipython jupyter notebook cell kernel blender unreal maya houdini freecad ide'),
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
export function codeCommand(words: readonly string[], { text, language }: Code): string | undefined {
  if (text === undefined || !words.some((word) => runs.has(word)) || words.some((word) => elsewhere.has(word)))
    return undefined
  const named = language === undefined ? undefined : commandFor([language.toLowerCase().replace('c#', 'csharp')])
  const command = named ?? commandFor(words)
  if (command === undefined) return undefined
  const saysCode =
    words.some((word) => code.has(word)) || named !== undefined || commandFor([words.at(-1) ?? '']) !== undefined
  return saysCode || words.length <= 2 ? `${command} ${quotedWord(text)}` : undefined
}
