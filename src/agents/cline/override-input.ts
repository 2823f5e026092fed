import { resolve } from 'node:path'
import type { HookEvent } from '../../model/event.ts'
import type { Json, JsonObject } from '../../model/json.ts'
import { rewriteFor } from '../rewrite.ts'
import { ClassicInput } from './schemas.ts'

type Overridden =
  | { readonly kind: 'input'; readonly input: JsonObject }
  | { readonly kind: 'untranslatable'; readonly why: string }

/** Translates a hook's `overrideInput` into the calling agent's keys; returns `undefined` if there is none. */
export function overriddenInput(
  event: HookEvent,
  sent: JsonObject,
  override: JsonObject | undefined,
): Overridden | undefined {
  if (override === undefined) return undefined
  if (event.action === undefined) {
    return untranslatable(`\`overrideInput\` at ${event.name}, which has no tool input to replace`)
  }
  if (event.agent === 'cline') return { kind: 'input', input: override }
  const call = ClassicInput.safeParse(sent).data
  const { toolName = '', parameters = {} } = call?.preToolUse ?? call?.postToolUse ?? {}
  const input = rewriteFor(event.agent, event.action, {
    agent: 'cline',
    toolName,
    sent: absolutePath(event, parameters),
    updated: absolutePath(event, override),
  })
  if (input !== undefined) return { kind: 'input', input }
  return untranslatable(
    `its \`overrideInput\` changes more of \`${toolName}\` than fits into the input of \`${event.action.name}\` of ${event.agent}`,
  )
}

const untranslatable = (why: string): Overridden => ({ kind: 'untranslatable', why })

/** Resolves a path: Cline hooks use paths relative to the workspace root, other agents' tools absolute ones. */
function absolutePath(event: HookEvent, input: JsonObject): JsonObject {
  const path: Json | undefined = input['path']
  if (typeof path !== 'string') return input
  return { ...input, path: resolve(event.workspaceRoots[0] ?? event.session.cwd, path) }
}
