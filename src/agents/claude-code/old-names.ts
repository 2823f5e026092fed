import { isJsonObject, type Json, type JsonObject } from '../../model/json.ts'

/** Fields beside `hookSpecificOutput`, with their former names and those of libraries that write snake case. */
const topLevel: Readonly<Record<string, readonly string[]>> = {
  continue: ['should_continue', 'shouldContinue'],
  stopReason: ['stop_reason'],
  systemMessage: ['system_message'],
  suppressOutput: ['suppress_output'],
  hookSpecificOutput: ['hook_specific_output'],
}

const specific: Readonly<Record<string, readonly string[]>> = {
  hookEventName: ['hook_event_name'],
  permissionDecision: ['permission_decision'],
  permissionDecisionReason: ['permission_decision_reason'],
  updatedInput: ['updated_input'],
  additionalContext: ['additional_context'],
  updatedToolOutput: ['updated_tool_output'],
  updatedPermissions: ['updated_permissions'],
}

interface Renamed {
  readonly object: JsonObject
  /** One notice for each old name found. */
  readonly notices: readonly string[]
}

/** Renames old fields of an answer. If both names are present, the current one counts. */
export function withTodaysNames(answer: JsonObject): Renamed {
  const notices: string[] = []
  const renamed = rename(answer, topLevel, notices)
  const inner = renamed['hookSpecificOutput']
  if (!isJsonObject(inner)) return { object: renamed, notices }
  const output = pluginBlock(rename(inner, specific, notices))
  const decision = output['decision']
  return {
    object: {
      ...renamed,
      hookSpecificOutput: isJsonObject(decision)
        ? { ...output, decision: rename(decision, specific, notices) }
        : output,
    },
    notices,
  }
}

function rename(object: JsonObject, names: typeof topLevel, notices: string[]): JsonObject {
  const renamed: Record<string, Json> = { ...object }
  for (const [today, before] of Object.entries(names)) {
    for (const old of before) {
      const value = object[old]
      if (value === undefined || !Object.hasOwn(object, old) || Object.hasOwn(renamed, today)) continue
      renamed[today] = value
      notices.push(`\`${old}\` is an old name for \`${today}\``)
    }
  }
  return renamed
}

/**
 * Translates the plugin format's refusal of a call.
 *
 * It is `{"hookEventName": "PreToolUse", "decision": "block", "reason": "…"}` inside `hookSpecificOutput`. Any other
 * `decision` there stays as it is, since Claude Code does not know the field.
 */
function pluginBlock(output: JsonObject): JsonObject {
  if (output['hookEventName'] !== 'PreToolUse' || output['decision'] !== 'block') return output
  const { decision: _decision, reason, ...rest } = output
  return {
    ...rest,
    permissionDecision: 'deny',
    ...(typeof reason === 'string' && { permissionDecisionReason: reason }),
  }
}
