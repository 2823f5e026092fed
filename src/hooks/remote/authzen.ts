import { userInfo } from 'node:os'
import { z } from 'zod'
import type { HookEvent, ToolUse } from '../../model/event.ts'
import { mcpParts } from '../../model/tool-kinds.ts'
import { indeterminate, notApplicable, type Outcome } from '../../model/evaluation.ts'
import { isJsonObject, type JsonObject } from '../../model/json.ts'
import type { Failure } from '../../model/failure.ts'
import { limits } from '../../model/limits.ts'
import type { PdpSubject } from '../../model/remote.ts'
import { type ShellCommand, type ShellFacts, unknownPart } from '../../model/shell.ts'
import { printable } from '../../model/text.ts'

/** The question to a decision point about one call, and the shell commands that its evaluations are about. */
interface AuthzenRequest {
  readonly path: '/access/v1/evaluation' | '/access/v1/evaluations'
  readonly body: JsonObject
  /** For each evaluation, the index of its shell command; empty if they are about something else. */
  readonly commands: readonly number[]
  readonly count: number
}

/**
 * Makes the request about a call; `undefined` if the event is about none.
 *
 * INVARIANT: a call about too much for one request is a failure. Asked about in fewer words, it would escape what the
 * decision point has to say about a part of it.
 */
export function authzenRequest(
  event: HookEvent,
  shell: ShellFacts | undefined,
  subject: PdpSubject | undefined,
): AuthzenRequest | Failure | undefined {
  const { tool } = event
  if (tool === undefined) return undefined
  const { resources, commands } = resourcesOf(tool, shell)
  if (resources.length > limits.authzenEvaluationsMax) {
    const message = `it is about ${resources.length} commands or files, and ${limits.authzenEvaluationsMax} are asked about`
    return { code: 'notTranslatable', message }
  }
  const common = {
    subject: subject ?? { type: 'user', id: accountName() },
    action: { name: tool.kind },
    context: contextOf(event, shell),
  }
  const [first = unnamed(tool), ...more] = resources
  if (more.length === 0) {
    return { path: '/access/v1/evaluation', body: { ...common, resource: first }, commands, count: 1 }
  }
  const evaluations = resources.map((resource) => ({ resource }))
  return { path: '/access/v1/evaluations', body: { ...common, evaluations }, commands, count: resources.length }
}

/** Returns the name of the account; an account of a container may have none. */
function accountName(): string {
  try {
    return userInfo().username
  } catch {
    return String(process.geteuid?.() ?? 'unknown')
  }
}

const contextOf = ({ agent, session, workspaceRoots, tool }: HookEvent, shell: ShellFacts | undefined): JsonObject => ({
  agent,
  session: session.id,
  cwd: session.cwd,
  ...(workspaceRoots[0] !== undefined && { project: workspaceRoots[0] }),
  ...(tool?.command !== undefined && { command: tool.command }),
  ...(shell !== undefined && shell.uncertain.length > 0 && { uncertain: [...shell.uncertain] }),
})

/** Returns what a call is about: each command of a shell line, each file, a URL, or a tool of an MCP server. */
function resourcesOf(
  tool: ToolUse,
  shell: ShellFacts | undefined,
): { readonly resources: readonly JsonObject[]; readonly commands: readonly number[] } {
  if (tool.command !== undefined) {
    const runs = shell?.commands ?? []
    // A line whose commands are unknown is asked about as it is written.
    return runs.length === 0
      ? { resources: [{ type: 'command', id: tool.command }], commands: [] }
      : { resources: runs.map(commandResource), commands: runs.map((_, index) => index) }
  }
  const [server, name] = (tool.kind === 'mcp' && mcpParts(tool.name)) || []
  if (server !== undefined && name !== undefined) {
    const properties = { server, tool: name, input: tool.input }
    return { resources: [{ type: 'mcp_tool', id: `${server}/${name}`, properties }], commands: [] }
  }
  if (tool.url !== undefined) return { resources: [{ type: 'url', id: tool.url }], commands: [] }
  const files = tool.paths ?? (tool.path === undefined ? [] : [tool.path])
  return { resources: files.map((id) => ({ type: 'file', id })), commands: [] }
}

const unnamed = ({ name }: ToolUse): JsonObject => ({ type: 'tool', id: name })

function commandResource(command: ShellCommand): JsonObject {
  const { program, written, args, cwd, user, uncertain } = command
  const words = [...(written === undefined ? [] : [written]), ...args].map(({ value }) => shown(value))
  return {
    type: 'command',
    id: words.join(' '),
    properties: {
      program,
      args: args.map(({ value }) => shown(value)),
      ...(cwd !== undefined && { cwd }),
      ...(user !== undefined && { user }),
      ...(uncertain.length > 0 && { uncertain: [...uncertain] }),
    },
  }
}

/** Replaces the unknown part of a word, which no program writes, by what a person would. */
const shown = (value: string) => value.replaceAll(unknownPart, '…')

/** A `true` beside an error, or beside another answer that is none, says nothing that can be relied on. */
const Decided = z
  .looseObject({
    decision: z.boolean(),
    context: z.record(z.string(), z.unknown()).nullish(),
  })
  .refine((one) => !one.decision || !contradicts(one), 'contradicts itself')
const Several = z
  .looseObject({ evaluations: z.array(Decided) })
  .refine((all) => !('error' in all) && all['decision'] !== false, 'contradicts itself')

function contradicts({ context, ...rest }: Readonly<Record<string, unknown>>): boolean {
  const said = isJsonObject(context) ? context : {}
  const isRefused = said['effect'] === 'deny' || said['effect'] === 'ask'
  return (
    isRefused ||
    [rest['error'], said['error']].some((error) => error !== undefined && error !== null) ||
    'evaluations' in rest
  )
}

/** Reads a decision point's answer: `false` refuses, and `true` is no opinion, since other rules may have one. */
export function authzenOutcome({ count, commands }: AuthzenRequest, json: unknown, url: string): Outcome {
  const read =
    count === 1 ? Decided.transform((one) => [one]).safeParse(json) : Several.transform(allOf).safeParse(json)
  if (!read.success) return indeterminate(unreadable(url, problemOf(read.error)))
  if (read.data.length !== count) {
    return indeterminate(unreadable(url, `${read.data.length} decisions about ${count} resources`))
  }
  const refused = read.data.flatMap(({ decision, context }, index) => (decision ? [] : [{ index, context }]))
  if (refused.length === 0) return notApplicable
  const reasons = new Set(refused.flatMap(({ context }) => reasonIn(context ?? {}) ?? []))
  const about = refused.flatMap(({ index }) => commands[index] ?? [])
  return {
    kind: 'applicable',
    effect: 'deny',
    reason: reasons.size === 0 ? `${url} refuses it` : [...reasons].join('; '),
    ...(about.length > 0 && { commands: about }),
    obligations: [],
    advice: [],
  }
}

const problemOf = ({ issues }: z.ZodError) =>
  issues.some(({ code }) => code === 'custom')
    ? 'a `decision` that contradicts the rest of it'
    : 'no boolean `decision` where there has to be one'

const allOf = ({ evaluations }: z.infer<typeof Several>) => evaluations

const unreadable = (url: string, what: string) => ({
  code: 'badOutput' as const,
  message: `the answer of ${url} has ${what}`,
})

/** Characters of a decision point's reason. */
const reasonCharactersMax = 500

/**
 * Finds the reason in a context, whose form the specification leaves open: a text, one for each code or language, or that
 * of an error. What is for a user is preferred to what is for an administrator.
 */
function reasonIn(context: Readonly<Record<string, unknown>>): string | undefined {
  for (const key of ['reason_user', 'reason', 'reason_admin', 'error', 'message']) {
    const text = textIn(context[key])
    if (text !== undefined) return printable(text).slice(0, reasonCharactersMax)
  }
  return undefined
}

function textIn(value: unknown, depth = 0): string | undefined {
  if (typeof value === 'string' && value.trim() !== '') return value
  if (typeof value !== 'object' || value === null || depth === 2) return undefined
  for (const one of Object.values(value)) {
    const text = textIn(one, depth + 1)
    if (text !== undefined) return text
  }
  return undefined
}
