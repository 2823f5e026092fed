import { getLineInfo } from 'acorn'
import type { Place } from '../../../model/errors.ts'
import type { Problem } from '../../../model/problem.ts'

/** A file's text, which offsets refer to. */
export interface Text {
  readonly file: string
  readonly text: string
}

export function placeAt({ file, text }: Text, offset: number): Place {
  const { line, column } = getLineInfo(text, offset)
  return { file, line, column: column + 1 }
}

export function problemAt(source: Text, offset: number, message: string, remedy?: string): Problem {
  return { severity: 'error', place: placeAt(source, offset), message, remedy }
}
