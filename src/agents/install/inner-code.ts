import type { InstallSite } from './install.ts'

/**
 * Code that an agent loads into its own process, where it stands above hooks: it may answer in their place, or act without
 * a call that they would see.
 */
export interface InnerCode {
  /** What people call one, with its article: `the mod`. */
  readonly title: string
  /** The names by which the agent's program is started. */
  readonly programs: readonly string[]
  /** Matches an option of the program with which it loads such code, with or without its value. */
  readonly options: RegExp
  /** Matches the first words of a command of the program that brings such code in, joined by spaces. */
  readonly commands: RegExp
  /** Environment variables from which it loads such code. */
  readonly variables: readonly string[]
  /** Matches settings, given with the command as JSON, that bring such code in. */
  readonly settings: RegExp
  /** Matches a file of a project that names such code, and a text in it with which it does; absent if there is none. */
  readonly line?: { readonly file: RegExp; readonly text: RegExp }
  /** Finds what is loaded in a project and could overrule hooks. */
  readonly found: (site: InstallSite) => readonly FoundCode[]
  /** What an administrator can do about it, as a phrase. */
  readonly remedy: (site: InstallSite) => string
}

export interface FoundCode {
  /** Its folder. */
  readonly folder: string
  /** What it uses that could overrule hooks, by the agent's own names. */
  readonly uses: readonly string[]
  /** The file of an administrator that keeps it from that; absent where none does. */
  readonly heldBy?: string | undefined
}
