import { isSecretField, maskSecrets } from '../../mask/mask.ts'
import type { Environment } from '../../model/node-environment.ts'

/** Characters of a value that are checked, UTF-16 units: forms of secrets show at the beginning. */
const lookedAtCharacters = 2000

/** Variables that name a program or switch something, whatever their name says, and the key of an editor's own socket. */
const isPlainName = /askpass$|^vscode_/i
const isSwitch = /^(?:true|false|yes|no|on|off|null|none|\d{1,3})?$/i

/**
 * Lists the names of an environment's variables that hold a secret, as far as the name or the value says so, in the order
 * of the alphabet. No value is returned, nor a part of one.
 */
export const secretVariables = (env: Environment): readonly string[] =>
  Object.entries(env)
    .flatMap(([name, value]) => (/^\w+$/.test(name) && value !== undefined && isSecret(name, value) ? [name] : []))
    .toSorted()

function isSecret(name: string, value: string): boolean {
  if (isPlainName.test(name) || isSwitch.test(value)) return false
  const beginning = value.slice(0, lookedAtCharacters)
  return isSecretField(name, beginning) || maskSecrets(beginning) !== beginning
}
