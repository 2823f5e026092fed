import { patchPaths } from './edits.ts'
import { carriedUse } from '../model/carried-use.ts'
import type { ToolUse } from '../model/event.ts'
import type { JsonObject } from '../model/json.ts'
import { toolWords } from '../model/tool-words.ts'

type UnknownUse = Pick<ToolUse, 'kind' | 'inferred' | 'paths' | 'path' | 'command' | 'url' | 'content'>

/**
 * Returns what a call of a tool does that the agent's table does not have: a tool of a newer version, of an extension,
 * or of another agent that runs hooks written for this one. It is judged by what its input carries.
 *
 * INVARIANT: this only tightens. An inferred kind subjects the call to more rules; whatever allows a call must name its
 * tool.
 */
export function unknownToolUse(name: string, input: JsonObject): UnknownUse {
  const use = carriedUse(name, input)
  const patch = use?.kind !== 'shell' || toolWords(name).includes('patch') ? patchIn(input) : undefined
  if (patch !== undefined) return { kind: 'edit', inferred: true, ...pathsOf(patchPaths(patch)), content: patch }
  if (use === undefined) {
    const { url } = input
    return typeof url === 'string' && url.trim() !== '' ? { kind: 'fetch', inferred: true, url } : { kind: 'other' }
  }
  const { kind, paths, ...carried } = use
  return { ...(kind === undefined ? { kind: 'other' } : { kind, inferred: true }), ...pathsOf(paths), ...carried }
}

function pathsOf(paths: readonly string[]): Pick<ToolUse, 'paths' | 'path'> {
  const [path] = paths
  return path === undefined ? {} : { paths, path }
}

/** Returns the text of a patch in the format of `apply_patch`, which names its files itself. */
function patchIn(input: JsonObject): string | undefined {
  return Object.values(input).find(
    (value): value is string => typeof value === 'string' && /^\s*\*\*\* Begin Patch\r?\n/.test(value),
  )
}
