import { getLineInfo } from 'acorn'
import type { Place } from '../../../model/errors.ts'
import type { Problem } from '../../../model/problem.ts'

/** A file's text, which offsets refer to. */
export interface SourceText {
  readonly file: string
  readonly text: string
}

export function placeAt({ file, text }: SourceText, offset: number): Place {
  const { line, column } = getLineInfo(text, offset)
  return { file, line, column: column + 1 }
}

export function problemAt(source: SourceText, offset: number, message: string, remedy?: string): Problem {
  return { severity: 'error', place: placeAt(source, offset), message, remedy }
}

/** Returns a function that converts offsets in a text to 1-based lines and columns. */
export function placesOf(text: string): (offset: number) => { readonly line: number; readonly column: number } {
  const starts = [0, ...[...text.matchAll(/\r\n|[\n\r\u2028\u2029]/g)].map(({ 0: end, index }) => index + end.length)]
  return (offset) => {
    const line = starts.findLastIndex((start) => start <= offset)
    return { line: line + 1, column: offset - (starts[line] ?? 0) + 1 }
  }
}
