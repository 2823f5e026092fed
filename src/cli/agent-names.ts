import { agentNames } from '../agents/registry.ts'

/** Every agent by its name, for help texts. */
export const agentList = agentNames.join(', ')

/** How wide a line of help is at most. */
const width = 120

/** A text behind a word that it explains, in lines that stand below each other. */
export function explained(word: string, text: string): string {
  const lines: string[] = []
  let line = word
  for (const each of text.split(' ')) {
    const longer = line === word ? `${line}${each}` : `${line} ${each}`
    if (longer.length <= width) line = longer
    else {
      lines.push(line)
      line = `${' '.repeat(word.length)}${each}`
    }
  }
  return [...lines, line].join('\n')
}
