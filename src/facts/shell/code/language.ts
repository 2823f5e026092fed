import type { Found } from './found.ts'
import type { CodeSurroundings } from './recognised.ts'
import type { Lexis } from './tokens.ts'
import type { Value } from './value.ts'

/** A call, its arguments evaluated. */
export interface Call {
  readonly args: readonly Value[]
  readonly named: ReadonlyMap<string, Value>
  /** What stands in front of the dot, where that is a value and no module. */
  readonly receiver?: Value
  readonly found: Found
  readonly around: CodeSurroundings
  /** The n-th argument, or the one of that name. */
  readonly arg: (at: number, ...names: readonly string[]) => Value | undefined
}

/** What a call does, and what comes of it. */
export type Effect = (call: Call) => Value | undefined

/** What is known of a language. */
export interface Language {
  readonly lexis: Lexis
  /** Between the texts that it puts together. */
  readonly concat: readonly string[]
  /** Between an object and its member. */
  readonly members: readonly string[]
  /** Names that stand in front of an expression and change nothing of it here. */
  readonly prefixes: ReadonlySet<string>
  /** Whether a call may do without brackets: `system "x"`. */
  readonly bareCalls?: boolean
  /** Whether braces behind a name are an index: `$ENV{HOME}`. */
  readonly braceIndex?: boolean
  /** Whether a text or a table alone may be the argument: `require"os"`. */
  readonly textCalls?: boolean
  /** Whether texts that stand beside each other are one. */
  readonly adjacentTexts?: boolean
  /** Whether the end of a line ends an expression. */
  readonly lines?: boolean
  /** Whether `-` in front of a name or sigils are part of it: nothing else decides what a variable is. */
  readonly variable?: RegExp
  /** What quotes of a command do. `false`: they only make one. */
  readonly commandRuns?: boolean
  /** What a name stands for that nothing was assigned to. */
  readonly names: Readonly<Record<string, string>>
  /** Calls by the whole name: `os.remove`, `fs.rmSync`. */
  readonly calls: Readonly<Record<string, Effect>>
  /** Calls by the member's name, whatever stands in front. */
  readonly methods: Readonly<Record<string, Effect>>
  /** Values that are no calls: `process.env`, `os.sep`. */
  readonly constants: (name: string, around: CodeSurroundings) => Value | undefined
  /** What `name[key]` is, where that is known of the name. */
  readonly index: (name: string, key: Value, around: CodeSurroundings) => Value | undefined
  /** Whole names that are the same as others: `node:fs` is `fs`. */
  readonly canonical?: (name: string) => string
}
