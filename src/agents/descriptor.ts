import type { ScriptLanguage } from '../files/script-language.ts'
import type { OnFailure } from '../model/effect.ts'
import type { Answer } from '../model/dialect.ts'
import type { EventName, ToolUse } from '../model/event.ts'
import type { AgentInstall, InnerCode } from './install/install.ts'
import type { ManagedInstall } from './install/managed.ts'
import type { OwnRule, OwnRulesSite } from './install/own-rules.ts'
import type { SwitchVariables } from './install/switch-variables.ts'
import type { AgentEvent } from './table/events.ts'
import type { ShellExit } from './table/shell-exit.ts'
import type { AgentTools } from './tools.ts'
import type { DatabaseTokens, SessionStore } from './transcripts.ts'
import type { Environment } from '../model/node-environment.ts'

/**
 * Describes one agent as data: every list of agents is derived from these descriptors.
 *
 * A descriptor imports the model and the table machinery of this folder and nothing else, so that every layer above may
 * read it.
 */
export interface AgentDescriptor<Name extends string = string> {
  readonly name: Name
  /** The product's name as people write it. */
  readonly title: string
  /** Folders that belong to this agent alone, in a home directory or a project. Their names begin with a dot. */
  readonly folders: readonly `.${string}`[]
  /** Folders in a home directory that are there once the agent is installed. Default: `folders`. */
  readonly installedFolders?: readonly string[]
  /**
   * Files and folders that decide which hooks the agent runs, below a home directory or a project. Self-protection keeps
   * the agent from changing them. `*` stands for any one name; a folder with such a name may still be moved as a whole.
   */
  readonly hookSettings: readonly string[]
  /** Commands of its own program with which it asks hookgate no longer; absent if none is known. */
  readonly offCommands?: OffCommands
  /** Code that the agent loads into its own process, above its hooks; absent if there is none. */
  readonly innerCode?: InnerCode
  /** Fields at the top of its events that no other agent sends: an event with one of them is taken for no other's. */
  readonly ownFields?: readonly string[]
  /** Its events under its own names. The first name of a common event is the one sent to the agent's hooks. */
  readonly events: Readonly<Record<string, AgentEvent>>
  /**
   * Reads the exit code of a shell command where one that fails comes as one that has succeeded, and the event has the
   * code in a form of the agent's own, as measured.
   */
  readonly shellExit?: ShellExit
  readonly tools: AgentTools
  /** Texts with shell commands that a call names; absent if no tool has such. */
  readonly calledText?: CalledText
  /** Returns the agent's name of an MCP tool; absent if that is `mcp__<server>__<tool>`, as in a `HookEvent`. */
  readonly mcpName?: (server: string, tool: string) => string
  /** Encodes an answer as the body of an HTTP hook's response; absent if the agent has no HTTP hooks. */
  readonly httpBody?: (answer: Answer, event: EventName | undefined) => string
  /**
   * Environment variables that the agent sets for every process it starts, and that therefore belong to one session.
   */
  readonly exposedEnv: readonly string[]
  /** Frequent mistakes in hooks written for the agent. */
  readonly lints?: readonly (TextLint | HookLint)[]
  /** Words in which only hooks of this agent answer, for a script of which no rule names the agent. */
  readonly answerWords?: RegExp
  /** Reads the rules that the agent's own settings hold, for `hookgate import`; absent if it has none. */
  readonly ownRules?: (site: OwnRulesSite) => readonly OwnRule[]
  /** Loads how the sessions that the agent keeps are read, which only `hookgate replay` needs; absent if they are not. */
  readonly sessions?: () => Promise<{ readonly sessionStores: readonly SessionStore[] }>
  /** Loads how its database says what was spent; absent if its session files say so, or nothing does. */
  readonly tokens?: () => Promise<{ readonly databaseTokens: (agent: string) => DatabaseTokens }>
  /** Environment variables with which it does not ask hookgate; absent if none is known. */
  readonly variables?: SwitchVariables
  /** How hookgate is installed. */
  readonly install: AgentInstall
  /** The administrator's files; absent if the agent reads no hooks of an administrator. */
  readonly managed?: ManagedInstall
}

/** Self-protection refuses these, and what a tool of the agent does that is like them. */
export interface OffCommands {
  readonly program: string
  /** Matches the words behind the program's name, each behind a blank. */
  readonly words: RegExp
}

/** A common mistake in a hook's script: `found` matches its text, and `unless` does not. */
export interface TextLint {
  readonly found: RegExp
  readonly unless?: RegExp
  /** Returns whether it is a mistake at the script's events, by the agent's own names; default: at all events. */
  readonly at?: (events: readonly string[]) => boolean
  readonly message: string
  readonly remedy: string
}

/** Finds a mistake that depends on the script's language or use. */
export type HookLint = (script: HookScript, use: HookUse) => readonly LintFinding[]

interface HookScript {
  readonly text: string
  readonly language: ScriptLanguage
}

export interface HookUse {
  /** The events it is registered for, as its agent spells them. */
  readonly events: readonly string[]
  readonly onFailure: OnFailure
}

interface LintFinding {
  /** Index into the text. */
  readonly at: number
  readonly message: string
  readonly remedy: string
}

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
