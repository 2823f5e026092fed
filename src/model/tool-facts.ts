import { z } from 'zod'
import type { ToolKind } from './event.ts'
import type { Impact } from './impact.ts'
import { commandPlaces, type ShellFacts, type ShellSurroundings, type TouchedPath } from './shell.ts'

/** Facts that the host derives from a tool call by static analysis. Policies judge them instead of text. */
export interface ToolFacts {
  /** Facts of a shell command; empty for any other tool. */
  readonly shell: ShellFacts
  /** Every path that the tool touches: those in its input, then those of commands that run on this machine. */
  readonly paths: readonly TouchedPath[]
  /** Changes that the call makes in files, as far as its text and the files on the disk tell. */
  readonly changes: readonly TextChange[]
  /** What it would do to what others depend on. */
  readonly impacts: readonly Impact[]
  /** Shell commands that the call does not run, but has run later or by others. */
  readonly carried?: readonly CarriedCommands[]
}

/** Shell commands in what a call writes into a file, or tells another agent to do. */
export interface CarriedCommands {
  readonly place: CommandPlace
  /** As in the path of a `TextChange`. */
  readonly path?: string
  /** Those that are new, each as a shell of its own. */
  readonly command: string
  /** Those that the file had before. */
  readonly before: string
  /**
   * Set for a script, which deletes and starts what a person has it do: what policies ask about in a single command is
   * everyday there, what they refuse is not.
   */
  readonly refusedOnly?: true
}

/**
 * What a call changes in one file: an edit, a patch, a notebook's cell, a file that is written whole, or a shell command
 * whose text says what it writes.
 *
 * Lines count: one that only moves within the file, or is indented otherwise, is neither removed nor added. Lines that did
 * not stand together are separated by an empty line.
 */
export interface TextChange {
  /** As in the path's `absolute`, or if that is unknown, as it is written. */
  readonly path: string
  /** Empty for a new file, and where the old text is unknown. */
  readonly removed: string
  readonly added: string
  /** The shell commands that are new in a file of another language, such as a makefile, if that is read. */
  readonly commands?: string
  /**
   * Set if the file is known by its name to hold commands or code that something runs later: whether the commands in it
   * are judged, or are not looked for, as the text is too large.
   */
  readonly runLater?: 'read' | 'unread'
  /** The shell command that changes it, by its place in `shell.commands`. */
  readonly at?: number
  /** The whole file before and after: of JSON in a folder whose name begins with a dot, where both are certain. */
  readonly file?: { readonly before: string; readonly after: string }
}

/** The texts of a file before and after a call. */
export interface FileTexts {
  /** As the agent wrote it. */
  readonly path: string
  readonly before: string
  readonly after: string
  /** Set if `after` is the whole file, and `before` is what the disk has. */
  readonly whole?: true
  /** Set if the one place in the file that has `before` gets `after`, and nothing else changes. */
  readonly exact?: true
  /** The cell of a notebook that `after` replaces; `before` is in the file. */
  readonly cell?: string
  /** As in `TextChange`. */
  readonly at?: number
  /** Set if it is text for people: a notebook's cell that is no code. */
  readonly isProse?: true
}

/** A file or folder that a call's input names besides those under the keys of files, and what is taken to happen to it. */
export interface CarriedPlace {
  readonly path: string
  readonly access: 'read' | 'write'
  /** Everything below it as well. */
  readonly recursive: boolean
}

/** An address that a tool fetches by itself. */
export interface FetchedByTool {
  readonly name: string
  readonly url: string
  /** In upper case. */
  readonly method: string
}

/** The parts of a tool call from which `ToolFacts` are derived. */
export interface ToolCall {
  readonly kind: ToolKind
  /** The shell command. */
  readonly command?: string
  /** Set if PowerShell runs the command. */
  readonly isPowershell?: true
  /** Set where nobody asks what it does to others: impacts are then not looked for. */
  readonly withoutImpacts?: true
  /** Asks which of its commands only look. */
  readonly asksForHarmless?: true
  /** What another agent is told. */
  readonly prompt?: string
  /** Every file that the input names, as the agent wrote it. */
  readonly paths: readonly string[]
  /** Patterns of the files that it lists, searches or reads, relative to the first of `paths`. */
  readonly globs?: readonly string[]
  /** What its input names under other keys, and may be read or written with everything below it. */
  readonly places?: readonly CarriedPlace[]
  /** Set for a tool that no table has: where it reads a folder, it may read all that is in it. */
  readonly isUnlisted?: true
  /** What a tool for the web fetches. */
  readonly fetched?: FetchedByTool
  /** Name and input of a tool of an MCP server, or of a browser. */
  readonly named?: { readonly name: string; readonly input: unknown }
  /** Name and input of a tool that searches. */
  readonly search?: { readonly name: string; readonly input: unknown }
  /** Of the files that a tool writes or edits. */
  readonly texts?: readonly FileTexts[]
}

/** True for tools whose name and input say what they do. */
export const isNamedTool = (kind: ToolKind): boolean => kind === 'mcp' || kind === 'browser'

/** Derives the facts from the call and its surroundings alone. */
export type FindToolFacts = (call: ToolCall, around: ShellSurroundings) => Promise<ToolFacts>

export const noShellFacts: ShellFacts = Object.freeze({
  commands: Object.freeze([]),
  flows: Object.freeze([]),
  uncertain: Object.freeze([]),
})

/** Returns true if the facts are empty. */
export const isNoShell = ({ commands, uncertain, forkBomb, harmless }: ShellFacts): boolean =>
  harmless === undefined && commands.length === 0 && uncertain.length === 0 && forkBomb !== true

export const noToolFacts: ToolFacts = Object.freeze({
  shell: noShellFacts,
  paths: Object.freeze([]),
  changes: Object.freeze([]),
  impacts: Object.freeze([]),
})

export const CommandPlace = z.enum(commandPlaces)
export type CommandPlace = z.infer<typeof CommandPlace>
