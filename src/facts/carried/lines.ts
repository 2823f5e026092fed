import { parse } from 'jsonc-parser'
import { isJsonObject, objectsIn, textAt, textsAt } from '../../model/json.ts'
import { quotedWord, shellWord } from '../../model/text.ts'

/** Splits a text into lines; one that ends in a backslash goes on in the next. */
const linesOf = (text: string) => text.replaceAll(/\\[ \t]*\r?\n/g, '\\\n').split(/(?<!\\)\n/)

const instruction = /^\s*(?:ONBUILD\s+)?(?:RUN|CMD|ENTRYPOINT|HEALTHCHECK\s(?:.*?\s)?CMD)\s+(.*)$/is
const anyInstruction = /^\s*[A-Z]+\s/i

/** Yields what a Dockerfile runs. A part of one may begin within an instruction. */
export function* containerCommands(text: string, isPart: boolean): Generator<string> {
  const lines = linesOf(text.replaceAll(/^[ \t]*#(?!!).*\n?/gm, ''))
  const ends = lines.map((line) => line.trim())
  const lastAt = new Map(ends.map((line, at) => [line, at]))
  let isWithin = isPart
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? ''
    const run = instruction.exec(line)?.[1]
    if (run === undefined) {
      if (isWithin && !anyInstruction.test(line)) yield line.replace(/^\s*(?:&&|\|\||;)/, '')
      else isWithin = false
      continue
    }
    isWithin = false
    const command = run.replace(/^(?:--\S+\s+)+/, '')
    const end = /<<-?\s*["']?(\w+)/.exec(command)?.[1]
    const last = end !== undefined && (lastAt.get(end) ?? -1) > at ? ends.indexOf(end, at + 1) : -1
    if (last > at) {
      const body = lines.slice(at + 1, last).join('\n')
      yield /^<<\S+\s*$/.test(command) ? asItsFirstLineSays(body) : [command, body, end].join('\n')
      at = last
    } else {
      const words: unknown = command.startsWith('[') ? parse(command) : undefined
      yield Array.isArray(words) ? words.map((word) => shellWord(String(word))).join(' ') : command
    }
  }
}

const assignment = /^(?:(?:export|override|private)\s+)*([\w.-]+)\s*(?::{1,3}|\?|\+|!)?=\s*(.*)$/s

/** Yields the recipes of a makefile, a line at a time as make starts shells, and what its variables run. */
export function* makeRecipes(text: string): Generator<string> {
  const values = new Map<string, string>()
  for (const line of linesOf(text)) {
    const recipe = /^\t(.*)$/s.exec(line)?.[1] ?? /^[^\s#=:;][^#=:;]*::?[^=;]*;(.*)$/s.exec(line)?.[1]
    if (recipe !== undefined) {
      yield expanded(recipe.replace(/^[\s@+-]+/, ''), values)
      continue
    }
    const [, name = '', value = ''] = assignment.exec(line) ?? []
    if (/!=/.test(line) && name !== '') yield expanded(value, values)
    else if (name !== '' && !values.has(name)) values.set(name, value)
    if (line.includes('$(shell ')) yield `: ${expanded(line.slice(line.indexOf('$(shell ')), values)}`
  }
}

/** Replaces make's variables by their values, and those without one by variables of the shell. */
function expanded(recipe: string, values: ReadonlyMap<string, string>): string {
  let text = recipe.replaceAll('$$', dollar)
  for (let round = 0; round < expansionsMax && text.includes('$') && text.length < recipeCharactersMax; round++) {
    text = text.replaceAll(/\$(?:\(([^(){}$]*)\)|\{([^(){}$]*)\}|([^\s(){}]))/g, (_, first, second, mark?: string) => {
      const inside = String(first ?? second ?? mark)
      const [, call, command = ''] = /^(\w+)[ \t]+(.*)$/s.exec(inside) ?? []
      if (call === 'shell') return `${dollar}(${command})`
      return values.get(inside) ?? `${dollar}{${/^[A-Za-z_]\w*$/.test(inside) ? inside : 'make'}}`
    })
  }
  return text.replaceAll(dollar, '$')
}
/** A character that no file has, in place of a `$` that make hands on. */
const dollar = '\uFDD1'
/** Variables of variables, such as folders below folders, are rarely deeper. */
const expansionsMax = 8
/** A longer line is made of variables that double in each other. */
const recipeCharactersMax = 10_000

/** Yields the recipes of a justfile: a line at a time, or a script whose first line names its interpreter. */
export function* justRecipes(text: string): Generator<string> {
  for (const part of text.split(/^(?=\S)/m)) {
    const [head = '', ...body] = linesOf(part)
    for (const [, command = ''] of head.matchAll(/`([^`\n]+)`/g)) yield withoutTemplates(command)
    const lines = /^(?:\s|$)/.test(head) ? [head, ...body] : body
    const script = withoutTemplates(lines.map((line) => line.replace(/^(?: {1,4}|\t)/, '')).join('\n'))
    if (script.trimStart().startsWith('#!')) yield asItsFirstLineSays(script.trimStart())
    else for (const line of script.split('\n')) yield line.replace(/^[\s@-]+/, '')
  }
}

/** Yields the steps of a pipeline in Groovy that are shell. */
export function* pipelineSteps(text: string): Generator<string> {
  for (const [at, part] of text.split(/'''|"""/).entries()) {
    if (at % 2 === 1) yield part
    else
      for (const [, single, double] of part.matchAll(
        /\b(?:sh|bat)\b[^'"\n]{0,40}(?:'((?:\\.|[^'\\\n])*)'|"((?:\\.|[^"\\\n])*)")/g,
      ))
        yield (single ?? double ?? '').replaceAll(/\\(["'\\])/g, '$1')
  }
}

/** Yields the shell commands of a notebook's cells of code; a part of a notebook is the source of one. */
export function* cellCommands(text: string, isPart: boolean): Generator<string> {
  const notebook: unknown = text.trimStart().startsWith('{') ? parse(text) : undefined
  const cells = isJsonObject(notebook)
    ? objectsIn(notebook['cells']).flatMap((cell) =>
        cell['cell_type'] === 'code' ? [textAt(cell, 'source') ?? textsAt(cell, 'source').join('')] : [],
      )
    : isPart
      ? [text]
      : []
  for (const cell of cells) {
    const [, shell, script = ''] = /^\s*%%(?:script\s+)?(bash|sh|zsh|system|sx|!)\b[^\n]*\n(.*)$/s.exec(cell) ?? []
    if (shell !== undefined) yield script
    else
      for (const line of cell.replaceAll('\\\n', ' ').split('\n')) {
        const command = magic.exec(line)?.[1] ?? called.exec(line)?.[1]
        if (command !== undefined) yield command.replaceAll(/\{(\w+)\}/g, '${$1}')
      }
  }
}
const magic = /^[ \t]*(?:\w[\w, ]*=[ \t]*)?(?:!{1,2}|%(?:sx|system)[ \t])(.*)$/
const called = /get_ipython\(\)\.(?:system|getoutput)\(\s*f?["'](.*)["']/

/** Yields the commands of a table of `cron`; in the system's folders each has a user in front. */
export function* cronCommands(text: string, _: boolean, path: string): Generator<string> {
  const hasUser = /(?:^|\/)(?:cron\.d|etc)\//.test(path)
  for (const [, command = ''] of text.matchAll(/^[ \t]*(?:@\w+|(?:[\d*/,\w-]+[ \t]+){4}[\d*/,\w-]+)[ \t]+(.*)$/gm))
    yield hasUser ? command.replace(/^\S+\s+/, '') : command
}

/** Yields the commands of a unit of systemd, which itself replaces `%h` by the home. */
export function* unitCommands(text: string): Generator<string> {
  for (const [, command = ''] of text.replaceAll('\\\n', ' ').matchAll(/^Exec\w+[ \t]*=[ \t]*[-@:+!|]*(.+)$/gm))
    yield command.replaceAll('%h', '$HOME').replaceAll('%%', '%')
}

export function* processCommands(text: string): Generator<string> {
  for (const [, command = ''] of text.matchAll(/^[\w-]+:[ \t]*(.+)$/gm)) yield command
}

/**
 * Yields a script that is shell as a whole, unless its first line says otherwise. Of a part also each line by itself: a
 * part may begin or end within a function or a `case`, and is no script then.
 */
export function* wholeScript(text: string, isPart: boolean): Generator<string> {
  yield asItsFirstLineSays(text)
  if (isPart) yield* linesOf(text)
}

/** Yields a script whose name says no language: a shell runs one without a first line that does. */
export function* namedScript(text: string, isPart: boolean): Generator<string> {
  yield* wholeScript(text, isPart && !text.trimStart().startsWith('#!'))
}

/** Yields the shell commands of a text of SQL that the client runs itself: psql's, sqlite's and MySQL's. */
export function* clientCommands(text: string): Generator<string> {
  for (const [, command = ''] of text.matchAll(/^[ \t]*(?:\\!|\.(?:shell|system)[ \t]|system[ \t])[ \t]*(.+)$/gm))
    yield command
}

/** Interpreters of scripts that are no shells, with the option that takes the code. */
const interpreters: Readonly<Record<string, string>> = {
  python: '-c',
  python3: '-c',
  node: '-e',
  bun: '-e',
  ruby: '-e',
  perl: '-e',
  php: '-r',
  pwsh: '-Command',
  powershell: '-Command',
}

/** Returns the shell command that runs a script in the language of an interpreter; of an unknown one, the script. */
export function inLanguage(interpreter: string | undefined, script: string): string {
  const name = /^(?:\S*\/)?([a-z]+3?)/.exec(interpreter ?? '')?.[1] ?? ''
  const option = Object.hasOwn(interpreters, name) ? interpreters[name] : undefined
  return option === undefined ? script : `${name} ${option} ${quotedWord(script)}`
}

const shebang = /^\s*#!\s*(?:\S*\/env\s+(?:-S\s+)?)?(\S+)/

/** Returns the command that runs a script as its first line says. */
const asItsFirstLineSays = (script: string): string => inLanguage(shebang.exec(script)?.[1], script)

/** `${{ … }}` of GitHub, `{{ … }}` of just and Task, `<< … >>` of CircleCI: what stands there is put into the script's text. */
const templates = /\$?\{\{([^{}]*)\}\}|<<\s*([\w.]+)\s*>>/g

/** Replaces templates by variables of a shell: `${{ secrets.KEY }}` by `${KEY}`. Also where single quotes would keep it. */
export function withoutTemplates(script: string): string {
  return script.replaceAll(templates, (_, braced: string | undefined, angled: string | undefined, at: number) => {
    const inside = braced ?? angled ?? ''
    const all = /toJSON\(\s*secrets\s*\)/i.test(inside)
    const name = /\bHOME\b/.exec(inside)?.[0] ?? /(\w+)\W*$/.exec(inside)?.[1] ?? 'template'
    const shown = all ? '$(env)' : `\${${/^\d/.test(name) ? 'template' : name}}`
    return isQuoted(script, at) ? `'"${shown}"'` : shown
  })
}

/** Returns whether a place is within single quotes of its line. */
function isQuoted(script: string, at: number): boolean {
  const before = script.slice(script.lastIndexOf('\n', at - 1) + 1, at)
  return before.replaceAll(/\\.|"(?:\\.|[^"\\])*"/g, '').split("'").length % 2 === 0
}
