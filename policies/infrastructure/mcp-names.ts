import { setOf, toolWords } from 'hookgate/policy'

/** Verbs that only look, at the start of a tool's name. */
const looks = setOf(
  'get list search find read view describe show count query fetch check preview validate explain lookup retrieve download export inspect'.split(
    ' ',
  ),
)

export const isLook = (parts: readonly string[]): boolean => looks.has(parts[0] ?? '')

/** The words of a tool's name. */
export interface ToolName {
  /** As it is written; `''` for a tool that belongs to no MCP server. */
  readonly server: string
  /** Without the server's prefix that some servers repeat. */
  readonly parts: readonly string[]
}

export function toolOf(name: string): ToolName {
  const [first = '', server = '', ...tool] = name.split('__')
  const words = toolWords(tool.length === 0 ? first : tool.join('_'))
  const repeated = setOf(toolWords(server))
  const own = words.filter((word, at) => at > 0 || !repeated.has(word))
  return { server, parts: own.length === 0 ? words : own }
}
