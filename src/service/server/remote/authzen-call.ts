import { isAbsolute } from 'node:path'
import { z } from 'zod'
import { agentNames, type KnownAgent } from '../../../agents/registry.ts'
import { ToolKind } from '../../../model/event.ts'
import { isJsonObject, JsonObject } from '../../../model/json.ts'
import { choiceOf, quoted } from '../../../model/text.ts'
import { issuesOf } from '../http/issues.ts'

const text = z.string().min(1)
const Entity = z.strictObject({ type: text, id: text, properties: JsonObject.optional() })
const Action = z.strictObject({ name: text, properties: JsonObject.optional() })

/** One question of the Authorization API: may this subject do that to this resource? */
export const AuthzenEvaluation = z.strictObject({
  subject: Entity,
  action: Action,
  resource: Entity,
  context: JsonObject.optional(),
})
export type AuthzenEvaluation = Readonly<z.infer<typeof AuthzenEvaluation>>

/** Members of a context that hookgate reads. A client may send any others. */
const Context = z.looseObject({
  agent: z.enum(agentNames).optional(),
  session: z.string().optional(),
  cwd: z.string().refine(isAbsolute, 'must be an absolute path').optional(),
})

/** A tool call as Claude Code would send it, whose form has a field for all that is asked here. */
interface AuthzenCall {
  readonly wire: JsonObject
  readonly agent: KnownAgent | undefined
  readonly onBehalfOf: string
}

/** Properties of a resource that hookgate reads. A client may send any others. */
const FileProperties = z.looseObject({
  content: z.string().optional(),
  old: z.string().optional(),
  new: z.string().optional(),
  pattern: z.string().optional(),
})
const ToolProperties = z.looseObject({ input: JsonObject.optional() })
const propertiesOf: Readonly<Record<string, z.ZodType>> = {
  file: FileProperties,
  mcp_tool: ToolProperties,
}

type ToolInput = (id: string, properties: JsonObject) => { readonly name: string; readonly input: JsonObject }

const textIn = (properties: JsonObject, key: string): string => {
  const value = properties[key]
  return typeof value === 'string' ? value : ''
}

/** For each type of resource and each action on it: the call that hookgate decides. */
const calls: Readonly<Record<string, Readonly<Partial<Record<ToolKind, ToolInput>>>>> = {
  command: { shell: (command) => ({ name: 'Bash', input: { command } }) },
  file: {
    read: (path) => ({ name: 'Read', input: { file_path: path } }),
    write: (path, given) => ({ name: 'Write', input: { file_path: path, content: textIn(given, 'content') } }),
    edit: (path, given) => ({
      name: 'Edit',
      input: { file_path: path, old_string: textIn(given, 'old'), new_string: textIn(given, 'new') },
    }),
    search: (path, given) => ({ name: 'Grep', input: { path, pattern: textIn(given, 'pattern') } }),
    list: (path, given) => ({ name: 'Glob', input: { path, pattern: textIn(given, 'pattern') || '*' } }),
  },
  url: { fetch: (url) => ({ name: 'WebFetch', input: { url, prompt: '' } }) },
  mcp_tool: {
    mcp: (id, { input }) => ({
      name: `mcp__${id.replace('/', '__')}`,
      input: input !== undefined && isJsonObject(input) ? input : {},
    }),
  },
}

/** Returns the tool call that an evaluation is about, or why hookgate knows none. */
export function askedCall({
  subject,
  action,
  resource,
  context = {},
}: AuthzenEvaluation): AuthzenCall | { why: string } {
  const byAction = Object.hasOwn(calls, resource.type) ? calls[resource.type] : undefined
  if (byAction === undefined) return { why: `the resource's type is not ${choiceOf(Object.keys(calls))}` }
  const kind = ToolKind.safeParse(action.name)
  const call = kind.success ? byAction[kind.data] : undefined
  if (call === undefined) {
    return { why: `the action on a ${resource.type} is not ${choiceOf(Object.keys(byAction))}` }
  }
  if (resource.type === 'mcp_tool' && !/^[^/]+\/[^/]+$/.test(resource.id)) {
    return { why: `${quoted(resource.id)} is not the name of a server and one of its tools: \`server/tool\`` }
  }
  // What cannot be read must not be judged as if it were not there.
  const readable = propertiesOf[resource.type]?.safeParse(resource.properties ?? {})
  if (readable?.success === false) return { why: `resource.properties.${issuesOf(readable.error)}` }
  const known = Context.safeParse(context)
  if (!known.success) return { why: `context.${issuesOf(known.error)}` }
  const { agent, session = '', cwd = '/' } = known.data
  const { name, input } = call(resource.id, resource.properties ?? {})
  const wire = {
    hook_event_name: 'PreToolUse',
    session_id: session,
    transcript_path: '',
    cwd,
    tool_name: name,
    tool_input: input,
  }
  return { wire, agent, onBehalfOf: `${subject.type}:${subject.id}` }
}
