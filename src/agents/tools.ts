import type { ToolKind } from '../model/event.ts'

/**
 * What tools are for, in the order in which they are looked up, each with its kind. A rule that names one agent's tool
 * matches the tools of every agent that have the same purpose.
 */
export const toolPurposes = {
  shell: 'shell',
  powershell: 'shell',
  /** It watches a command or a socket. */
  monitor: 'shell',
  read: 'read',
  readMany: 'read',
  write: 'write',
  edit: 'edit',
  /** A new file by a patch. By the tool's name alone it is an edit, as most patches are. */
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
export type ToolPurpose = keyof typeof toolPurposes

/** Under which key of its input an agent's tool keeps what is common to all: `{path: 'file_path'}`. */
export interface ToolFields {
  readonly path?: string
  readonly command?: string
  /** What a shell tool may be given in place of a command, and runs nothing then. */
  readonly insteadOfCommand?: string
  readonly url?: string
  /** What is written, or what replaces another text. */
  readonly content?: string
  /** The text that is replaced. */
  readonly replaced?: string
  readonly pattern?: string
  readonly glob?: string
  readonly prompt?: string
  /** A patch in the format of `apply_patch`: the files it touches stand in its own lines. */
  readonly patch?: string
  /** A list of edits, each in a file of its own: `path`, `content` and `replaced` are keys of its members. */
  readonly edits?: string
  /** Those of them that are lists of texts. */
  readonly lists?: readonly ('glob' | 'url')[]
}
export type ToolField = Exclude<keyof ToolFields, 'lists'>

/** An agent's tools by their purpose: their names, the first being the one it sends, and where their input keeps what. */
export type AgentTools = {
  readonly [Purpose in ToolPurpose]?: readonly [names: string | readonly string[], fields?: ToolFields]
}

// Fields that several agents have from Claude Code.
export const filePath = { path: 'file_path' } as const
export const whole = { path: 'file_path', content: 'content' } as const
export const part = { path: 'file_path', content: 'new_string', replaced: 'old_string' } as const
