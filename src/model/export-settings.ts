import { z } from 'zod'

/** An absolute path, on any system. */
export const absolutePath = z
  .string()
  .regex(/^(?:\/|[A-Za-z]:[\\/]|\\\\)[^\0]+$/, { error: 'must be an absolute path' })

/** A file or variable that holds a secret, since a rules file is no place for one. */
export const SecretPlace = z.union([
  z
    .strictObject({ env: z.string().regex(/^\w+$/, { error: 'must be the name of an environment variable' }) })
    .describe('A variable in the environment of `hookgate serve`. A gate in the background has none but a few.'),
  z.strictObject({ file: absolutePath }).describe('A file with the value, which is read for each request.'),
])

/** A header’s value, or where it is. */
export const HeaderValue = z.union([z.string().describe('The value.'), ...SecretPlace.options])
export type HeaderValue = z.infer<typeof HeaderValue>

const otlp = z
  .strictObject({
    url: z.string().describe('The collector’s base URL, to which `/v1/logs` and `/v1/metrics` are appended.'),
    insecure: z.boolean().optional().describe('Allow `http:` to another machine: everybody on the way can read it.'),
    headers: z.record(z.string(), HeaderValue).optional().describe('Headers of every request.'),
    logs: z.boolean().optional().describe('Send a log record for each decision. Default: true.'),
    metrics: z.boolean().optional().describe('Send counters and durations. Default: true.'),
  })
  .superRefine(({ url, insecure = false, headers = {}, logs = true, metrics = true }, context) => {
    const wrong = wrongUrl(url, insecure)
    if (wrong !== undefined) context.addIssue({ code: 'custom', path: ['url'], ...wrong })
    for (const wrongName of wrongHeaders(headers)) context.addIssue({ code: 'custom', ...wrongName })
    if (logs || metrics) return
    context.addIssue({
      code: 'custom',
      path: ['logs'],
      message: 'nothing is sent: `logs` and `metrics` are both false',
      params: { remedy: 'remove `otlp`' },
    })
  })

/** Returns an issue for each header whose name is none. */
export const wrongHeaders = (headers: Readonly<Record<string, unknown>>) =>
  Object.keys(headers)
    .filter((name) => !headerName.test(name))
    .map((name) => ({
      path: ['headers', name],
      message: 'this is no name of a header',
      params: { remedy: 'write one such as "authorization"' },
    }))

/** A token of HTTP. */
const headerName = /^[\w!#$%&'*+.^`|~-]+$/

interface Wrong {
  readonly message: string
  readonly params: { readonly remedy: string }
}

/** Returns what is wrong with the URL of a server; `http:` is only for this machine, unless it is allowed. */
export function wrongUrl(text: string, isInsecure: boolean, example = 'https://collector:4318'): Wrong | undefined {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) {
    return { message: '`url` is no URL of https:', params: { remedy: `write one such as "${example}"` } }
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    const remedy = 'put what the server asks for into `headers` or `token`'
    return { message: '`url` must have no user, password, query or fragment', params: { remedy } }
  }
  if (url.protocol === 'https:' || isInsecure || isLoopback(url.hostname)) return undefined
  const remedy = 'use https:, or set `insecure` to true if the network is yours'
  return { message: '`url` would send everything unencrypted to another machine', params: { remedy } }
}

const isLoopback = (host: string) => /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(host)

/** `export` in a rules file: where the record of decisions is sent. */
export const ExportEntry = z
  .strictObject({
    otlp: otlp.optional().describe('A collector that speaks OTLP over HTTP.'),
    file: absolutePath.optional().describe('A file to which each decision is appended as one line of JSON.'),
    what: z
      .enum(['all', 'decisions'])
      .optional()
      .describe('`all` that is recorded, or only `decisions` with an opinion or a failure. Default: `all`.'),
    from: z
      .enum(['now', 'start'])
      .optional()
      .describe('Where a new export begins: `now`, or at the `start` of the record. Default: `now`.'),
  })
  .superRefine(({ otlp: collector, file }, context) => {
    if (collector !== undefined || file !== undefined) return
    const remedy = 'add `otlp` or `file`'
    context.addIssue({ code: 'custom', message: '`export` names no place to send to', params: { remedy } })
  })
export type ExportSettings = Readonly<z.infer<typeof ExportEntry>>
