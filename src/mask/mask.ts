import { maskArguments } from './arguments.ts'
import { maskForms } from './forms.ts'
import { isRandomName, isSecretName, namedSecrets } from './names.ts'
import { type MaskReach, maskAt, type SecretPlace } from './place.ts'
import { looksRandom, randomValueAt, restAt } from './value.ts'

/**
 * Replaces everything that looks like a secret by `***`, and keeps what is around it. Masking is for our own records and
 * traces; it is a courtesy to the reader of a log, not a boundary. A text never gets longer, and what is masked stays
 * as it is if it is masked again.
 *
 * Mask before cutting: half a secret is not recognized.
 *
 * @param reach `value` only where what the mask leaves of a command was compared with it: see `gate/shown-text.ts`
 */
export function maskSecrets(text: string, reach: MaskReach = 'part'): string {
  let masked = maskForms(text, reach)
  if (reach === 'token') return masked
  if (text.includes('://')) masked = secretParts.reduce((part, place) => maskAt(part, place, reach), masked)
  masked = maskAt(masked, namedSecrets, reach)
  return maskArguments(masked, reach)
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
