import type { HookEvent } from '../../model/event.ts'
import { isJsonObject, type Json, type JsonObject } from '../../model/json.ts'
import { type ClineEventParts, malformed, presentText, withCommand } from './event-parts.ts'
import { toolUseOf } from './tools.ts'
import type { SdkInput } from './schemas.ts'

/** Decodes the event-specific parts of an event of engine C. */
export function decodeSdk(input: SdkInput): ClineEventParts {
  switch (input.hookName) {
    case 'tool_call':
      return {
        name: 'PreToolUse',
        tool: withCommand(calledTool('tool_call', input.tool_call), 'tool_call.input'),
      }
    case 'tool_result':
      return { name: 'PostToolUse', tool: calledTool('tool_result', input.tool_result), result: resultOf(input) }
    case 'prompt_submit':
      return { name: 'UserPromptSubmit', prompt: input.userPromptSubmit?.prompt ?? '' }
    case 'agent_start':
      return { name: 'SessionStart', trigger: 'startup' }
    case 'agent_resume':
      return { name: 'SessionStart', trigger: 'resume' }
    case 'agent_abort':
      return { name: 'SessionEnd', trigger: 'cancelled' }
    case 'session_shutdown':
      return { name: 'SessionEnd', trigger: 'other' }
    case 'agent_end':
      return { name: 'Stop', ...presentText('message', input.turn?.outputText) }
    case 'agent_error':
      // The SDK does not classify its errors; `unknown` is the common word for that.
      return { name: 'StopFailure', trigger: 'unknown', ...presentText('message', input.error?.message) }
    case 'pre_compact':
      return { name: 'PreCompact', trigger: 'auto' }
  }
}

function calledTool(field: string, call: SdkInput['tool_call']): NonNullable<ClineEventParts['tool']> {
  if (call === undefined) throw malformed(`\`${field}\` is missing`)
  return toolUseOf(call.name, inputOf(call.name, call.input), { stringified: false, id: call.id })
}

/**
 * The key under which a tool has the value that the SDK also accepts bare (`RunCommandsInputUnionSchema` and the like).
 */
const bareInputKeys = new Map([
  ['run_commands', 'commands'],
  ['read_files', 'files'],
  ['search_codebase', 'queries'],
])

function inputOf(toolName: string, input: Json | undefined): JsonObject {
  if (input === undefined || input === null) return {}
  if (isJsonObject(input)) return input
  return { [bareInputKeys.get(toolName) ?? 'input']: input }
}

function resultOf(input: SdkInput): HookEvent['result'] {
  const { output, error, durationMs } = input.tool_result ?? {}
  const failed = error !== undefined && error !== null
  return {
    succeeded: input.postToolUse?.success ?? !failed,
    ...(output === undefined ? {} : { output }),
    ...(failed ? { error: errorText(error) } : {}),
    ...(durationMs === undefined ? {} : { durationMs }),
  }
}

function errorText(error: Json): string {
  if (typeof error === 'string') return error
  const message = isJsonObject(error) ? error['message'] : undefined
  return typeof message === 'string' ? message : JSON.stringify(error)
}
