import { parse } from 'jsonc-parser'
import { parse as parseTomlText, stringify } from 'smol-toml'
import { isJsonObject, Json } from '../model/json.ts'

/** Parses TOML. @throws an error that says what is wrong */
export const parseToml = (text: string): Json => Json.parse(parseTomlText(text))

export const tomlText = (value: object): string => stringify(value)

/** Reads a value at a path of keys. */
type SettingReader = (file: string, ...path: readonly string[]) => Json | undefined

/**
 * Reads values of settings as their agents do: a file that does not parse holds nothing.
 *
 * @param textOf returns `undefined` for a file that is missing or cannot be read
 */
export const settingsValues = (
  textOf: (file: string) => string | undefined,
): { readonly json: SettingReader; readonly toml: SettingReader } => ({
  json: (file, ...path) => valueIn(textOf(file), parse, path),
  toml: (file, ...path) => valueIn(textOf(file), parseToml, path),
})

function valueIn(
  text: string | undefined,
  parser: (text: string) => unknown,
  path: readonly string[],
): Json | undefined {
  if (text === undefined) return undefined
  try {
    return Json.safeParse(path.reduce(memberOf, parser(text))).data
  } catch {
    return undefined
  }
}

const memberOf = (value: unknown, key: string): unknown =>
  isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
