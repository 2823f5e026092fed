import { z } from 'zod'
import { HookEvent } from '../../../model/event.ts'
import type { PolicyEvent, PolicyTool } from '../../../model/policy.ts'
import type { Impact } from '../../../model/impact.ts'
import type {
  ShellAssignment,
  RunLater,
  ShellBind,
  ShellCode,
  ShellCommand,
  ShellContainer,
  ShellFacts,
  ShellFilter,
  ShellFlow,
  ShellRedirection,
  ShellSearch,
  ShellSent,
  ShellView,
  ShellWord,
  TouchedPath,
  ChosenProcess,
  ShellProcesses,
} from '../../../model/shell.ts'
import type { ShellNetwork } from '../../../model/shell-network.ts'
import type { TextChange } from '../../../model/tool-facts.ts'
import { quoted } from '../../../model/text.ts'

/** The names of an object whose properties are all known, so that any other name is an error. */
export interface KnownNames {
  /** The names of each property's value; `undefined` where those are not known. */
  readonly names: ReadonlyMap<string, KnownNames | undefined>
  /** For a list, the names of each item. A list's own names are not checked. */
  readonly item?: KnownNames
  /** Returns the message for a name that does not exist. */
  unknown(name: string): string
  /** The remedy for a name that is similar to none of the names. */
  readonly otherwise: string
}

/** @param what the object's name in messages */
function objectNames(what: string, fields: Readonly<Record<string, KnownNames | undefined>>): KnownNames {
  const names = new Map(Object.entries(fields))
  return { names, unknown: (name) => `${what} has no ${quoted(name)}`, otherwise: listed(names.keys()) }
}

function listOfNames(item: KnownNames): KnownNames {
  return { names: new Map(), item, unknown: (name) => `a list has no ${quoted(name)}`, otherwise: '' }
}

function listed(names: Iterable<string>): string {
  const all = [...names]
  return all.length > namedMax
    ? `docs/fields.md lists the ${all.length} names`
    : `there are ${all.map(quoted).join(', ')}`
}
/** A command has some 40 names, and the remedy stands in the answer to every call. */
const namedMax = 16

/** Returns the known names of `decide`'s input. Pass `undefined` for facts, params or states whose names are not known. */
export function knownNames(
  facts: Iterable<string> | undefined,
  params: Iterable<string> | undefined,
  states: Iterable<string> | undefined,
): KnownNames {
  const names = new Map([
    ['event', event],
    ['tool', tool],
    ['facts', facts && declared('fact', facts)],
    ['params', params && declared('param', params)],
    ['state', states && declared('state', states)],
    ['shell', shellNames],
    ['paths', pathsNames],
    ['changes', changesNames],
    ['impacts', impactsNames],
  ])
  return { names, unknown: (name) => `\`decide\` is not given ${quoted(name)}`, otherwise: listed(names.keys()) }
}

function declared(kind: 'fact' | 'param' | 'state', declarations: Iterable<string>): KnownNames {
  const names = new Map([...declarations].map((name) => [name, undefined]))
  return {
    names,
    unknown: (name) => `there is no ${kind} ${quoted(name)}`,
    otherwise: `declare it in \`${kind === 'state' ? kind : `${kind}s`}\``,
  }
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
  tool: true,
}).shape

const event = fieldsOf('event', eventFields)

function fieldsOf(name: string, shape: Readonly<Record<string, z.ZodType>>): KnownNames {
  const fields = Object.entries(shape).map(([field, schema]) => [field, withinField(field, schema)] as const)
  return objectNames(quoted(name), Object.fromEntries(fields))
}

/** Returns the names within a field if its schema refuses all others; `undefined` if it allows them. */
function withinField(name: string, schema: z.core.$ZodType): KnownNames | undefined {
  if (schema instanceof z.ZodOptional) return withinField(name, schema.unwrap())
  if (!(schema instanceof z.ZodObject) || !(schema.def.catchall instanceof z.ZodNever)) return undefined
  return fieldsOf(name, schema.shape)
}

/** INVARIANT: exactly the fields of a type of tool facts, as policies see them. */
type FieldNames<Whole> = Readonly<Record<keyof Whole, KnownNames | undefined>>

const word = objectNames('a word', {
  value: undefined,
  unresolved: undefined,
  several: undefined,
  pattern: undefined,
  variable: undefined,
  variables: undefined,
  from: undefined,
} satisfies FieldNames<ShellWord>)

const touched = objectNames('a path', {
  written: undefined,
  access: undefined,
  recursive: undefined,
  metadata: undefined,
  sealed: undefined,
  change: undefined,
  rights: undefined,
  absolute: undefined,
  real: undefined,
  root: undefined,
  inRoot: undefined,
  inHome: undefined,
  unresolved: undefined,
  pattern: undefined,
  from: undefined,
  bound: undefined,
} satisfies FieldNames<TouchedPath>)

const assignments = listOfNames(
  objectNames('an assignment', { name: undefined, value: word } satisfies FieldNames<ShellAssignment>),
)

const later = objectNames('`later`', { place: undefined, file: undefined } satisfies FieldNames<RunLater>)

const command = objectNames('a command', {
  program: undefined,
  written: word,
  args: listOfNames(word),
  assignments,
  exported: assignments,
  redirections: listOfNames(
    objectNames('a redirection', {
      operator: undefined,
      descriptor: undefined,
      target: word,
    } satisfies FieldNames<ShellRedirection>),
  ),
  line: undefined,
  traits: undefined,
  request: undefined,
  processes: objectNames('the processes of a command', {
    chosen: listOfNames(objectNames('a chosen process', { by: undefined, word } satisfies FieldNames<ChosenProcess>)),
    ends: undefined,
  } satisfies FieldNames<ShellProcesses>),
  cwd: undefined,
  elsewhere: undefined,
  container: objectNames('a container', {
    passing: undefined,
    open: undefined,
  } satisfies FieldNames<ShellContainer>),
  view: objectNames('a view', {
    cwd: undefined,
    binds: listOfNames(objectNames('a bind', { here: undefined, there: undefined } satisfies FieldNames<ShellBind>)),
  } satisfies FieldNames<ShellView>),
  folder: word,
  user: undefined,
  reach: undefined,
  startedBy: undefined,
  wrapper: undefined,
  stdin: word,
  fed: undefined,
  typed: undefined,
  code: objectNames('code', {
    language: undefined,
    text: undefined,
    encoded: undefined,
    does: undefined,
  } satisfies FieldNames<ShellCode>),
  paths: listOfNames(touched),
  search: objectNames('a search', {
    finds: undefined,
    names: undefined,
    looksAtNames: undefined,
    narrowed: undefined,
    onlyEmpty: undefined,
    onlyOld: undefined,
    andOthers: undefined,
  } satisfies FieldNames<ShellSearch>),
  writes: undefined,
  message: undefined,
  obeys: undefined,
  copies: undefined,
  network: objectNames('network', {
    kind: undefined,
    direction: undefined,
    host: undefined,
    url: undefined,
    login: undefined,
  } satisfies FieldNames<ShellNetwork>),
  sends: listOfNames(
    objectNames('a sent variable', {
      variable: undefined,
      host: undefined,
      as: undefined,
    } satisfies FieldNames<ShellSent>),
  ),
  output: undefined,
  filter: objectNames('`filter`', {
    by: undefined,
    text: undefined,
    separator: undefined,
    extended: undefined,
    only: undefined,
  } satisfies FieldNames<ShellFilter>),
  logsIn: undefined,
  sealed: undefined,
  echoes: undefined,
  listed: undefined,
  uncertain: undefined,
  harmless: undefined,
  place: undefined,
  later,
} satisfies FieldNames<ShellCommand>)

const shellNames = objectNames('`shell`', {
  commands: listOfNames(command),
  flows: listOfNames(
    objectNames('a flow', {
      from: undefined,
      to: undefined,
      via: undefined,
      as: undefined,
    } satisfies FieldNames<ShellFlow>),
  ),
  uncertain: undefined,
  forkBomb: undefined,
  harmless: undefined,
} satisfies FieldNames<ShellFacts>)

const pathsNames = listOfNames(touched)

const changesNames = listOfNames(
  objectNames('a change', {
    path: undefined,
    removed: undefined,
    added: undefined,
    commands: undefined,
    runLater: undefined,
    at: undefined,
    file: objectNames('a file', { before: undefined, after: undefined } satisfies FieldNames<TextChange['file'] & {}>),
  } satisfies FieldNames<TextChange>),
)

const impactsNames = listOfNames(
  objectNames('an impact', {
    kind: undefined,
    thing: undefined,
    area: undefined,
    object: undefined,
    names: undefined,
    where: undefined,
    elsewhere: undefined,
    extent: undefined,
    undo: undefined,
    unsure: undefined,
    consequence: undefined,
    instead: undefined,
    through: undefined,
    by: undefined,
    words: undefined,
    command: undefined,
    targets: undefined,
    later,
  } satisfies FieldNames<Impact>),
)
