import type { CommandPlace } from '../../model/tool-facts.ts'
import { jsonCommands, yamlCommands } from './documents.ts'
import {
  cellCommands,
  clientCommands,
  containerCommands,
  cronCommands,
  inLanguage,
  justRecipes,
  makeRecipes,
  namedScript,
  pipelineSteps,
  processCommands,
  unitCommands,
  wholeScript,
} from './lines.ts'

/** The shell commands that a file holds, each as a text that a shell runs by itself, and where they will run. */
export interface CommandsOfFile {
  readonly place: CommandPlace
  readonly scripts: readonly string[]
  /** True if the file has other code as well. */
  readonly hasCode: boolean
  /** As in `CarriedCommands`. */
  readonly refusedOnly: boolean
}

/** A form of files with commands in them. The text of an edit whose file is not known is a part. */
interface FileForm {
  readonly files: RegExp
  readonly place: CommandPlace
  readonly hasCode?: true
  readonly refusedOnly?: true
  readonly read: (text: string, isPart: boolean, path: string) => Iterable<string>
}

const forms: readonly FileForm[] = [
  {
    files: /(?:^|\/)(?:docker|container|earth)file(?:[._-][\w.-]*)?$|\.(?:docker|container)file$/i,
    place: 'container',
    read: containerCommands,
  },
  {
    files: /(?:^|\/)(?:package|composer|deno)\.jsonc?$/,
    place: 'machine',
    read: jsonCommands({ keys: /^(?:scripts|tasks|hooks|simple-git-hooks)$/ }),
  },
  { files: /(?:^|\/)(?:gnu)?makefile(?:\.\w+)?$|\.(?:mk|mak)$/i, place: 'recipe', read: makeRecipes },
  { files: /(?:^|\/)\.?justfile$|\.just$/i, place: 'recipe', read: justRecipes },
  {
    files: /(?:^|\/)taskfile[\w.-]*\.ya?ml$/i,
    place: 'recipe',
    read: yamlCommands({ keys: /^(?:cmds?|sh|tasks|preconditions|status)$/ }),
  },
  {
    files:
      /(?:^|\/)(?:\.github\/(?:workflows|actions)\/.+|action|\.gitlab-ci|\.gitlab\/.+|\.circleci\/.+|azure-pipelines[\w.-]*|bitbucket-pipelines|\.travis|buildspec[\w.-]*|\.drone|\.woodpecker(?:\/.+)?)\.ya?ml$/,
    place: 'ci',
    read: yamlCommands({
      keys: /^(?:run|script|(?:before|after)_\w+|commands?|bash|sh|pwsh|powershell|inlineScript|install|entrypoint)$/,
    }),
  },
  { files: /(?:^|\/)jenkinsfile[\w.-]*$/i, place: 'ci', hasCode: true, read: pipelineSteps },
  { files: /\.ipynb$/, place: 'machine', hasCode: true, read: cellCommands },
  {
    files: /(?:^|\/)(?:docker-)?compose[\w.-]*\.ya?ml$/,
    place: 'container',
    read: yamlCommands({ keys: /^(?:command|entrypoint|test)$/, lists: 'words' }),
  },
  {
    files: /(?:^|\/)\.?devcontainer\.json$/,
    place: 'machine',
    read: jsonCommands({ keys: /^initializeCommand$/, lists: 'words' }),
  },
  {
    files: /(?:^|\/)\.?devcontainer\.json$/,
    place: 'container',
    read: jsonCommands({ keys: /^(?:onCreate|updateContent|post\w+)Command$/, lists: 'words' }),
  },
  {
    files: /(?:^|\/)\.vscode\/tasks\.json$/,
    place: 'machine',
    read: jsonCommands({ keys: /^command$/, lists: 'words' }),
  },
  {
    files: /(?:^|\/)(?:\.pre-commit-(?:config|hooks)|\.?lefthook(?:-local)?)\.ya?ml$/,
    place: 'machine',
    read: yamlCommands({ keys: /^(?:entry|run)$/, lists: 'words' }),
  },
  {
    files: /(?:^|\/)(?:\.husky\/[a-z-]+|\.?(?:git\/|git-?)?hooks\/(?:pre|post|commit|prepare)-[a-z-]+|\.envrc)$/,
    place: 'machine',
    read: wholeScript,
  },
  { files: /(?:^|[/.])crontab(?:\.\w+)?$|(?:^|\/)cron\.\w+\/[^/]+$|\.cron$/, place: 'machine', read: cronCommands },
  { files: /\.(?:service|socket|timer)$/, place: 'machine', read: unitCommands },
  { files: /\.(?:p?sql|psql|mysql|pgsql)$/i, place: 'machine', hasCode: true, read: clientCommands },
  { files: /(?:^|\/)procfile(?:\.\w+)?$/i, place: 'recipe', read: processCommands },
  { files: /\.(?:sh|bash|zsh|ksh|command)$/i, place: 'recipe', refusedOnly: true, read: wholeScript },
  {
    files: /(?:^|\/)(?:scripts?|s?bin|\.husky|\.?(?:git)?hooks)\/(?:[\w-]+\/)*[\w-]+$/,
    place: 'recipe',
    hasCode: true,
    refusedOnly: true,
    read: namedScript,
  },
  {
    files: /\.ya?ml$(?<=(?:^|\/)(?:cron\w*|jobs?|k8s|kubernetes|deploy\w*|manifests|helm|charts)\/[^\n]*)/i,
    place: 'container',
    read: yamlCommands({ keys: /^(?:command|entrypoint)$/, lists: 'words' }),
  },
  {
    files: /(?:^|\/)\.gitpod\.ya?ml$/i,
    place: 'machine',
    read: yamlCommands({ keys: /^(?:before|init|prebuild|command)$/ }),
  },
  {
    files: /(?:^|\/)\.(?:bash(?:rc|_profile|_login|_logout|_aliases)|profile|z(?:shrc|shenv|profile|login|logout))$/,
    place: 'machine',
    refusedOnly: true,
    read: wholeScript,
  },
  { files: /\.ps1$/i, place: 'recipe', hasCode: true, refusedOnly: true, read: powershellCommands },
  ...codeFiles([
    [
      'python3',
      String.raw`(?:conftest|sitecustomize|usercustomize|__init__|setup|noxfile|tasks|fabfile|manage)\.py|[^/]+\.pth|${inScripts('pyw?')}`,
    ],
    [
      'node',
      String.raw`(?:gulpfile|gruntfile)\.\w+|[\w.-]+\.(?:config|setup)\.[cm]?[jt]s|\.eslintrc\.c?js|${inScripts('[cm]?[jt]s')}`,
    ],
    ['ruby', String.raw`rakefile|vagrantfile|[^/]+\.(?:podspec|gemspec)|${inScripts('rb')}`],
    ['perl', inScripts('p[lm]')],
    ['php', inScripts('php')],
  ]),
  {
    files:
      /(?:^|\/)(?:build\.rs|build\.gradle(?:\.kts)?|pyproject\.toml|cmakelists\.txt|[^/]+\.cmake|meson\.build|build\.zig|\.cargo\/config\.toml|(?:turbo|nx|project|vercel)\.json|(?:netlify|fly|mise)\.toml|pom\.xml|mix\.exs|(?:flake|shell)\.nix|[^/]+\.(?:csproj|targets|props|tf)|\.vscode\/(?:launch|settings)\.json|\.(?:zed|idea)\/.+)$/i,
    place: 'recipe',
    hasCode: true,
    refusedOnly: true,
    read: quotedCommands,
  },
]

/** Files of a language in the folders of scripts and hooks. */
function inScripts(extension: string): string {
  return String.raw`(?:scripts?|bin|tools?|jobs?|ops|tasks|\.husky|\.?(?:git)?hooks)/[^/]+\.${extension}`
}

/** Returns the forms of files of code that something runs, by the interpreter and the ends of their paths. */
function codeFiles(ends: readonly (readonly [interpreter: string, files: string])[]): readonly FileForm[] {
  return ends.map(([interpreter, files]) => ({
    files: new RegExp(String.raw`(?:^|/)(?:${files})$`, 'i'),
    place: 'recipe',
    hasCode: true,
    refusedOnly: true,
    read: codeCommands(interpreter),
  }))
}

/** Returns whether files of this name hold commands. */
export const holdsCommands = (path: string): boolean => forms.some(({ files }) => files.test(path))

/**
 * Takes the shell commands out of the text of a file that is written in another language.
 *
 * @param isPart the text may be any part of the file
 */
export function commandsIn(path: string, text: string, isPart: boolean): readonly CommandsOfFile[] {
  return forms
    .filter(({ files }) => files.test(path))
    .map(({ read, place, hasCode = false, refusedOnly = false }) => {
      const scripts = scriptsOf(() => read(text, isPart, path))
      return {
        place,
        // The text of a here-document goes into another file, and is no command of the script.
        hasCode: hasCode || scripts === undefined || (refusedOnly && text.includes('<<')),
        refusedOnly,
        // A text that is none in the language of its name has commands all the same.
        scripts: scripts ?? scriptsOf(() => quotedCommands(text)) ?? [],
      }
    })
}

/** Returns `undefined` for a text that cannot be read: it is no text of its language, or nests too deeply. */
function scriptsOf(read: () => Iterable<string>): readonly string[] | undefined {
  try {
    const scripts = [...read()].map((one) => one.trim()).filter((one) => one !== '')
    return [...new Set(scripts)]
  } catch {
    return undefined
  }
}

/**
 * Yields the texts of a file in any language that stand in quotes, in a here-document or behind `COMMAND`, and look like
 * the line of a shell: whichever program reads the file may have a shell run them.
 */
function* quotedCommands(text: string): Generator<string> {
  for (const quote of quotes) {
    const parts = text.split(quote)
    // What stands between two texts in quotes is taken for one as well: it rarely looks like a command.
    for (const part of parts.slice(1, -1)) if (isCommand(part)) yield unquoted(part)
  }
  for (const [, command = ''] of text.matchAll(/\bCOMMAND\s+([^\n)]+)/g)) yield unquoted(command)
  yield* documentsIn(text)
}

/** Longer quotes first: `"""` begins with a `"`. */
const quotes: readonly RegExp[] = [/"""/, /'''/, /''(?!')/, /(?<!\\)"/, /(?<!\\)'/, /(?<!\\)`/]

/** The first word is that of a program or a path to one, and another word or an operator follows. */
const isCommand = (text: string): boolean =>
  /^\s*(?:[(@-]{1,3}\s*)?(?:[A-Za-z_]\w*=\S*\s+)*(?:[~.]{0,2}\/)?[a-z$][\w.+/${}-]*(?:\s+[^\s=:]|[|;&<>])/.test(text)

/** Returns a text without the signs of its language: escapes, entities of XML, and expressions as variables of a shell. */
const unquoted = (text: string): string =>
  text
    .replaceAll(/\\(["'`\\nt])/g, (_, mark: string) => (mark === 'n' ? '\n' : mark === 't' ? '\t' : mark))
    .replaceAll(/&(quot|apos|lt|gt|amp);/g, (_, name: string) => entities[name] ?? '')
    // As aliases of mix begin.
    .replace(/^\s*cmd\s+(?=[^/\s])/, '')
    .replaceAll(
      /[$#]\{([^{}]*)\}/g,
      (_, inside: string) => `\${${/^[A-Za-z_]\w*$/.test(inside) ? inside : 'template'}}`,
    )
const entities: Readonly<Record<string, string>> = { quot: '"', apos: "'", lt: '<', gt: '>', amp: '&' }

/** Yields the here-documents of a text, as Terraform, Ruby and PHP have them. */
function* documentsIn(text: string): Generator<string> {
  const lines = text.split('\n')
  const ends = lines.map((line) => line.trim())
  const lastAt = new Map(ends.map((line, at) => [line, at]))
  for (let at = 0; at < lines.length; at++) {
    const [, end = ''] = /<<[-~]?\s*["']?(\w+)/.exec(lines[at] ?? '') ?? []
    if (end === '' || (lastAt.get(end) ?? -1) <= at) continue
    const last = ends.indexOf(end, at + 1)
    yield unquoted(lines.slice(at + 1, last).join('\n'))
    at = last
  }
}

/**
 * Reads a file of code as its interpreter would, a function at a time: in a whole program, what decodes a text and what
 * runs another rarely belong together. Its texts are read as well, since functions of its own may start them.
 */
function codeCommands(interpreter: string) {
  return function* (text: string): Generator<string> {
    for (const block of text.split(/(?<!\n[ \t]*)\n(?:[ \t]*\n)+(?=[^\s)\]}])/))
      if (block.includes('(')) yield inLanguage(interpreter, block)
    yield* quotedCommands(text)
  }
}

/** Reads a script of PowerShell line by line: it may start programs as a shell does. */
function* powershellCommands(text: string): Generator<string> {
  const [first = '', ...rest] = text.replaceAll(/`\r?\n/g, ' ').split('<#')
  const code = first + rest.map((part) => (part.includes('#>') ? part.slice(part.indexOf('#>') + 2) : part)).join('\n')
  for (const line of code.split(/\r?\n/)) {
    if (/^\s*(?:#|$)/.test(line)) continue
    yield inLanguage('pwsh', line)
    if (isCommand(line)) yield line
  }
  yield* quotedCommands(text)
}
