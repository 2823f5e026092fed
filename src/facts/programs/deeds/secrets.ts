import { soundsSecret } from '../../../words/names.ts'
import type { DeedCondition } from './deeds.ts'

/** True if a command may read a secret: it names a value that sounds like one, or names no value. */
export const namesSecrets: DeedCondition = (_, { words }) => {
  const names = words.slice(1)
  return names.length === 0 || names.some(({ text, unknown }) => unknown || soundsSecret(text))
}
