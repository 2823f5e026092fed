import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { bundleError } from '../../../bundle/bundle-error.ts'
import type { Repository } from '../../../bundle/team/repository.ts'
import type { Signing } from '../../../bundle/team/roles.ts'
import { ChannelName } from '../../../model/bundle-settings.ts'
import { errorText } from '../../../model/errors.ts'
import { limits } from '../../../model/limits.ts'
import { quoted } from '../../../model/text.ts'
import { type Invocation, usage } from '../../command.ts'

/** The flags of every command that signs. */
export const signingFlags = {
  keys: { type: 'string' },
  'passphrase-file': { type: 'string' },
  json: { type: 'boolean' },
} as const

interface SigningValues {
  readonly keys?: string
  readonly 'passphrase-file'?: string
}

/** Returns where the keys are, and the passphrase: a file or a variable, since others can read a command line. */
export function signingOf(values: SigningValues, { env, cwd }: Pick<Invocation, 'env' | 'cwd'>): Signing {
  if (values.keys === undefined) throw usage('--keys names the folder of the keys', 'bundle')
  const file = values['passphrase-file']
  const variable = env['HOOKGATE_BUNDLE_PASSPHRASE']
  const passphrase = file === undefined ? variable : passphraseIn(resolve(cwd, file))
  return { keys: resolve(cwd, values.keys), passphrase: passphrase === '' ? undefined : passphrase, nowMs: Date.now() }
}

function passphraseIn(file: string): string {
  try {
    const text = readFileSync(file, 'utf8').replace(/\r?\n$/, '')
    if (text !== '' && text.length <= limits.bundleKeyBytesMax) return text
  } catch (error) {
    throw bundleError('bundleKey', `the passphrase cannot be read: ${errorText(error)}`, 'name another file', file)
  }
  throw bundleError('bundleKey', 'there is no passphrase in it', 'write one line of text into it', file)
}

/** Returns the repository that the first word names. */
export function repositoryAt(words: readonly string[], cwd: string, action: string): Repository {
  const [folder] = words
  if (folder === undefined) throw usage(`bundle ${action} needs the folder of the repository`, 'bundle')
  return { folder: resolve(cwd, folder) }
}

/** Returns the names of channels. @throws HookgateError `usage` */
export function channelsOf(names: readonly string[]): readonly string[] {
  for (const name of names) {
    const checked = ChannelName.safeParse(name)
    if (!checked.success) throw usage(`the channel ${quoted(name)} ${checked.error.issues[0]?.message ?? ''}`, 'bundle')
  }
  return names
}

export function channelOf(name: string | undefined): string {
  if (name === undefined) throw usage('--channel names the channel', 'bundle')
  return channelsOf([name])[0] ?? name
}

/** Returns a whole number in a range. @throws HookgateError `usage` */
export function wholeOf(flag: string, text: string | undefined, [min, max]: readonly [number, number]) {
  if (text === undefined) return undefined
  const number = Number(text)
  if (/^\d+$/.test(text) && number >= min && number <= max) return number
  throw usage(`--${flag} must be a whole number from ${min} to ${max}, not ${quoted(text)}`, 'bundle')
}
