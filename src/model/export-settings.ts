import { z } from 'zod'
import { FieldsEntry } from './export-fields.ts'
import { ResourceEntry } from './export-resource.ts'

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

/** A proxy’s address; `false` for none. An address with a password has a place of its own. */
const ProxySetting = z.union([
  z.literal(false).describe('No proxy, whatever the variables say.'),
  z.string().describe('The address, without a password.'),
  ...SecretPlace.options,
])
export type ProxySetting = z.infer<typeof ProxySetting>

const otlp = z
  .strictObject({
    url: z.string().describe('The collector’s base URL, to which `/v1/logs` and `/v1/metrics` are appended.'),
    insecure: z.boolean().optional().describe('Allow `http:` to another machine: everybody on the way can read it.'),
    headers: z.record(z.string(), HeaderValue).optional().describe('Headers of every request.'),
    logs: z.boolean().optional().describe('Send a log record for each decision. Default: true.'),
    metrics: z.boolean().optional().describe('Send counters and durations. Default: true.'),
    compression: z.enum(['gzip', 'none']).optional().describe('How bodies are compressed. Default: `gzip`.'),
    proxy: ProxySetting.optional().describe(
      'An HTTP proxy, or false for none. Default: that of the variables HTTPS_PROXY and NO_PROXY.',
    ),
  })
  .superRefine(({ url, insecure = false, headers = {}, logs = true, metrics = true, proxy }, context) => {
    const wrong = wrongUrl(url, insecure)
    if (wrong !== undefined) context.addIssue({ code: 'custom', path: ['url'], ...wrong })
    const wrongOfProxy = typeof proxy === 'string' ? wrongProxy(proxy) : undefined
    if (wrongOfProxy !== undefined) context.addIssue({ code: 'custom', path: ['proxy'], ...wrongOfProxy })
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

/** Returns what is wrong with the address of a proxy. */
function wrongProxy(text: string): Wrong | undefined {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) {
    return { message: '`proxy` is no address of a proxy', params: { remedy: 'write one such as "http://proxy:3128"' } }
  }
  if (url.username === '' && url.password === '') return undefined
  const remedy = 'put the whole address into a file, and write {"file": "/path"}'
  return { message: '`proxy` must have no user or password', params: { remedy } }
}

export const isLoopback = (host: string) => /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(host)

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
    resource: ResourceEntry.optional().describe(
      'Labels of this machine, such as `team`, which all that is sent carries.',
    ),
    fields: FieldsEntry.optional().describe('What is sent in place of commands, paths, names and reasons.'),
    hashKey: SecretPlace.optional().describe(
      'Where the key is with which fields are hashed, for hashes that are equal on all machines that have it. Default: a key of this machine’s own.',
    ),
  })
  .superRefine(({ otlp: collector, file, fields = {}, hashKey }, context) => {
    if (hashKey !== undefined && !Object.values(fields).includes('hash')) {
      const remedy = 'remove `hashKey`, or set one of `fields` to "hash"'
      context.addIssue({ code: 'custom', path: ['hashKey'], message: 'no field is hashed', params: { remedy } })
    }
    if (collector !== undefined || file !== undefined) return
    const remedy = 'add `otlp` or `file`'
    context.addIssue({ code: 'custom', message: '`export` names no place to send to', params: { remedy } })
  })
export type ExportSettings = Readonly<z.infer<typeof ExportEntry>>
