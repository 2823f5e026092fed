import { type Fields, fieldsOf, listOf } from './model/wire.ts'

/** A tool as a program offers it to its model. */
export interface OfferedTool {
  readonly name: string
  /** JSON Schema of its input. */
  readonly schema: Fields
}

/** Returns the tools that a request to a model offers it, in whichever wire. */
export function toolsOffered(body: string): readonly OfferedTool[] {
  const { tools, input } = fieldsOf(JSON.parse(body))
  // Models of Codex's code mode are told of them in the conversation.
  return toolsIn([tools, listOf(input).map(({ tools: told }) => told)])
}

export const parametersOf = ({ properties }: Fields): readonly string[] => Object.keys(fieldsOf(properties))

function toolsIn(value: unknown): readonly OfferedTool[] {
  if (Array.isArray(value)) return value.flatMap(toolsIn)
  const fields = fieldsOf(value)
  const { name, input_schema, parametersJsonSchema, parameters, inputSchema } = fields
  const schema = fieldsOf(input_schema ?? parametersJsonSchema ?? parameters ?? inputSchema)
  const isTool = schema['properties'] !== undefined || schema['type'] !== undefined || fields['type'] === 'custom'
  return typeof name === 'string' && isTool
    ? [{ name, schema }]
    : Object.values(fields).flatMap((one) => (typeof one === 'object' ? toolsIn(one) : []))
}

/** Makes an input that a schema accepts: what it requires, each in the simplest form. */
export function sampleOf(schema: unknown, key = ''): unknown {
  const { enum: values, const: only, anyOf, oneOf, type, required, properties, items, minItems } = fieldsOf(schema)
  if (Array.isArray(values)) return values[0]
  if (only !== undefined) return only
  const choices = listOf(anyOf ?? oneOf)
  if (choices.length > 0)
    return sampleOf(
      choices.find((one) => one['type'] !== 'null'),
      key,
    )
  const kind = String(Array.isArray(type) ? type[0] : (type ?? 'string')).toLowerCase()
  if (kind === 'object') {
    const keys = Array.isArray(required) ? required.filter((one) => typeof one === 'string') : []
    return Object.fromEntries(keys.map((one) => [one, sampleOf(fieldsOf(properties)[one], one)]))
  }
  if (kind === 'array') return Array.from({ length: Number(minItems ?? 1) }, () => sampleOf(items, key))
  if (kind === 'boolean') return false
  if (kind === 'number' || kind === 'integer') return 1
  if (/command|cmd/i.test(key)) return 'true'
  if (/url/i.test(key)) return 'http://127.0.0.1:9/x'
  return /path|file|folder|dir/i.test(key) ? 'new.txt' : 'a sample'
}
