import { readFileSync } from 'node:fs'
import { X509Certificate } from 'node:crypto'
import { createSecureContext } from 'node:tls'
import { errorText, HookgateError } from '../../../model/errors.ts'

/** The files of a listener's TLS. */
export interface TlsFiles {
  readonly cert: string
  readonly key: string
  /** The authority whose certificates prove clients. */
  readonly clientCa: string | undefined
}

export interface TlsTexts {
  readonly cert: Buffer
  readonly key: Buffer
  readonly ca: Buffer | undefined
}

/** Reads the files. @throws HookgateError `usage` which names the one that cannot be used */
export function readTls({ cert, key, clientCa }: TlsFiles): TlsTexts {
  const texts = {
    cert: readPem('--tls-cert', cert),
    key: readPem('--tls-key', key),
    ca: clientCa === undefined ? undefined : readPem('--client-ca', clientCa),
  }
  try {
    createSecureContext(texts)
    // A file without a certificate is no mistake to OpenSSL: it would prove nobody.
    // oxlint-disable-next-line eslint/no-new -- it throws for what is none
    if (texts.ca !== undefined) new X509Certificate(texts.ca)
  } catch (cause) {
    throw new HookgateError('usage', `TLS cannot be set up with ${cert} and ${key}: ${errorText(cause)}`, {
      remedy: 'give a PEM certificate, its own key without a passphrase, and a PEM authority',
      cause,
    })
  }
  return texts
}

function readPem(flag: string, file: string): Buffer {
  try {
    return readFileSync(file)
  } catch (cause) {
    throw new HookgateError('usage', `${flag} cannot be read: ${errorText(cause)}`, { place: { file }, cause })
  }
}
