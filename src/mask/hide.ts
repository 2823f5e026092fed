import { isJsonObject, type Json } from '../model/json.ts'
import { serviceOf } from './forms.ts'
import { isSecretName, maskSecrets } from './mask.ts'
import { hasRandomPart } from './random.ts'
import { looksRandom } from './value.ts'
import { isMediaField } from './withhold.ts'

// Hides secrets in what a tool has returned, before a model reads it. The masks of our own records may hide too much,
// which costs a reader nothing; what is hidden from a model breaks its work. So fewer values count as secrets here.

/** The beginning of each mask, by which one is known that comes back in a call. */
const hiddenMark = '[hidden by hookgate: '

/**
 * An output that secrets are hidden in, in UTF-16 units: what is beyond is left out, and said. Agents show models a
 * quarter of it, and a policy may answer with as much. Attack: `hidden-outputs`.
 */
export const outputCharactersMax = 400_000
/** Different secrets of one text of an output: with more, all of it is hidden. Attack: `hidden-outputs`. */
export const hiddenValuesMax = 200

/** What a call says about the secrets of its output. */
export interface OutputSource {
  /** Whether the call is one that shows secrets, such as of an environment: then names are enough. */
  readonly showsSecrets: boolean
  /** Values of files that the call has read, where they are known. */
  readonly values: readonly { readonly name: string; readonly value: string; readonly file: string }[]
  /** The file that the call has read, if there is one. */
  readonly file?: string | undefined
  /** The command, if it is the only one and has no text that was quoted. */
  readonly command?: string | undefined
  /** Whether the names in the output are those of the command's environment. */
  readonly listsVariables?: boolean
}

/** An output without its secrets, and what each of them was. */
export interface HiddenOutput {
  readonly output: Json
  readonly hidden: readonly string[]
}

/** Hides the secrets of an output, whose structure stays. Returns `undefined` if there are none. */
export function hideSecrets(output: Json, source: OutputSource): HiddenOutput | undefined {
  const hidden: string[] = []
  let left: number = outputCharactersMax
  const textOf = (text: string, field: string): string => {
    const cut = text.slice(0, Math.max(0, left))
    left -= cut.length
    const shown = hiddenIn(cut, field, source, hidden)
    if (cut.length === text.length) return shown
    hidden.push('what is too long to be looked through')
    return `${shown}${hiddenMark}${text.length - cut.length} more characters, since an output is looked through for secrets up to ${outputCharactersMax}; ask for less]`
  }
  const valueOf = (value: Json, field: string): Json => {
    if (typeof value === 'string') return textOf(value, field)
    if (Array.isArray(value)) return value.map((one: Json) => valueOf(one, field))
    if (!isJsonObject(value)) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) => [textOf(key, ''), isMediaField(value, key) ? one : valueOf(one, key)]),
    )
  }
  const changed = valueOf(output, '')
  return hidden.length === 0 ? undefined : { output: changed, hidden: [...new Set(hidden)] }
}

/** A secret in a text. */
interface HiddenSpan {
  readonly start: number
  readonly end: number
  readonly mask: string
}

function hiddenIn(whole: string, field: string, source: OutputSource, hidden: string[]): string {
  // Colours of a terminal may stand before a secret or in it; a model has no use for them.
  const text = whole.replaceAll(colour, '')
  const known = new Map(source.values.map((one) => [one.value, one]))
  const candidates = new Set([...known.keys()].filter((value) => text.includes(value)))
  const isWhole = isSecretName(field) && !isPaging(field)
  if (isWhole && (source.showsSecrets || hasRandomPart(text)) && !isExample(text)) candidates.add(text)
  const look = (value: string) => {
    // A value that holds what was masked before: its parts. A block without an end is the rest of the text.
    const own = value.startsWith('-----BEGIN') ? (keyLines.exec(value)?.[0] ?? '') : value
    for (const part of own.split('***')) if (part.trim().length >= secretCharactersMin) candidates.add(part.trim())
  }
  maskSecrets(text, 'value', look)
  if (text !== whole) maskSecrets(whole.replaceAll(colour, ' '), 'value', look)
  if (candidates.size === 0) return whole
  if (candidates.size > hiddenValuesMax) {
    hidden.push(`more than ${hiddenValuesMax} secrets`)
    return `${hiddenMark}a text with more than ${hiddenValuesMax} secrets]`
  }
  const spans: HiddenSpan[] = []
  // The longest first: one may be a part of another.
  for (const value of [...candidates].toSorted((a, b) => b.length - a.length)) {
    const own = known.get(value)
    for (let start = text.indexOf(value); start !== -1; start = text.indexOf(value, start + value.length)) {
      const end = start + value.length
      if (spans.some((span) => start < span.end && end > span.start)) continue
      const name = own?.name ?? (isWhole && value === text ? field : nameBefore(text, start))
      const kind = own === undefined ? kindOf(value, text, start, name, source) : (serviceText(value) ?? 'secret')
      if (kind === undefined) continue
      hidden.push(kind)
      spans.push({ start, end, mask: `${hiddenMark}${kind}${wayTo(text, value, name, own?.file, source)}]` })
    }
  }
  if (spans.length === 0) return whole
  let shown = text
  for (const { start, end, mask } of spans.toSorted((a, b) => b.start - a.start))
    shown = shown.slice(0, start) + mask + shown.slice(end)
  return shown
}
const secretCharactersMin = 4
// oxlint-disable-next-line no-control-regex -- what a program sends to a terminal
const colour = /\u001b\[[\d;:]{0,40}[A-Za-z]/g
/** A private key with at least one line, in a file or in a text that is escaped or quoted line by line. */
const keyLines =
  /^-----BEGIN [A-Z0-9 ]*-----(?:\s|\\[nr]|["'+,]|[A-Za-z-]{4,20}: [^\n\\]{1,80}){1,200}[A-Za-z0-9+/]{40}(?:[A-Za-z0-9+/=\s"',]|\\[nr])*(?:-----END [A-Z0-9 ]*-----)?/

/** Returns what a value is, if it is a secret where it stands. */
function kindOf(
  value: string,
  text: string,
  start: number,
  name: string,
  { showsSecrets }: OutputSource,
): string | undefined {
  if (isExample(value) || isCode.test(value)) return undefined
  const service = serviceText(value)
  if (service !== undefined) return isInBlob(text, start, value.length) ? undefined : service
  if (/Private-Lines: \d{1,4}\s{1,4}$/.test(text.slice(Math.max(0, start - 30), start))) return 'private key'
  if (/:\/\/[^\s/:@"'`]*:$/.test(text.slice(Math.max(0, start - 200), start)))
    return hasRandomPart(value) || showsSecrets ? 'password of an address' : undefined
  if (isPaging(name)) return undefined
  if (isSecretName(name)) return hasRandomPart(value) || showsSecrets ? `value of ${name}` : undefined
  const isVariable = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/.test(name)
  return looksRandom(value) && (isVariable || showsSecrets) ? (name === '' ? 'secret' : `value of ${name}`) : undefined
}

function serviceText(value: string): string | undefined {
  if (value.startsWith('-----BEGIN')) return 'private key'
  const service = serviceOf(value)
  return service === undefined || !hasRandomPart(value) ? undefined : `${service} token`
}

/** Says how the value can be used by a command without being seen. */
function wayTo(text: string, value: string, name: string, ownFile: string | undefined, source: OutputSource): string {
  const { command, file, listsVariables } = source
  const variable = /^[A-Za-z_]\w{0,79}$/.test(name) ? name : undefined
  const from = ownFile ?? file
  if (variable !== undefined && from !== undefined && isEnvFile(from)) return `; load ${from} and use $${variable}`
  if (variable !== undefined && listsVariables === true) return `; use $${variable}`
  if (from !== undefined && plainName.test(from)) return `; have a command read it from ${from}`
  return command !== undefined && text.trim() === value && plainName.test(command) ? `; use $(${command})` : ''
}

/** Characters that mean nothing to JSON, a shell or the mask itself. */
const plainName = /^[\w ./:=@~+-]{1,100}$/
export const isEnvFile = (path: string): boolean => /(?:^|[/\\])(?:\.env(?:\.[\w-]+)*|[\w-]+\.env|\.envrc)$/.test(path)

/** Returns the name whose value begins at an index: `NAME=`, `"name": "`, `Authorization: Bearer `. */
function nameBefore(text: string, start: number): string {
  const lead = text.slice(Math.max(0, start - 160), start)
  return (
    /(?<![\w.-])([A-Za-z_][\w.-]{0,79})\\{0,3}["'`]?\]?[ \t]{0,8}(?:=>|={1,3}|[+?:]?=|:|%3d|[ \t])\s{0,8}\\{0,3}["'`]?(?:(?:bearer|basic|token)[ \t]+)?$/i.exec(
      lead,
    )?.[1] ?? ''
  )
}

/** An expression that has the place of a value in a program: `base64.encode(…)`, `Usage.CLIENT_AUTH`. */
const isCode = /^[A-Za-z_]\w{0,60}(?:\.[A-Za-z_]\w{0,60}){0,8}(?:\(|$)(?<=\(|\..*)/

/** Names of tokens that are no secret and that the next call needs: of the next page, of a form, of a change. */
const isPaging = (name: string): boolean =>
  /(?:page|next|prev(?:ious)?|cursor|continu\w*|pagination|sync|delta|resume|scroll|csrf|xsrf|idempotency|cancel\w*|upload|consistency|change|start|shard|query|request)[_-]?token$/i.test(
    name,
  )

/** Values that documentation and tests have in the place of a secret. */
const isExample = (value: string): boolean =>
  /example|placeholder|change[-_]?me|dummy|sample|fake|redacted|your[-_]|x{4}|\*{3}|\.{3}|01234567|12345678|abcdef|deadbeef|SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c/i.test(
    value,
  )

/** Base64 of files has everything in it by accident. No token has so many characters without another one. */
const blobCharactersMin = 300

function isInBlob(text: string, start: number, length: number): boolean {
  const words = text.slice(Math.max(0, start - blobCharactersMin), start).split(/[^A-Za-z0-9+/]/)
  const before = words.at(-1) ?? ''
  const after = /^[A-Za-z0-9+/=]*/.exec(text.slice(start + length, start + length + blobCharactersMin))?.[0] ?? ''
  return before.length + length + after.length >= blobCharactersMin && /[+/]/.test(before + after)
}
