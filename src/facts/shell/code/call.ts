import type { CodeLanguage } from '../../../model/shell.ts'
import type { CodeEnvironment, Findings } from './findings.ts'
import { unknown, type Value } from './values.ts'

/** A call with evaluated arguments. The receiver of a method is its first argument. */
export interface CodeCall {
  readonly args: readonly Value[]
  readonly named: ReadonlyMap<string, Value>
  readonly language: CodeLanguage
  readonly findings: Findings
  readonly environment: CodeEnvironment
  /** Makes another call instead of this one. */
  readonly apply: (callee: Value, args: readonly Value[]) => Value
}

/** Records what a call does, and returns its value. */
export type CodeEffect = (call: CodeCall) => Value

export const argument = ({ args, named }: CodeCall, at: number, ...names: readonly string[]): Value =>
  args[at] ?? names.map((name) => named.get(name)).find((one) => one !== undefined) ?? unknown

/** Returns a named argument, or an entry of a map among the others: `recursive=True`, `{ recursive: true }`. */
export const option = ({ args, named }: CodeCall, name: string): Value =>
  named.get(name) ?? args.flat().flatMap((form) => (form.kind === 'map' ? (form.entries.get(name) ?? []) : []))
