import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  scryptSync,
  sign,
} from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { entryNames, makeFolders } from '../../files/entries.ts'
import { makePrivate, readPrivate } from '../../files/private-folder.ts'
import { codeOf } from '../../model/errors.ts'
import { whyFailed } from '../../files/disk.ts'
import { limits } from '../../model/limits.ts'
import { bundleError } from '../names.ts'
import { sha256Of } from '../../files/digest.ts'

/** A public key as TUF's metadata has it. */
export interface PublicKey {
  readonly keyid: string
  readonly json: {
    readonly keytype: 'ed25519'
    readonly scheme: 'ed25519'
    readonly keyval: { readonly public: string }
  }
}

/** A key that can sign. */
export interface SigningKey extends PublicKey {
  sign(bytes: Uint8Array): string
}

const KeyFile = z.strictObject({
  format: z.literal(1),
  role: z.string(),
  keyid: z.string(),
  public: z.string().regex(/^[0-9a-f]{64}$/),
  /** PKCS #8, encrypted if there is a `salt`. */
  private: z.string(),
  salt: z.string().optional(),
})

/**
 * Returns the path of a role's key file: in a folder of its own, to be given to whom it is for, or among others. The root
 * has several keys, whose roles end in a number.
 */
export function keyFile(folder: string, role: string): string {
  const among = join(folder, `${role}.key.json`)
  return existsSync(among) ? among : join(folder, role, `${role}.key.json`)
}

/** Returns the roles whose keys are in a folder. */
export const rolesIn = (folder: string): readonly string[] =>
  [...new Set(entryNames(folder).map((name) => name.replace(/\.key\.json$/, '')))].filter((role) =>
    existsSync(keyFile(folder, role)),
  )

/** Returns whether a key of the folder can be read with a passphrase only. */
export const isAnyEncrypted = (folder: string): boolean =>
  rolesIn(folder).some((role) => {
    try {
      return KeyFile.parse(JSON.parse(readFileSync(keyFile(folder, role), 'utf8'))).salt !== undefined
    } catch {
      return false
    }
  })

/** Makes a key and its file, which only its owner can read. @throws HookgateError `bundleKey` if the file exists */
export function makeKey(folder: string, role: string, passphrase: string | undefined): PublicKey {
  const file = keyFile(folder, role)
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const newKey = publicOf(publicKey)
  const salt = passphrase === undefined ? undefined : randomBytes(16).toString('hex')
  const text = privateKey.export({
    type: 'pkcs8',
    format: 'pem',
    ...(passphrase !== undefined && { cipher: 'aes-256-cbc', passphrase: stretched(passphrase, salt) }),
  })
  const content = { format: 1, role, keyid: newKey.keyid, public: newKey.json.keyval.public, private: text, salt }
  const isNew = orKeyError(file, 'the key cannot be written', 'name a folder that you can write', () => {
    makeFolders(dirname(file), 0o700)
    return makePrivate(file, `${JSON.stringify(content, undefined, 2)}\n`)
  })
  if (!isNew) throw bundleError('bundleKey', 'there is a key already', 'keep it, or name another folder', file)
  return newKey
}

/** Reads a role's key for signing. @throws HookgateError `bundleKey` */
export function readKey(folder: string, role: string, passphrase: string | undefined): SigningKey {
  const file = keyFile(folder, role)
  const remedy = 'take it from a copy, or give the role another key with `hookgate bundle keys --replace`'
  const text = orKeyError(file, 'the key cannot be read', 'run `chmod 600` on it if it is yours', () =>
    readPrivate(file, limits.bundleKeyBytesMax),
  )
  if (text === undefined) {
    throw bundleError('bundleKey', `there is no key for the role \`${role}\``, 'name its folder with `--keys`', file)
  }
  const content = orKeyError(file, 'the key is damaged', remedy, () => KeyFile.parse(JSON.parse(text)))
  const { salt } = content
  if (salt !== undefined && passphrase === undefined) {
    throw bundleError('bundleKey', 'the key is encrypted', 'name its passphrase with `--passphrase-file FILE`', file)
  }
  const keyRemedy = salt === undefined ? remedy : 'check the passphrase'
  const key = orKeyError(
    file,
    salt === undefined ? 'the key is damaged' : 'the key cannot be decrypted',
    keyRemedy,
    () =>
      createPrivateKey({
        key: content.private,
        ...(salt !== undefined && { passphrase: stretched(passphrase ?? '', salt) }),
      }),
    salt === undefined ? noKeyFile : 'it was made with another passphrase, or is damaged',
  )
  const derived = publicOf(createPublicKey(key))
  if (derived.keyid !== content.keyid || derived.json.keyval.public !== content.public || content.role !== role) {
    throw bundleError('bundleKey', `the key is not the one of \`${role}\` that its file names`, remedy, file)
  }
  return { ...derived, sign: (bytes) => sign(null, bytes, key).toString('hex') }
}

/** Makes a passphrase slow to guess: by the encryption of PKCS #8 alone, an attacker could try 100,000 a second. */
const stretched = (passphrase: string, salt = '') =>
  scryptSync(passphrase, Buffer.from(salt, 'hex'), 32, { N: 2 ** 15, maxmem: 64 * 1024 * 1024 }).toString('hex')

/** Returns a public key with its id: by TUF, the SHA-256 of the key's canonical JSON. */
function publicOf(key: KeyObject): PublicKey {
  const { x = '' } = key.export({ format: 'jwk' })
  const keyval = { public: Buffer.from(x, 'base64url').toString('hex') }
  const json = { keytype: 'ed25519', keyval, scheme: 'ed25519' } as const
  return { keyid: sha256Of(JSON.stringify(json)), json }
}

/** Runs an action. @throws HookgateError `bundleKey` in place of whatever the action throws */
function orKeyError<T>(file: string, message: string, remedy: string, action: () => T, unread = noKeyFile): T {
  try {
    return action()
  } catch (error) {
    // A schema's own message would be a page of JSON, and that of OpenSSL the name of one of its functions.
    const isUnread =
      error instanceof z.ZodError || error instanceof SyntaxError || codeOf(error)?.startsWith('ERR_OSSL') === true
    throw bundleError('bundleKey', `${message}: ${isUnread ? unread : whyFailed(error)}`, remedy, file)
  }
}
const noKeyFile = 'it is no key file'
