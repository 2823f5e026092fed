import { setOf, toolWords } from 'hookgate/policy'

/** Verbs that change something. */
const changing = setOf(
  'set put update create add edit patch modify apply change make grant enable disable remove delete share allow authorize attach configure'.split(
    ' ',
  ),
)
/** Verbs that take a guard away by themselves. */
const weakening = setOf('disable remove delete off unprotect bypass'.split(' '))
/** Names of settings that keep everybody from a thing. */
const guarding =
  /\b(?:(?:branch|deletion|tag) protection|rls|row(?: level)? security|firewall|public access block|mfa)\b/
/** Values that mean everybody. */
const everybody =
  /^(?:public|public-read(?:-write)?|0\.0\.0\.0\/0|::\/0|allusers|allauthenticatedusers|anyone|anyone_with_link)$/i
/** Fields that say who may. */
const who = /\b(?:acl|visibility|access|principal|members?|cidr|source|ranges?|role|entity|sharing)\b/
/** Fields whose `true` opens, and those whose `false` does. */
const opens = /\b(?:public|publicly accessible|allow force pushes|allow public access)\b/
const guards = /\b(?:private|rls(?: enabled)?|row level security|enforce admins|block public \w+|verify jwt)\b/

/** Returns true if a tool opens to everybody what was closed, by its verb, its object and its arguments. */
export function isOpening(parts: readonly string[], input: unknown): boolean {
  const name = parts.join(' ')
  if (guarding.test(name) && parts.some((part) => weakening.has(part))) return true
  return parts.some((part) => changing.has(part)) && opensIn(input, '', 0)
}

function opensIn(value: unknown, key: string, depth: number): boolean {
  if (depth > 8) return false
  if (value === true) return opens.test(key)
  if (value === false) return guards.test(key)
  if (typeof value === 'string') {
    if (/^\s*\{/.test(value)) return opensIn(parsed(value), key, depth + 1)
    return who.test(key) && (everybody.test(value) || (value === '*' && /principal|cidr/.test(key)))
  }
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) return value.some((one: unknown) => opensIn(one, key, depth + 1))
  return Object.entries(value).some(([name, one]) =>
    // `{ "Principal": { "AWS": "*" } }`: the inner name says only whose account.
    opensIn(one, name === 'AWS' ? key : toolWords(name).join(' '), depth + 1),
  )
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
