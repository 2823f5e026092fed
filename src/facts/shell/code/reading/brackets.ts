import type { Token } from '../tokens.ts'
import { isMark, isName } from './state.ts'

/** What stands where in the same brackets, found once for all tokens of a text: looking for it anew takes ever longer. */
export interface Brackets {
  /** The bracket that closes the one at a place. */
  readonly closing: (open: number) => number | undefined
  /** What comes first from a place on, in the same brackets: a loop, the end of a statement, or of the brackets. */
  readonly landmark: (from: number) => number | undefined
}

const known = new WeakMap<readonly Token[], Brackets>()

export function bracketsOf(tokens: readonly Token[]): Brackets {
  const before = known.get(tokens)
  if (before !== undefined) return before
  const closings = new Map<number, number>()
  const landmarks: (number | undefined)[] = []
  /** Of each bracket that is open, seen from behind: where it closes, and what was seen in it last. */
  const open: { readonly close: number | undefined; next: number | undefined }[] = [
    { close: undefined, next: undefined },
  ]
  for (let at = tokens.length - 1; at >= 0; at--) {
    const token = tokens[at]
    const isOpen = isMark(token, '(', '[', '{')
    const inside = isOpen && open.length > 1 ? open.pop() : undefined
    if (inside?.close !== undefined) closings.set(at, inside.close)
    const here = open.at(-1)
    if (isMark(token, ')', ']', '}')) open.push({ close: at, next: at })
    else if (here !== undefined && (isMark(token, ';') || isName(token, 'for', 'foreach'))) here.next = at
    landmarks[at] = open.at(-1)?.next
  }
  const brackets: Brackets = { closing: (at) => closings.get(at), landmark: (from) => landmarks[from] }
  known.set(tokens, brackets)
  return brackets
}
