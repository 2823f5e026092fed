import { z } from 'zod'

/**
 * What is sent in place of a text. `masked`: the text, with the secrets that are recognised masked. `hash`: a keyed hash,
 * so that equal texts stay equal. `drop`: nothing.
 */
export const FieldTreatment = z.enum(['masked', 'hash', 'drop'])
export type FieldTreatment = z.infer<typeof FieldTreatment>

/** `fields` of an export. Each is `masked` unless it is said otherwise. */
export const FieldsEntry = z.strictObject({
  command: FieldTreatment.optional().describe('Shell commands, and what tools of MCP servers are called with.'),
  path: FieldTreatment.optional().describe('Files, project folders and working folders.'),
  url: FieldTreatment.optional().describe('Addresses that are fetched.'),
  user: FieldTreatment.optional().describe('The name of the account, wherever it stands.'),
  reason: FieldTreatment.optional().describe('Reasons, remarks and messages of rules, hooks and hookgate.'),
})
export type ExportFields = Readonly<z.infer<typeof FieldsEntry>>

const strictness: readonly FieldTreatment[] = ['masked', 'hash', 'drop']

/** Returns the strictest of some treatments. */
export const strictest = (...all: readonly FieldTreatment[]): FieldTreatment =>
  strictness[Math.max(...all.map((one) => strictness.indexOf(one)))] ?? 'drop'

/** Attributes that hookgate finds itself: if they could be set, a machine could pass for another one. */
const foundAttributes = [
  'service.name',
  'service.version',
  'service.instance.id',
  'host.name',
  'host.id',
  'host.arch',
  'os.type',
  'user.name',
  'device',
] as const

const found: ReadonlySet<string> = new Set(foundAttributes)

/** Returns whether hookgate finds this attribute itself. */
const isFoundAttribute = (name: string): boolean => found.has(name)

/** A name such as `team` or `deployment.environment.name`. */
const attributeName = /^[A-Za-z][\w.-]*$/

/** Attributes that a setting or a variable adds to each exported record: a collector makes a label of each. */
const exportAttributesMax = 32

/** `resource` of an export: labels that everything sent carries. */
const ResourceEntry = z.record(z.string(), z.string()).superRefine((attributes, context) => {
  const entries = Object.entries(attributes)
  for (const [name, value] of entries) {
    const wrong = wrongAttribute(name, value)
    if (wrong !== undefined) context.addIssue({ code: 'custom', path: [name], ...wrong })
  }
  if (entries.length <= exportAttributesMax) return
  const message = `there are ${entries.length} attributes, and at most ${exportAttributesMax} are sent`
  context.addIssue({ code: 'custom', message, params: { remedy: 'leave some out' } })
})

function wrongAttribute(name: string, value: string) {
  if (isFoundAttribute(name)) {
    const remedy = 'remove it, or choose another name'
    return { message: `hookgate finds \`${name}\` itself`, params: { remedy } }
  }
  if (!attributeName.test(name)) {
    return { message: 'this is no name of an attribute', params: { remedy: 'write one such as "team"' } }
  }
  if (value === '' || value.length > exportAttributeCharactersMax) {
    const message = `the value must have 1 to ${exportAttributeCharactersMax} characters`
    return { message, params: { remedy: 'write another value' } }
  }
  return undefined
}
/** Characters of an added attribute: the longest value that backends keep as a label. */
const exportAttributeCharactersMax = 255

/** The attributes that a variable sets, or why it counts for nothing. */
type VariableAttributes =
  | { readonly attributes: Readonly<Record<string, string>>; readonly problem?: undefined }
  | { readonly attributes?: undefined; readonly problem: string }

/**
 * Reads `OTEL_RESOURCE_ATTRIBUTES`: pairs `name=value`, separated by commas, with values in percent encoding, as W3C
 * baggage has them. It counts as a whole or not at all, as OpenTelemetry demands. What hookgate finds itself is left out:
 * the variable may have been set for another program.
 */
export function attributesInVariable(text: string): VariableAttributes {
  const attributes: Record<string, string> = {}
  const pairs = text.split(',').filter((pair) => pair.trim() !== '')
  for (const [index, pair] of pairs.entries()) {
    const [, name = '', value = ''] = /^\s*([^\s=]+)\s*=\s*([^\s"\\]*)\s*$/.exec(pair) ?? []
    const decoded = percentDecoded(value)
    if (isFoundAttribute(name)) continue
    if (decoded === undefined || wrongAttribute(name, decoded) !== undefined) {
      return { problem: `its entry ${index + 1} is no \`name=value\` with a value in percent encoding` }
    }
    attributes[name] = decoded
  }
  if (Object.keys(attributes).length <= exportAttributesMax) return { attributes }
  return { problem: `it has more than ${exportAttributesMax} attributes` }
}

function percentDecoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

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
