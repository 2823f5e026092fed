import { soundsSecret } from '../../words/secret-names.ts'
import type { DeedCondition } from './deeds.ts'

/** True unless values are asked for by name, none of which sounds like a secret. */
export const namesSecrets: DeedCondition = (_, { words }) => {
  const names = words.slice(1)
  return names.length === 0 || names.some(({ text, unknown }) => unknown || soundsSecret(text))
}
