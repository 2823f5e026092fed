import type { AnyNode } from 'acorn'

/** Something that is not constant, where it begins, and what to write instead. */
export interface Flaw {
  readonly at: number
  readonly what: string
  readonly remedy: string
}

/** What the names of a module's top level stand for. */
export interface ConstantNames {
  /** Whether it is one of them, and cannot be given another value. */
  isFixed(name: string): boolean
  /** What a `const` is given, or a function. */
  written(name: string): AnyNode | undefined
  /** Whether it is imported, and so frozen with all that it reaches before this module is made. */
  isImported(name: string): boolean
  /** Whether it is the library's `tableOf`, which for now is only its name. */
  isTableOf(name: string, at: number): boolean
  /** Whether it may be called, which for an imported one turns out when it is linked. */
  mayCall(name: string, at: number): boolean
}
