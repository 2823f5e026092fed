import { maskArguments } from './arguments.ts'
import { maskForms } from './forms.ts'
import {
  isAt,
  looksRandom,
  maskAt,
  type MaskReach,
  randomValueAt,
  restAt,
  type SecretPlace,
  type SecretSeen,
  type SecretSpan,
  valueAt,
} from './value.ts'

/**
 * Replaces everything that looks like a secret by `***`, and keeps what is around it. Masking is for our own records and
 * traces; it is a courtesy to the reader of a log, not a boundary. A text never gets longer, and what is masked stays
 * as it is if it is masked again.
 *
 * Mask before cutting: half a secret is not recognized.
 *
 * @param seen gets what is masked
 * @param reach `value` only where what the mask leaves of a command was compared with it: see `gate/shown-text.ts`
 */
export function maskSecrets(text: string, reach: MaskReach = 'part', seen?: SecretSeen): string {
  let masked = maskForms(text, reach, seen)
  if (reach === 'token') return masked
  if (text.includes('://')) masked = secretParts.reduce((part, place) => maskAt(part, place, reach, seen), masked)
  masked = maskAt(masked, passwordLine, reach, seen)
  masked = maskAt(masked, namedSecrets, reach, seen)
  return maskArguments(masked, reach, seen)
}

/** A line of `.pgpass`: host, port, database and user, before the password. */
const passwordLine: SecretPlace = {
  before: /^[\w.*-]{1,100}:(?:\d{2,5}|\*):[^:\s]{1,60}:[^:\s]{1,60}:(?=\S)/gm,
  valueAt: randomValueAt,
}

const restOfUserInfo = /[^\s/"'`]*(?=@)/y
const restOfPath = /[\w@/.%-]*/y

/** Parts of URLs that are secret. */
const secretParts: readonly SecretPlace[] = [
  // `https://user:password@host`, and `https://token@host`.
  { before: /:\/\/[^\s/:@"'`]*:/g, valueAt: (text, index) => restAt(text, index, restOfUserInfo) },
  { before: /:\/\/(?=[^\s/:@"'`]{16,300}@)/g, valueAt: randomValueAt },
  // Whoever knows such an address may post to it: Slack, Discord, Teams, Zapier, Telegram.
  {
    before:
      /hooks\.slack\.com\/(?:services|workflows|triggers)\/|discord(?:app)?\.com\/api\/(?:v\d{1,2}\/)?webhooks\/\d{1,20}\/|webhook\.office\.com\/webhookb2\/|hooks\.zapier\.com\/hooks\/catch\/|\/bot\d{8,10}:(?=AA)/g,
    valueAt: (text, index) => restAt(text, index, restOfPath),
  },
]

/**
 * Masks the beginning of a text, of which `max` characters are to be shown. A longer part is masked than is returned,
 * since a secret that is cut in half is not recognized.
 */
export function maskedBeginning(text: string, max: number, reach: MaskReach = 'part'): string {
  if (text.length <= max + secretCharactersMax) return maskSecrets(text, reach)
  const masked = maskSecrets(text.slice(0, max + secretCharactersMax), reach)
  return masked.slice(0, Math.max(masked.length - secretCharactersMax, 0))
}
/** The length up to which a secret across the cut is still recognized: tokens with many claims have thousands. */
const secretCharactersMax = 16_384

/** Returns whether a field is secret as a whole, for its name: `{"password": "two words"}`. */
export function isSecretField(name: string, value: string): boolean {
  return isSecretName(name) || (isRandomName(name) && looksRandom(value))
}

/** Ends of names whose values are always secret. */
const secretName = [
  'pass(?:word|wd|phrase|code)|passwort|secret|token|authorization|mnemonic|storepass|keypass',
  'pass(?<=[\\w./-]pass)(?<!(?:by|com|tres|sur|over|under)pass)|pass(?= ?=)',
  '(?:api|access|secret|account|encryption|signing|master|auth|subscription|license)[_. -]?key',
  'pwd(?:(?<=[_-]pwd)|(?==(?![/~.$])))|otp(?<=[_-]otp)|psk|auth(?:(?<=_auth)|(?<="auth)(?=\\\\{0,3}"))',
].join('|')

/** Ends of names whose values are secret if they look random. */
const randomName =
  'key|auth|credentials?|sig(?:nature)?|session(?:[_-]?id)?|sess|sid|jwt|code|cookie|dsn|hmac|webhook(?:[_-]?url)?|bearer'

const suffix =
  '(?:[_-]?(?:value|base|b64|base64|data|text|plain|plaintext|string|prod|production|live|dev|staging|\\d{1,3}))?'

const type = '(?::[ \\t]{0,4})?(?:string|str|&str|optional\\[str\\]|secretstr|bytes)[ \\t]{0,4}(?==)'

/** Matches what assigns a value: `=`, `": "`, `'] = `, `: str = `, `" value=`, `%3D`, `: |` and a line break. */
const assignment =
  `\\\\{0,3}["'\`]?\\]?\\??[ \\t]{0,8}(?:${type})?(?:=>|={1,3}|[+?:]=|:(?![:?])|%3d|(?<=["'][ \\t]{1,8})value=)` +
  '[ \\t]{0,8}(?:[|>][+-]?(?:\\r?\\n|\\\\{1,2}n)[ \\t]{1,40})?'

/** Matches what is before a name whose value is the next argument. */
const option = /(?:^|[\s"'])--?[\w-]{0,40}$/
const setting =
  /(?:^|[^\w-])(?:(?:configure|config|env)[ :]set|setx|setenv|env|poetry config)[ \t]+(?:--\w+[ \t]+)?["']?[\w.:/@-]*$/i
const beginningOfTag = /<[\w:.-]{0,40}$/
/** A line may be one of a text that is escaped, as in JSON. */
const beginningOfLine = /(?:^|\n|(?<escaped>\\n))[ \t]{0,40}(?:- )?["']?[\w.-]{0,60}$/
/** How much is looked at before a name. */
const contextCharacters = 120

const wholeLine = /[^\r\n]*/y
const escapedLine = /[^\r\n"\\]*/y
const restOfHeader = /[^\r\n"'\\]*/y
const restOfElement = /[^<]*/y
const cookiePair = /[^\s=;"']{1,100}=/y
const severalWords = /[^\s"'`|>[{&*][^\s"'`]*[ \t]/y

/** Values with the name of a secret: assignments, fields, elements, headers, options. */
const namedSecrets: SecretPlace = {
  before: new RegExp(
    `(?:(?<secret>${secretName})|(?<random>${randomName}))${suffix}(?:(?<assignment>${assignment})|["']?(?<space>[ \\t]{1,8}(?![-<>|&]))|(?<tag>>))`,
    'gi',
  ),
  valueAt(text, index, { index: start, groups = {} }) {
    const { secret, random, assignment: assigned, space } = groups
    const lead = text.slice(Math.max(0, start - contextCharacters), start)
    if (assigned !== undefined) return assignedAt(text, index, lead, groups)
    if (space !== undefined) {
      if (random !== undefined) return isBearer(random) || option.test(lead) ? randomValueAt(text, index) : undefined
      return option.test(lead) || setting.test(lead) ? valueAt(text, index) : undefined
    }
    return secret !== undefined && beginningOfTag.test(lead) ? restAt(text, index, restOfElement) : undefined
  },
}
const isBearer = (name: string) => name.toLowerCase() === 'bearer'

function assignedAt(
  text: string,
  index: number,
  lead: string,
  { random, assignment: assigned = '' }: Readonly<Record<string, string | undefined>>,
): SecretSpan | undefined {
  if (random === undefined) {
    // A line of a file may have a value of several words, which is in no quotes.
    const line = /[:= ][ \t]$/.test(assigned) ? beginningOfLine.exec(lead) : null
    if (line === null || !isAt(severalWords, text, index)) return valueAt(text, index)
    return restAt(text, index, line.groups?.['escaped'] === undefined ? wholeLine : escapedLine)
  }
  if (random.toLowerCase() !== 'cookie') return randomValueAt(text, index)
  const quote = /^\\{0,3}["']/.exec(text.slice(index, index + 4))?.[0] ?? ''
  const isHeader = assigned.includes(':') && isAt(cookiePair, text, index + quote.length)
  return isHeader ? restAt(text, index + quote.length, restOfHeader) : randomValueAt(text, index)
}

const wholeSecretName = new RegExp(`(?:${secretName}|cookie)${suffix}$`, 'i')
const wholeRandomName = new RegExp(`(?:${randomName})${suffix}$`, 'i')

/** Returns whether a value of this name is always secret: `password`, `authorization`. */
export const isSecretName = (name: string) => wholeSecretName.test(name)

/** Returns whether a value of this name is secret if it looks random: `STRIPE_KEY`. */
const isRandomName = (name: string) => wholeRandomName.test(name)
