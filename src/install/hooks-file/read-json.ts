import { parse } from 'jsonc-parser'
import { isJsonObject, Json } from '../../model/json.ts'
import { lookAt } from '../files/look-at.ts'

/** A text file that is only looked into; `undefined` where there is none that can be read. */
export function textOf(file: string): string | undefined {
  try {
    return lookAt(file, undefined).present?.bytes.toString()
  } catch {
    return undefined
  }
}

/** What a JSON file says at a path of keys, comments or not. What does not parse says nothing, as for its agent. */
export function jsonAt(file: string, ...path: readonly string[]): Json | undefined {
  const text = textOf(file)
  try {
    const whole = text === undefined ? undefined : Json.parse(parse(text))
    return path.reduce<Json | undefined>((value, key) => (isJsonObject(value) ? value[key] : undefined), whole)
  } catch {
    return undefined
  }
}

/** The first file that says something at a path, and what. */
export function firstSaid(
  files: readonly string[],
  ...path: readonly string[]
): { readonly file: string; readonly value: Json } | undefined {
  for (const file of files) {
    const value = jsonAt(file, ...path)
    if (value !== undefined) return { file, value }
  }
  return undefined
}

/** What there is to say where a switch stands at a value that keeps every hook from running. */
export function switchedOff(files: readonly string[], path: readonly string[], off: boolean): readonly string[] {
  const said = firstSaid(files, ...path)
  return said?.value === off
    ? [`${said.file}: \`${path.join('.')}\` is ${off}, which keeps every hook from running`]
    : []
}
