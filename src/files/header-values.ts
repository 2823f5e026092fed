import { readFileSync } from 'node:fs'
import { errorText } from '../model/errors.ts'
import type { HeaderValue } from '../model/export-settings.ts'

/** Returns the headers; or a text that says which one is missing. Values are never part of it. */
export function headerValues(
  headers: Readonly<Record<string, HeaderValue>>,
  env: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> | string {
  const values: Record<string, string> = {}
  for (const [name, one] of Object.entries(headers)) {
    const value = valueOf(one, env)
    if (typeof value !== 'string') return `the header \`${name}\`: ${value.why}`
    if (value === '' || !/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) {
      return `the header \`${name}\`: its value is empty, or has characters that no header can have`
    }
    values[name] = value
  }
  return values
}

function valueOf(
  one: HeaderValue,
  env: Readonly<Record<string, string | undefined>>,
): string | { readonly why: string } {
  if (typeof one === 'string') return one
  if ('env' in one) {
    return env[one.env] ?? { why: `the gate has no variable \`${one.env}\`; one in the background needs a \`file\`` }
  }
  try {
    return readFileSync(one.file, 'utf8').trim()
  } catch (error) {
    return { why: errorText(error) }
  }
}

/** Returns a secret from the place that a rules file names. @throws if it is not there */
export function secretValue(
  place: Exclude<HeaderValue, string>,
  env: Readonly<Record<string, string | undefined>>,
): string {
  const value = valueOf(place, env)
  if (typeof value !== 'string') throw new Error(value.why)
  return value
}
