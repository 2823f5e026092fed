import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../..', import.meta.url))

/** The documentation: the pages at the top level and in `docs/`. */
export const pages = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', ...globSync('docs/*.md', { cwd: root }).toSorted()]

export const textOf = (page: string) => readFileSync(join(root, page), 'utf8')

/** A fenced block of a page. */
export interface Block {
  readonly language: string
  readonly text: string
}

export function blocksOf(page: string): readonly Block[] {
  return [...textOf(page).matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(([, language = '', text = '']) => ({
    language,
    text,
  }))
}
