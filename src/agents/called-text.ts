import type { ToolUse } from '../model/event.ts'
import type { Environment } from '../model/node-environment.ts'

/** Texts that a call only names, and in which an agent runs shell commands before the model reads them. */
export interface CalledText {
  /** Returns the files that the call may name, absolute; none for any other call. */
  readonly files: (tool: ToolUse, site: CalledSite) => readonly string[]
  /** Returns the commands in such a text, as they would run. */
  readonly commands: (text: string, tool: ToolUse) => readonly string[]
}

interface CalledSite {
  /** Absolute. */
  readonly roots: readonly string[]
  readonly home: () => string
  readonly env: Environment
}
