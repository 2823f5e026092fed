import { agentNames } from '../../agents/registry.ts'
import type { Matcher } from '../../model/rule.ts'
import { knownToolNames, toolKind, toolSpellings } from '../../agents/tool-names.ts'
import { takesLong } from './matcher.ts'

/**
 * Whether no tool that is known is heard by both of two matchers. There may always be an MCP tool that is, or one that is
 * not known, where both leave room for it.
 */
export function neverBoth(a: Matcher, b: Matcher): boolean {
  if (a.kind === 'any' || b.kind === 'any') return false
  if (hearsUnknown(a) && hearsUnknown(b)) return false
  if ([a, b].some((one) => takesLong(one))) return false
  return !knownCalls().some((spellings) => hearsOne(a, spellings) && hearsOne(b, spellings))
}

/** Every known tool of every agent, by all the names that a matcher may use for it. */
function knownCalls(): readonly (readonly string[])[] {
  return agentNames.flatMap((agent) =>
    [...knownToolNames].flatMap((name) => {
      const kind = toolKind(agent, name)
      return kind === 'other' || kind === 'mcp' ? [] : [toolSpellings(agent, name, kind)]
    }),
  )
}

function hearsOne(matcher: Matcher, spellings: readonly string[]): boolean {
  switch (matcher.kind) {
    case 'any':
      return true
    case 'names':
      return spellings.some((name) => matcher.names.includes(name))
    case 'pattern':
      return spellings.some((name) => matcher.pattern.test(name))
  }
}

function hearsUnknown(matcher: Matcher): boolean {
  switch (matcher.kind) {
    case 'any':
    case 'pattern':
      return true
    case 'names':
      return matcher.names.some((name) => name === 'mcp' || name === 'other' || !knownToolNames.has(name))
  }
}
