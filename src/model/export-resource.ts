import { z } from 'zod'

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
export const ResourceEntry = z.record(z.string(), z.string()).superRefine((attributes, context) => {
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
