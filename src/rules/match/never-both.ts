import { agentNames } from '../../agents/registry.ts'
import type { Matcher } from '../../model/rule.ts'
import { knownToolNames, toolKind, toolSpellings } from '../../agents/tool-names.ts'
import { takesLong } from './matcher.ts'

/**
 * Returns whether no known tool matches both matchers.
 *
 * Where both also match unknown tools, such as MCP tools, the answer is always false.
 */
export function neverBoth(a: Matcher, b: Matcher): boolean {
  if (a.kind === 'any' || b.kind === 'any') return false
  if (matchesUnknown(a) && matchesUnknown(b)) return false
  if ([a, b].some((one) => takesLong(one))) return false
  return !knownCalls().some((spellings) => matchesOne(a, spellings) && matchesOne(b, spellings))
}

/** Returns every known tool of every agent, each as all the names that a matcher may use for it. */
function knownCalls(): readonly (readonly string[])[] {
  return agentNames.flatMap((agent) =>
    [...knownToolNames].flatMap((name) => {
      const kind = toolKind(agent, name)
      return kind === 'other' || kind === 'mcp' ? [] : [toolSpellings(agent, name, kind)]
    }),
  )
}

function matchesOne(matcher: Matcher, spellings: readonly string[]): boolean {
  switch (matcher.kind) {
    case 'any':
      return true
    case 'names':
      return spellings.some((name) => matcher.names.includes(name))
    case 'pattern':
      return spellings.some((name) => matcher.pattern.test(name))
  }
}

function matchesUnknown(matcher: Matcher): boolean {
  switch (matcher.kind) {
    case 'any':
    case 'pattern':
      return true
    case 'names':
      return matcher.names.some((name) => name === 'mcp' || name === 'other' || !knownToolNames.has(name))
  }
}
