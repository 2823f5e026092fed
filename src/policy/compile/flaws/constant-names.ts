import type { AnyNode } from 'acorn'

/** A non-constant construct: its offset, its description in a message, and the remedy. */
export interface Flaw {
  readonly at: number
  readonly what: string
  readonly remedy: string
}

/** Answers questions about the top-level names of a module. */
export interface ConstantNames {
  /** Returns true for a top-level name that cannot be reassigned. */
  isFixed(name: string): boolean
  /** Returns the initial value of a `const`, or the function of that name. */
  written(name: string): AnyNode | undefined
  /** Returns true for an import, which is deeply frozen before this module runs. */
  isImported(name: string): boolean
  /** Returns true for an import of the library's `tableOf`. */
  isTableOf(name: string, at: number): boolean
  /** Returns true if a function may be called at the top level. Imported functions are checked later, when linked. */
  mayCall(name: string, at: number): boolean
}
