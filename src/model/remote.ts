import { z } from 'zod'
import { OnFailure } from './effect.ts'
import {
  type HeaderValue as Header,
  absolutePath,
  HeaderValue,
  SecretPlace,
  wrongHeaders,
  wrongUrl,
} from './export-settings.ts'
import { withoutEnd } from './text.ts'

/** Settings of a server that is asked about calls. */
export const serverKeys = {
  url: z.string().describe('The server’s base URL.'),
  token: SecretPlace.optional().describe('Where the bearer token is. A file is read for each request.'),
  headers: z.record(z.string(), HeaderValue).optional().describe('Headers of every request.'),
  ca: absolutePath.optional().describe('A PEM file with the authority that has signed the server’s certificate.'),
  cert: absolutePath.optional().describe('A PEM file with the certificate by which this machine proves itself.'),
  key: absolutePath.optional().describe('A PEM file with the key of `cert`.'),
  insecure: z.boolean().optional().describe('Allow `http:` to another machine: everybody on the way can read it.'),
}

interface ServerEntry {
  readonly url: string
  readonly insecure?: boolean | undefined
  readonly headers?: Readonly<Record<string, Header>> | undefined
  readonly cert?: string | undefined
  readonly key?: string | undefined
}

/** Reports what a schema by itself cannot: a URL that is none, a header that is none, a certificate without its key. */
export function checkServer(
  { url, insecure = false, headers = {}, cert, key }: ServerEntry,
  context: z.core.$RefinementCtx,
): void {
  const wrong = wrongUrl(url, insecure, 'https://decisions.example.com')
  if (wrong !== undefined) context.addIssue({ code: 'custom', path: ['url'], ...wrong })
  for (const wrongName of wrongHeaders(headers)) context.addIssue({ code: 'custom', ...wrongName })
  if ((cert === undefined) === (key === undefined)) return
  const params = { remedy: 'name both, or neither' }
  context.addIssue({ code: 'custom', message: '`cert` and `key` belong together', params })
}

/** `remote` in a rules file: the gate elsewhere that decides beside the rules here. */
export const RemoteEntry = z
  .strictObject({
    ...serverKeys,
    timeout: z.number().positive().max(30).optional().describe('Seconds until the rules here decide. Default: 0.15.'),
    onUnreachable: z
      .strictObject({
        write: OnFailure.optional().describe('Of calls that may change something. Default: `block`.'),
        read: OnFailure.optional().describe('Of calls that only read, and of prompts. Default: `continue`.'),
      })
      .optional()
      .describe(
        'What becomes of calls while the server does not answer, where the file’s own authority has no rules here.',
      ),
  })
  .superRefine(checkServer)
export type RemoteSettings = Readonly<z.infer<typeof RemoteEntry>>

/** A server and the means to reach it. Files are absolute paths. */
export interface Server {
  readonly url: string
  readonly headers: Readonly<Record<string, Header>>
  readonly token: Exclude<Header, string> | undefined
  readonly ca: string | undefined
  readonly cert: string | undefined
  readonly key: string | undefined
}

/** Returns the server that settings name. */
export function serverIn({ url, headers = {}, token, ca, cert, key }: Readonly<ServerKeys>): Server {
  return { url: withoutEnd(url, '/'), headers, token, ca, cert, key }
}
type ServerKeys = Omit<RemoteSettings, 'timeout' | 'onUnreachable' | 'insecure'>

/** Whom a decision point is asked about. */
export const PdpSubject = z.strictObject({ type: z.string().min(1), id: z.string().min(1) })
export type PdpSubject = Readonly<z.infer<typeof PdpSubject>>
