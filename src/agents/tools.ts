import type { ToolKind } from '../model/event.ts'

/**
 * The purposes of tools, in the order of lookup, each with its kind.
 *
 * A rule that names one agent's tool matches the tools of every agent that have the same purpose.
 */
export const toolPurposes = {
  shell: 'shell',
  powershell: 'shell',
  /** Watches a command or a socket. */
  monitor: 'shell',
  read: 'read',
  readMany: 'read',
  write: 'write',
  edit: 'edit',
  /** A new file created by a patch. By the tool's name alone it is an edit, as most patches are. */
  newPatch: 'write',
  multiEdit: 'edit',
  patch: 'edit',
  insertEdit: 'edit',
  multiReplace: 'edit',
  notebook: 'edit',
  delete: 'edit',
  search: 'search',
  list: 'list',
  listFolder: 'list',
  listDefinitions: 'list',
  fetch: 'fetch',
  websearch: 'websearch',
  browser: 'browser',
  agent: 'agent',
} as const satisfies Readonly<Record<string, ToolKind>>
type ToolPurpose = keyof typeof toolPurposes

/** The keys under which an agent's tool input has the common fields: `{path: 'file_path'}`. */
export interface ToolFields {
  readonly path?: string
  readonly command?: string
  /** A key that has a list of commands, or one of them, in place of `command` or beside it. */
  readonly commands?: string
  /** A key that a shell tool accepts in place of a command; the tool then runs nothing. */
  readonly insteadOfCommand?: string
  /** A key with the variables that are set for the command. */
  readonly variables?: string
  readonly url?: string
  /** The text that is written, or that replaces another. */
  readonly content?: string
  /** The text that is replaced. */
  readonly replaced?: string
  readonly pattern?: string
  readonly glob?: string
  readonly prompt?: string
  /** A patch in the format of `apply_patch`: its own lines name the files it touches. */
  readonly patch?: string
  /** A list of edits, each of a file of its own: `path`, `content` and `replaced` are keys of its members. */
  readonly edits?: string
  /** The fields whose values are lists of texts. */
  readonly lists?: readonly ('glob' | 'url')[]
}
export type ToolField = Exclude<keyof ToolFields, 'lists'>

/** An agent's tools by purpose: their names, the first being the one it sends, and the keys of their input. */
export type AgentTools = {
  readonly [Purpose in ToolPurpose]?: readonly [names: string | readonly string[], fields?: ToolFields]
}

// Fields that several agents have adopted from Claude Code.
export const filePath = { path: 'file_path' } as const
export const whole = { path: 'file_path', content: 'content' } as const
export const part = { path: 'file_path', content: 'new_string', replaced: 'old_string' } as const
