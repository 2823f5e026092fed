import type { ToolKind } from './event.ts'
import type { ShellFacts, ShellSurroundings, TouchedPath } from './shell.ts'

/** What the host finds out of a tool call itself, without running anything: what policies judge instead of text. */
export interface ToolFacts {
  /** Of a shell's command; of any other tool there is nothing in it. */
  readonly shell: ShellFacts
  /** Every path that the tool touches: of a shell, those of all its commands together. */
  readonly paths: readonly TouchedPath[]
}

/** What they are found in. */
export interface ToolCall {
  readonly kind: ToolKind
  /** The shell command. */
  readonly command?: string
  /** Every file that the input names, as the agent wrote it. */
  readonly paths: readonly string[]
}

/** Finds them, by the call and what is told of its surroundings alone. */
export type FindToolFacts = (call: ToolCall, around: ShellSurroundings) => Promise<ToolFacts>

export const noShellFacts: ShellFacts = Object.freeze({
  commands: Object.freeze([]),
  flows: Object.freeze([]),
  uncertain: Object.freeze([]),
})

export const noToolFacts: ToolFacts = Object.freeze({ shell: noShellFacts, paths: Object.freeze([]) })
