import { edited } from '../edits.ts'
import type { Mutant, Mutator } from './mutant.ts'
import { flagChanges, patternChanges } from './pattern-changes.ts'

/** Changes regular expressions so that they match a little more or a little less. */
export const patternMutants: Mutator = ({ node }, source) => {
  if (node.type !== 'Literal' || node.regex === undefined) return []
  const { pattern, flags } = node.regex
  const was = source.textOf(node)
  const bodyEnd = node.start + 1 + pattern.length
  const hint = 'an example that only one of the two matches'
  const parts = patternChanges(pattern).flatMap((edit): readonly Mutant[] => {
    const changed = edited(pattern, edit)
    if (!compiles(changed, flags)) return []
    const now = literal(changed, flags)
    // An empty pattern is written `(?:)`, because `//` would be a comment.
    const whole = { start: node.start + 1, end: bodyEnd, replacement: '(?:)' }
    const part = { ...edit, start: edit.start + node.start + 1, end: edit.end + node.start + 1 }
    return [{ ...(changed === '' ? whole : part), kind: 'pattern', was, now, hint }]
  })
  const withoutFlags = flagChanges(pattern, flags).map((left): Mutant => {
    const now = literal(pattern, left)
    return { kind: 'pattern', start: bodyEnd + 1, end: node.end, replacement: left, was, now, hint }
  })
  return [...parts, ...withoutFlags.filter(({ replacement }) => compiles(pattern, replacement))]
}

const literal = (pattern: string, flags: string) => `/${pattern || '(?:)'}/${flags}`

function compiles(pattern: string, flags: string): boolean {
  try {
    return new RegExp(pattern, flags) instanceof RegExp
  } catch {
    return false
  }
}
