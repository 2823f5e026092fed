import type { ToolKind } from './event.ts'
import type { ShellFacts, ShellSurroundings, TouchedPath } from './shell.ts'

/** What the host finds out of a tool call itself, without running anything: what policies judge instead of text. */
export interface ToolFacts {
  /** Of a shell's command; of any other tool there is nothing in it. */
  readonly shell: ShellFacts
  /** Every path that the tool touches: those that its input names, then those of the commands that run on this machine. */
  readonly paths: readonly TouchedPath[]
}

/** What they are found in. */
export interface ToolCall {
  readonly kind: ToolKind
  /** The shell command. */
  readonly command?: string
  /** Every file that the input names, as the agent wrote it. */
  readonly paths: readonly string[]
  /** The files that it lists, searches or reads, below the first of these paths, where it says so by patterns. */
  readonly globs?: readonly string[]
}

/** Finds them, by the call and what is told of its surroundings alone. */
export type FindToolFacts = (call: ToolCall, around: ShellSurroundings) => Promise<ToolFacts>

export const noShellFacts: ShellFacts = Object.freeze({
  commands: Object.freeze([]),
  flows: Object.freeze([]),
  uncertain: Object.freeze([]),
})

/** Whether there is nothing in it. */
export const isNoShell = ({ commands, uncertain, forkBomb }: ShellFacts): boolean =>
  commands.length === 0 && uncertain.length === 0 && forkBomb !== true

export const noToolFacts: ToolFacts = Object.freeze({ shell: noShellFacts, paths: Object.freeze([]) })
