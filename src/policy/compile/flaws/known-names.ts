import { z } from 'zod'
import { HookEvent } from '../../../model/event.ts'
import type { PolicyEvent, PolicyTool } from '../../../model/policy.ts'
import { quoted } from '../../../model/text.ts'
import { pathsNames, shellNames } from './known-shell-names.ts'
import { type KnownNames, listed, namesOf } from './names-known.ts'

/** Returns the known names of `decide`'s input. Pass `undefined` for facts or params whose names are not known. */
export function knownNames(facts: Iterable<string> | undefined, params: Iterable<string> | undefined): KnownNames {
  const names = new Map([
    ['event', event],
    ['tool', tool],
    ['facts', facts && declared('fact', facts)],
    ['params', params && declared('param', params)],
    ['shell', shellNames],
    ['paths', pathsNames],
  ])
  return { names, unknown: (name) => `\`decide\` is not given ${quoted(name)}`, otherwise: listed(names.keys()) }
}

function declared(kind: 'fact' | 'param', declarations: Iterable<string>): KnownNames {
  const names = new Map([...declarations].map((name) => [name, undefined]))
  return { names, unknown: (name) => `there is no ${kind} ${quoted(name)}`, otherwise: `declare it in \`${kind}s\`` }
}

/** INVARIANT: exactly the fields of a tool as policies see it. */
const toolFields: Readonly<Record<keyof PolicyTool, undefined>> = {
  kind: undefined,
  name: undefined,
  id: undefined,
  input: undefined,
  paths: undefined,
  path: undefined,
  command: undefined,
  url: undefined,
  content: undefined,
}

const tool: KnownNames = {
  names: new Map(Object.entries(toolFields)),
  unknown: (name) => `\`tool\` has no ${quoted(name)}`,
  otherwise: "the agent's own names are in `tool.input`",
}

/** INVARIANT: exactly the fields of an event as policies see it. */
const eventFields: { readonly [Name in keyof PolicyEvent]-?: z.ZodType } = HookEvent.omit({
  raw: true,
  action: true,
}).shape

const event = fieldsOf('event', eventFields)

function fieldsOf(name: string, shape: Readonly<Record<string, z.ZodType>>): KnownNames {
  const fields = Object.entries(shape).map(([field, schema]) => [field, withinField(field, schema)] as const)
  return namesOf(quoted(name), Object.fromEntries(fields))
}

/** Returns the names within a field if its schema refuses all others; `undefined` if it allows them. */
function withinField(name: string, schema: z.core.$ZodType): KnownNames | undefined {
  if (schema instanceof z.ZodOptional) return withinField(name, schema.unwrap())
  if (!(schema instanceof z.ZodObject) || !(schema.def.catchall instanceof z.ZodNever)) return undefined
  return fieldsOf(name, schema.shape)
}
