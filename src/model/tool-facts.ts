import type { ToolKind } from './event.ts'
import type { ShellFacts, ShellSurroundings, TouchedPath } from './shell.ts'

/** Facts that the host derives from a tool call by static analysis. Policies judge them instead of text. */
export interface ToolFacts {
  /** Facts of a shell command; empty for any other tool. */
  readonly shell: ShellFacts
  /** Every path that the tool touches: those in its input, then those of commands that run on this machine. */
  readonly paths: readonly TouchedPath[]
}

/** The parts of a tool call from which `ToolFacts` are derived. */
export interface ToolCall {
  readonly kind: ToolKind
  /** The shell command. */
  readonly command?: string
  /** Every file that the input names, as the agent wrote it. */
  readonly paths: readonly string[]
  /** Patterns of the files that it lists, searches or reads, relative to the first of `paths`. */
  readonly globs?: readonly string[]
}

/** Derives the facts from the call and its surroundings alone. */
export type FindToolFacts = (call: ToolCall, around: ShellSurroundings) => Promise<ToolFacts>

export const noShellFacts: ShellFacts = Object.freeze({
  commands: Object.freeze([]),
  flows: Object.freeze([]),
  uncertain: Object.freeze([]),
})

/** Returns true if the facts are empty. */
export const isNoShell = ({ commands, uncertain, forkBomb }: ShellFacts): boolean =>
  commands.length === 0 && uncertain.length === 0 && forkBomb !== true

export const noToolFacts: ToolFacts = Object.freeze({ shell: noShellFacts, paths: Object.freeze([]) })
