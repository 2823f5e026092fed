import { z } from 'zod'
import { HookEvent } from '../../../model/event.ts'
import type { PolicyEvent, PolicyTool } from '../../../model/policy.ts'
import type { ShellFacts } from '../../../model/shell.ts'
import { quoted } from '../../../model/text.ts'

/** An object of which every name is known: any other is a mistake. */
export interface KnownNames {
  /** What each name stands for, as far as its own names are known. */
  readonly names: ReadonlyMap<string, KnownNames | undefined>
  /** What is wrong with another name. */
  unknown(name: string): string
  /** What to do about it where it is near to none of the names. */
  readonly otherwise: string
}

/** What `decide` is given. `undefined` for facts or params of which it cannot be told what they are called. */
export function knownNames(facts: Iterable<string> | undefined, params: Iterable<string> | undefined): KnownNames {
  const names = new Map([
    ['event', event],
    ['tool', tool],
    ['facts', facts && declared('fact', facts)],
    ['params', params && declared('param', params)],
    ['shell', shell],
    ['paths', undefined],
  ])
  return { names, unknown: (name) => `\`decide\` is not given ${quoted(name)}`, otherwise: listOf(names.keys()) }
}

function declared(kind: 'fact' | 'param', declarations: Iterable<string>): KnownNames {
  const names = new Map([...declarations].map((name) => [name, undefined]))
  return { names, unknown: (name) => `no ${kind} is called ${quoted(name)}`, otherwise: `declare it in \`${kind}s\`` }
}

/** INVARIANT: the fields of a tool as policies see it, all of them and no other. */
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
  otherwise: 'what the agent itself calls it is in `tool.input`',
}

/** INVARIANT: the fields of the facts of a shell's command. */
const shellFields: Readonly<Record<keyof ShellFacts, undefined>> = {
  commands: undefined,
  flows: undefined,
  uncertain: undefined,
  forkBomb: undefined,
}

const shell: KnownNames = {
  names: new Map(Object.entries(shellFields)),
  unknown: (name) => `\`shell\` has no ${quoted(name)}`,
  otherwise: listOf(Object.keys(shellFields)),
}

/** INVARIANT: the fields of an event as policies see it. */
const eventFields: { readonly [Name in keyof PolicyEvent]-?: z.ZodType } = HookEvent.omit({
  raw: true,
  action: true,
}).shape

const event = fieldsOf('event', eventFields)

function fieldsOf(name: string, shape: Readonly<Record<string, z.ZodType>>): KnownNames {
  const names = new Map(Object.entries(shape).map(([field, schema]) => [field, withinField(field, schema)]))
  return { names, unknown: (other) => `\`${name}\` has no ${quoted(other)}`, otherwise: listOf(names.keys()) }
}

/** Other names than its own are possible wherever the schema does not refuse them. */
function withinField(name: string, schema: z.core.$ZodType): KnownNames | undefined {
  if (schema instanceof z.ZodOptional) return withinField(name, schema.unwrap())
  if (!(schema instanceof z.ZodObject) || !(schema.def.catchall instanceof z.ZodNever)) return undefined
  return fieldsOf(name, schema.shape)
}

function listOf(names: Iterable<string>): string {
  return `there are ${[...names].map(quoted).join(', ')}`
}
