import type { CodeLanguage } from '../../../model/shell.ts'
import type { CodeSurroundings, Recognised } from './recognised.ts'

export type { CodePath, CodeStart, CodeSurroundings, Recognised } from './recognised.ts'

/** What is obvious in code: what it starts, which files it touches. What is not recognised stays silent. */
export function recognise(language: CodeLanguage, text: string, around: CodeSurroundings = {}): Recognised {
  void [language, text, around]
  return { paths: [], starts: [], does: [], hosts: [], uncertain: [] }
}
