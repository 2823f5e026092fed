import type { Impact } from '../../model/impact.ts'
import type { TouchedPath } from '../../model/shell.ts'
import { findsSecrets, fitsAll, isWideRead } from '../../words/secret-searches.ts'
import { readCall, type NamedTool } from './mcp/tool.ts'

/** Fields of a search that hold what is searched for. */
const searching = /^(?:pattern|query|queries|regex|regexp)$/i

/** Returns the impact of a search tool that goes through a whole home or machine, and looks for keys or prints all. */
export function searchedByTool(tool: NamedTool, paths: readonly TouchedPath[]): readonly Impact[] {
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
