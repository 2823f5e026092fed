import { type ShellCommand, soundsSecret } from 'hookgate/policy'

const readers = /^(?:jq|jaq|gojq|yq)$/
/** The last step of a program that puts out names, numbers, or what is no value of a secret. */
const harmless =
  /^(?:(?:keys|keys_unsorted)(?:\[\])?|length|(?:\.items\[\d*\])?\.(?:metadata(?:\.(?:name|namespace|uid|creationTimestamp|labels[\w.]*))?|type|kind|apiVersion))\??$/

/** True for a name whose value may have a secret in it: an address as well, in front of whose host a password may stand. */
const mayHaveSecret = (name: string): boolean => soundsSecret(name) || /ur[il]|jwt|cookie/i.test(name)

/** True if a filter puts out no value of what it reads: only what comes last in its program is put out. */
export function picksNone({ program, output, args }: ShellCommand): boolean {
  if (output === 'counts') return true
  const words = args.map(({ value }) => value)
  const text = !readers.test(program) ? undefined : words.find((word) => !word.startsWith('-') && word !== '')
  return text !== undefined && putsOutNone(text)
}

function putsOutNone(text: string): boolean {
  const last = (partsOf(text, '|').at(-1) ?? '').trim()
  const inside = /^[[(]([^]*)[\])]$/.exec(last)?.[1]
  if (inside !== undefined) return putsOutNone(inside)
  return partsOf(last, ',').every((one) => (one.trim() === last ? harmless.test(last) : putsOutNone(one)))
}

/** Splits a program where a sign stands outside of its strings and brackets. A string that nothing closes is the rest. */
function partsOf(text: string, sign: string): readonly string[] {
  const parts = ['']
  let depth = 0
  for (const [token] of text.matchAll(/"(?:\\.|[^"\\])*"|"[^]*|[^]/g)) {
    if (/^[[({]$/.test(token)) depth++
    if (/^[\])}]$/.test(token)) depth--
    if (token === sign && depth === 0) parts.push('')
    else parts[parts.length - 1] += token
  }
  return parts
}

/** Options of a search that change nothing of which lines it shows, or show less of them. */
const plainly = /^-[EPinohH]+$|^--(?:ignore-case|only-matching|extended-regexp|perl-regexp)$/

/** True if a search shows only variables that it names, none of which sounds like a secret: `grep -E '^(PORT|HOST)='`. */
export function picksPlain({ program, args }: ShellCommand): boolean {
  const picked = /^(?:g|m)?awk$/.test(program) && /^\/\^(\w+)=?\/ *\{[^{}]*\}$/.exec(args.at(-1)?.value ?? '')?.[1]
  if (picked !== false && picked !== undefined) return !mayHaveSecret(picked)
  if (!/^(?:[ef]?grep|rg|ag)$/.test(program) || args.some((word) => word.unresolved === true)) return false
  const words = args.map(({ value }) => value).filter((word) => !plainly.test(word))
  const names = (words[0] ?? '').replaceAll(/\\?[()]|\\b|\\?\?:|\^|=?\.\*|=$|\$$/g, '').split(/\\?\|/)
  return (
    words.length === 1 &&
    names.every((name) => /^[a-z]\w{2,}=?$/i.test(name) && !/^https?/i.test(name) && !mayHaveSecret(name))
  )
}
