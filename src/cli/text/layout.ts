import { styleText } from 'node:util'
import { visible } from '../../model/text.ts'
import type { Paint } from '../command.ts'

/** Returns what styles texts for a stream, and leaves them plain where it shows no styles. */
export const paintFor =
  (stream: NodeJS.WriteStream = process.stdout): Paint =>
  (style, text) =>
    styleText(style, text, { stream })

/** Maximum width of a line for people. */
export const lineWidth = 120

/** Formats a word and its explanation, wrapped into an indented column. */
export function explainedColumn(word: string, text: string): string {
  const lines: string[] = []
  let line = word
  for (const each of text.split(' ')) {
    const longer = line === word ? `${line}${each}` : `${line} ${each}`
    if (longer.length <= lineWidth) line = longer
    else {
      lines.push(line)
      line = `${' '.repeat(word.length)}${each}`
    }
  }
  return [...lines, line].join('\n')
}

/** Puts a text from outside on one line, with a sign in the place of each break. */
export const oneLine = (text: string) =>
  visible(text)
    .trim()
    .replaceAll(/(?<!\s)\s*\n\s*/g, ' ⏎ ')
    .replaceAll('\t', ' ')

/** Cuts a line that is longer than it may be. */
export const cutLine = (line: string, width = lineWidth): string =>
  line.length > width ? `${line.slice(0, Math.max(0, width - 1)).toWellFormed()}…` : line

/** Wraps a line at spaces, and within words that are too long for one. @param indent what further lines begin with */
export function wrappedLine(line: string, width: number, indent: string): readonly string[] {
  if (line.length <= width) return [line]
  const space = line.lastIndexOf(' ', width)
  const isSpace = space > indent.length && line.slice(0, space).trim() !== ''
  const end = isSpace ? space : Math.max(indent.length + 1, width)
  const [head, rest] = [line.slice(0, end).toWellFormed(), line.slice(end).trimStart().toWellFormed()]
  return rest === '' ? [head] : [head.trimEnd(), ...wrappedLine(`${indent}${rest}`, width, indent)]
}

/** Puts a title above lines; returns nothing if there are none. */
export const titled = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : ['', title, ...lines]

/** Joins lines to a text that ends in a line break. */
export const linesText = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('')

/** Leaves out where a rule is from if that is the user's own file: of all others it says who wrote it. */
export const shownRule = (id: string): string => /^user:[^#/]*[#/](.+)$/s.exec(id)?.[1] ?? id
