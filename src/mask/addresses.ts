import type { SecretPlace } from './place.ts'
import { randomValueAt, restAt } from './value.ts'

const restOfUserInfo = /[^\s/"'`]*(?=@)/y
const restOfPath = /[\w@/.%-]*/y

/** Parts of URLs that are secret. */
export const secretParts: readonly SecretPlace[] = [
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
