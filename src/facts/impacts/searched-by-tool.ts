import type { Impact } from '../../model/impact.ts'
import type { TouchedPath } from '../../model/shell.ts'
import { findsSecrets, fitsAll, isWideRead } from './readers/secret-searches.ts'
import { readCall, type NamedTool } from './mcp/tool.ts'

/** Names of a search tool's fields that hold the pattern. */
const searching = /^(?:pattern|query|queries|regex|regexp)$/i

/** Finds a search by a tool through a whole home or machine, for keys or with a pattern that matches every line. */
export function findToolSearches(tool: NamedTool, paths: readonly TouchedPath[]): readonly Impact[] {
  if (!paths.some(isWideRead)) return []
  const found = readCall(tool).texts.find(
    ({ key, text }) => findsSecrets(text) || (searching.test(key) && fitsAll(text)),
  )
  if (found === undefined) return []
  return [
    {
      kind: 'show',
      thing: 'secret',
      area: 'secret-searches',
      object: 'what looks like a key, far beyond the project',
      names: [],
      where: 'unknown',
      extent: 'all',
      undo: 'work',
      instead: 'name the file that is needed',
      by: found.key,
      words: tool.name,
      command: tool.name,
      targets: {},
    },
  ]
}
