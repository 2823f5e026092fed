import * as fc from 'fast-check'
import type { Surroundings } from '../../src/model/dialect.ts'
import type { ToolUse, HookEvent } from '../../src/model/event.ts'
import { isJsonObject, type JsonObject } from '../../src/model/json.ts'
import type { CommandHandler, HookExit } from '../../src/model/rule.ts'

export const surroundings: Surroundings = { nowMs: 1_790_000_000_000, env: {}, cwd: '/home/ada' }

export type Wire = JsonObject & { readonly hookName: string }

/** Builds an event as Cline's extension up to 3.89 sends it; `extension` makes it one of the extension from 4.0. */
export function classicWire(hookName: string, fields: JsonObject = {}): Wire {
  return {
    clineVersion: '3.89.2',
    hookName,
    timestamp: '1795000000123',
    taskId: 'task-7',
    workspaceRoots: ['/home/ada/shop'],
    userId: 'ada',
    model: { provider: 'anthropic', slug: 'sonnet' },
    ...fields,
  }
}

export const extension = { clineVersion: '4.1.11', model: { provider: 'unknown', slug: 'unknown' } }

/** Builds an event as Cline's SDK sends it to a file hook. */
export function sdkWire(hookName: string, fields: JsonObject = {}): Wire {
  return {
    clineVersion: '',
    timestamp: '2026-11-18T11:06:40.123Z',
    taskId: 'conv_1_a',
    sessionContext: { rootSessionId: '1_b' },
    workspaceRoots: ['/home/ada/shop'],
    workspaceInfo: { rootPath: '/home/ada/shop', hint: 'shop' },
    userId: 'ada',
    agent_id: 'agent_1',
    parent_agent_id: null,
    hookName,
    ...fields,
  }
}

/** One event of every name that each engine sends, with only the fields that it always writes. */
export const wires: Readonly<Record<'classic' | 'extension' | 'sdk', readonly Wire[]>> = {
  classic: [
    classicWire('PreToolUse', { preToolUse: { toolName: 'read_file', parameters: { path: 'a' } } }),
    classicWire('PostToolUse', { postToolUse: { toolName: 'read_file', parameters: { path: 'a' }, success: true } }),
    classicWire('UserPromptSubmit', { userPromptSubmit: { prompt: 'go on' } }),
    classicWire('TaskStart', { taskStart: { taskMetadata: { taskId: 'task-7', ulid: 'u', initialTask: 'fix it' } } }),
    classicWire('TaskResume', { taskResume: { taskMetadata: { taskId: 'task-7', ulid: 'u' } } }),
    classicWire('TaskCancel', { taskCancel: { taskMetadata: { completionStatus: 'abandoned' } } }),
    classicWire('TaskComplete', { taskComplete: { taskMetadata: { result: 'done', command: '' } } }),
    classicWire('PreCompact', { preCompact: { taskId: 'task-7', contextSize: 9, tokensIn: 4 } }),
    classicWire('Notification', { notification: { event: 'user_attention', message: 'look', severity: 'info' } }),
  ],
  extension: [
    classicWire('TaskStart', { ...extension, taskStart: { taskMetadata: { initialTask: 'fix it', ulid: '' } } }),
    classicWire('UserPromptSubmit', { ...extension, userPromptSubmit: { prompt: 'go on' } }),
    classicWire('PreToolUse', { ...extension, preToolUse: { toolName: 'editor', parameters: { path: 'a' } } }),
    classicWire('PostToolUse', { ...extension, postToolUse: { toolName: 'editor', parameters: { path: 'a' } } }),
    classicWire('TaskComplete', { ...extension, taskComplete: { taskMetadata: { result: 'done' } } }),
    classicWire('TaskCancel', { ...extension, taskCancel: { taskMetadata: { completionStatus: 'cancelled' } } }),
  ],
  sdk: [
    sdkWire('tool_call', { iteration: 1, tool_call: { id: 'c1', name: 'run_commands', input: { commands: ['ls'] } } }),
    sdkWire('tool_result', {
      tool_result: {
        id: 'c1',
        name: 'run_commands',
        input: { commands: ['ls'] },
        output: [{ result: 'a' }],
        durationMs: 5,
      },
      postToolUse: { toolName: 'run_commands', success: true },
    }),
    sdkWire('prompt_submit', { userPromptSubmit: { prompt: 'go on', attachments: [] } }),
    sdkWire('agent_start', { taskStart: { taskMetadata: {} } }),
    sdkWire('agent_resume', { taskResume: { taskMetadata: {}, previousState: {} } }),
    sdkWire('agent_abort', { reason: 'user', taskCancel: { taskMetadata: {} } }),
    sdkWire('agent_end', { iteration: 2, turn: { outputText: 'done', status: 'completed' } }),
    sdkWire('agent_error', { error: { name: 'Error', message: 'no model', stack: '' } }),
    sdkWire('session_shutdown'),
    sdkWire('pre_compact'),
  ],
}

/** Builds a Cline hook as a rule starts it. */
export const clineHook: CommandHandler = {
  kind: 'command',
  dialect: 'cline',
  program: { form: 'script', file: '/home/ada/shop/.clinerules/hooks/PreToolUse' },
  env: {},
  plainTextEvents: [],
  async: false,
}

/** Builds the exit of a hook that printed this, successful by default. */
export function exited(stdout: string, ending: Partial<Extract<HookExit, { kind: 'exited' }>> = {}): HookExit {
  return { kind: 'exited', exitCode: 0, stdout, stderr: '', failure: undefined, durationMs: 3, ...ending }
}

const root = '/home/ada/shop'
const text = fc.string({ maxLength: 12 })
const name = fc.stringMatching(/^[a-z][a-z0-9]{0,6}$/)
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((parts) => `${root}/${parts.join('/')}.ts`)

/** Generates calls of Claude Code's tools that Cline has a tool for. */
const foreignCalls: fc.Arbitrary<ToolUse> = fc.oneof(
  text.map((command): ToolUse => ({ kind: 'shell', name: 'Bash', input: { command }, command })),
  path.map((file): ToolUse => ({ kind: 'read', name: 'Read', input: { file_path: file }, paths: [file], path: file })),
  fc.tuple(path, text).map(([file, content]): ToolUse => ({
    kind: 'write',
    name: 'Write',
    input: { file_path: file, content },
    paths: [file],
    path: file,
    content,
  })),
  text.map((url): ToolUse => ({ kind: 'fetch', name: 'WebFetch', input: { url, prompt: 'sum up' }, url })),
  fc.tuple(name, name, fc.dictionary(name, fc.jsonValue({ maxDepth: 2 }))).map(([server, tool, input]): ToolUse => ({
    kind: 'mcp',
    name: `mcp__${server}__${tool}`,
    input: asObject(input),
  })),
)

const asObject = (value: unknown): JsonObject => (isJsonObject(value) ? value : {})

/** Generates events of Claude Code that Cline has an event for. */
export const foreignEvents: fc.Arbitrary<HookEvent> = fc
  .record({
    session: fc.record({ id: text, cwd: fc.constant(root) }),
    atMs: fc.nat({ max: 4e12 }),
    happening: fc.oneof(
      foreignCalls.map((tool) => ({ name: 'PreToolUse' as const, tool })),
      fc.record({
        name: fc.constant('PostToolUse' as const),
        tool: foreignCalls,
        result: fc.record({
          output: text,
          succeeded: fc.constant(true),
          durationMs: fc.nat({ max: 1e6 }),
        }),
      }),
      text.map((prompt) => ({ name: 'UserPromptSubmit' as const, prompt })),
      text.map((prompt) => ({ name: 'SessionStart' as const, trigger: 'startup', prompt })),
      fc.constant({ name: 'SessionStart' as const, trigger: 'resume' }),
      fc.constant({ name: 'SessionEnd' as const, trigger: 'cancelled' }),
      text.map((message) => ({ name: 'Stop' as const, message })),
      fc.constant({ name: 'PreCompact' as const, trigger: 'auto' }),
      fc.tuple(fc.constantFrom('agent_needs_input', 'agent_completed'), text).map(([trigger, message]) => ({
        name: 'Notification' as const,
        trigger,
        message,
      })),
    ),
  })
  .map(({ session, atMs, happening }): HookEvent =>
    Object.assign(happening, {
      session,
      atMs,
      agent: 'claude-code' as const,
      workspaceRoots: [root],
      raw: { hook_event_name: happening.name },
    }),
  )
