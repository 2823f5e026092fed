import { fileTexts } from '../../../agents/codec/edits.ts'
import { globsIn } from '../../../agents/tool-names.ts'
import type { PolicyInput } from '../../../model/policy.ts'
import { isNamedTool, type ToolCall } from '../../../model/tool-facts.ts'
import { carriedPlaces } from '../../../tools/carried-use.ts'

/** Returns an example's tool call, with what facts about it are determined from. */
export function exampleCall({ event, tool, same = {} }: PolicyInput): ToolCall | undefined {
  if (tool === undefined) return undefined
  const { kind, name, paths, input } = tool
  const command = same['command'] === undefined ? undefined : input[same['command']]
  const globs = globsIn(event.agent, name, kind, input)
  const content = input[same['content'] ?? '']
  const texts = fileTexts(event.agent, { kind, name, input, ...(typeof content === 'string' && { content }) }, paths)
  const isUnlisted = kind === 'mcp' || kind === 'other'
  const places = isUnlisted ? carriedPlaces({ kind, name, isServer: kind === 'mcp' }, paths, input) : []
  return {
    kind,
    paths,
    globs,
    places,
    texts,
    ...(isNamedTool(kind) && { named: { name, input } }),
    ...(kind === 'fetch' &&
      typeof input['url'] === 'string' && { fetched: { name, url: input['url'], method: 'GET' } }),
    ...(kind === 'search' && { search: { name, input } }),
    ...(isUnlisted && { isUnlisted }),
    ...(typeof command === 'string' && { command }),
  }
}
