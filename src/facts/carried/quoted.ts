import { inLanguage } from './lines.ts'

/**
 * Yields the texts of a file in any language that stand in quotes, in a here-document or behind `COMMAND`, and look like
 * the line of a shell: whichever program reads the file may have a shell run them.
 */
export function* quotedCommands(text: string): Generator<string> {
  for (const quote of quotes) {
    const parts = text.split(quote)
    // What stands between two texts in quotes is taken for one as well: it rarely looks like a command.
    for (const part of parts.slice(1, -1)) if (isCommand(part)) yield unquoted(part)
  }
  for (const [, command = ''] of text.matchAll(/\bCOMMAND\s+([^\n)]+)/g)) yield unquoted(command)
  yield* documentsIn(text)
}

/** Longer ones first, in which shorter ones stand. */
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
export const codeCommands = (interpreter: string) =>
  function* (text: string): Generator<string> {
    for (const block of text.split(/(?<!\n[ \t]*)\n(?:[ \t]*\n)+(?=[^\s)\]}])/))
      if (block.includes('(')) yield inLanguage(interpreter, block)
    yield* quotedCommands(text)
  }

/** Reads a script of PowerShell line by line: it may start programs as a shell does. */
export function* powershellCommands(text: string): Generator<string> {
  const [first = '', ...rest] = text.replaceAll(/`\r?\n/g, ' ').split('<#')
  const code = first + rest.map((part) => (part.includes('#>') ? part.slice(part.indexOf('#>') + 2) : part)).join('\n')
  for (const line of code.split(/\r?\n/)) {
    if (/^\s*(?:#|$)/.test(line)) continue
    yield inLanguage('pwsh', line)
    if (isCommand(line)) yield line
  }
  yield* quotedCommands(text)
}
