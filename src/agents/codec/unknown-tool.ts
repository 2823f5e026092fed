import { patchPaths } from './edits.ts'
import { isPatch } from './patch.ts'
import { carriedUse } from '../../tools/carried-use.ts'
import type { ToolUse } from '../../model/event.ts'
import type { JsonObject } from '../../model/json.ts'
import { toolWords } from '../../words/tool-words.ts'

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
  // A shell runs the lines of a patch too, unless the tool says that it takes patches.
  const isShell = use?.kind === 'shell' && !(toolWords(name).includes('patch') && isPatch(use.command))
  const patch = isShell ? undefined : Object.values(input).find(isPatch)
  // What a file is to hold may look like a patch, so the files that the input itself names count as well.
  if (patch !== undefined) {
    return { kind: 'edit', inferred: true, ...pathsOf([...(use?.paths ?? []), ...patchPaths(patch)]), content: patch }
  }
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
