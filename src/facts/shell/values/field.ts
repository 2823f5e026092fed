import { type ShellWord, unknownPart } from '../../../model/shell.ts'
import type { Source, Text } from './text.ts'

/** A word of a command, with the commands whose output is in it. */
export interface Field {
  readonly word: ShellWord
  readonly from?: readonly Source[]
}

/** Converts a field to a text, as assignments and `case` use it. */
export function textOf({ word, from }: Field): Text {
  return {
    value: word.value,
    ...(word.pattern !== undefined && { pattern: word.pattern }),
    ...(word.variable !== undefined && { variable: word.variable }),
    ...(from !== undefined && { from }),
  }
}

export function fieldOfText(text: Text): Field {
  const unresolved = text.value.includes(unknownPart)
  const word: ShellWord = {
    value: text.value,
    ...(unresolved && { unresolved: true }),
    ...(unresolved && text.variable !== undefined && { variable: text.variable }),
  }
  return { word, ...(text.from !== undefined && { from: text.from }) }
}
