import type { EffectRows } from './effects.ts'
import type { StringForm } from './strings.ts'
import type { Value } from './values.ts'

/** A row of the scanner: how a language is written, and what its calls do. Expressions are sticky. */
export interface Language {
  /** White space and comments. */
  readonly blank: RegExp
  readonly name: RegExp
  /** The first form that fits is read. */
  readonly strings: readonly StringForm[]
  /** Operators between texts that are put together. */
  readonly concat: readonly string[]
  /** Operators between an object and its member. */
  readonly members: readonly string[]
  /** Calls without brackets: by any argument, `system "x"`, or by a text in these quotes alone, `require"os"`. */
  readonly bareCalls?: 'any' | RegExp
  /** The end of a line ends an expression. */
  readonly lines?: true
  /** Braces behind a name are an index: `$ENV{HOME}`. */
  readonly braceIndex?: true
  /** Texts that stand beside each other are one. */
  readonly adjacentTexts?: true
  /** Effects of calls by their whole name, which a blank separates: `os.remove os.unlink`. */
  readonly calls: EffectRows
  /** Effects of calls by the name of a member, whatever text or list it is a member of. That is their first argument. */
  readonly methods?: EffectRows
  /** Tables of the environment's variables. */
  readonly environment?: string
  /** The list of the command line's arguments, and how many items it has in front of them. */
  readonly parameters?: { readonly name: string; readonly skips: number }
  readonly constants?: Readonly<Record<string, Value>>
  /** The name under which the tables have a name that is spelled in several ways: `node:fs` is `fs`. */
  readonly canonical?: (name: string) => string
}
