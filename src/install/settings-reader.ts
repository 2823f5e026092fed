import { existsSync } from 'node:fs'
import { parse } from 'jsonc-parser'
import { parse as parseTomlText, stringify as stringifyToml } from 'smol-toml'
import { z } from 'zod'
import type { SettingsReader } from '../agents/install.ts'
import { Json } from '../model/json.ts'
import { lookAt } from './files/look-at.ts'

/** Parses TOML. @throws an error that says what is wrong */
export const parseToml = (text: string): Json => Json.parse(parseTomlText(text))

export const tomlText = (value: object): string => stringifyToml(value)

/** Reads settings as their agents do: a file that does not parse holds nothing. */
export const settings: SettingsReader = {
  exists: existsSync,
  text: textOf,
  json: (file, ...path) => valueIn(file, parse, path),
  toml: (file, ...path) => valueIn(file, parseToml, path),
}

function valueIn(file: string, parser: (text: string) => unknown, path: readonly string[]): Json | undefined {
  const text = textOf(file)
  if (text === undefined) return undefined
  try {
    return Json.safeParse(path.reduce(memberOf, parser(text))).data
  } catch {
    return undefined
  }
}

const Members = z.record(z.string(), z.unknown())
const memberOf = (value: unknown, key: string) => Members.safeParse(value).data?.[key]

function textOf(file: string): string | undefined {
  try {
    return lookAt(file, undefined).present?.bytes.toString()
  } catch {
    return undefined
  }
}
