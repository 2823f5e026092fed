import { readFileSync } from 'node:fs'
import { exampleKeys } from '../../src/policy/compile/definition/definition.ts'

const title =
  '# Fields of a command, keys of an example\n\n<!-- Written by `npm run docs` from the types. -->\n\n' +
  'Each of `shell.commands` has these fields; `?` marks one that may be absent. [What a shell command would do](shell-facts.md)\n' +
  'explains how they belong together, and [`src/model/shell.ts`](../src/model/shell.ts) has the types in full.\n\n'

/** A table of Markdown. A bar would end its cell. */
const table = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  [head, head.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', String.raw`\|`)).join(' | ')} |\n`)
    .join('')

/** Reads the fields of the interface `ShellCommand`, each with its comment. */
export function commandFields(): readonly { readonly name: string; readonly type: string; readonly what: string }[] {
  const source = readFileSync(new URL('../../src/model/shell.ts', import.meta.url), 'utf8')
  const [, own = ''] = /export interface ShellCommand \{\n([^]*?)\n\}/.exec(source) ?? []
  return [...own.matchAll(/(?:^ {2}\/\*\*((?:(?!\*\/)[^])*)\*\/\n)?^ {2}readonly (\w+\??): (.*)$/gm)].map(
    ([, comment = '', name = '', type = '']) => ({
      name,
      type: type.replace(/^readonly (\w+\[\])$/, '$1'),
      what: comment.replaceAll(/\s*\n\s*\*?\s*/g, ' ').trim(),
    }),
  )
}

/** Renders `docs/fields.md`. */
export const fieldsPage = (): string =>
  title +
  table(
    ['field', 'type', 'what it says'],
    commandFields().map(({ name, type, what }) => [`\`${name}\``, `\`${type}\``, what]),
  ) +
  "\n## Keys of an example's input\n\n" +
  'An [example](policies.md) of a tool of these kinds has these keys. One with another key does not load, unless it names the\n' +
  '`agent` whose key it is; other tools have keys of their own.\n\n' +
  table(
    ['`tool`', 'keys of `input`'],
    Object.entries(exampleKeys).map(([kind, keys]) => [`\`${kind}\``, keys.map((key) => `\`${key}\``).join(', ')]),
  )
