import type { AgentName } from './agents.ts'
import type { OnFailure } from './effect.ts'
import type { EventName } from './event.ts'
import type { JsonObject } from './json.ts'
import type { FactDeclaration } from './policy.ts'
import type { Severity } from './severity.ts'

/** Who wrote a rule, from the most to the least authority. `explicit` is named on the command line or by an embedder. */
export type Scope = 'managed' | 'explicit' | 'user' | 'project'

/** A file or folder that rules came from. */
export interface Source {
  /** What its rules' ids begin with: `project:hooks.json`. */
  readonly id: string
  readonly scope: Scope
  /** The rules file, or the folder of a Cline hook. Absolute. */
  readonly file: string
  /** The workspace root it was found in, absolute; `undefined` outside workspaces. */
  readonly workspaceRoot: string | undefined
  /** The plugin's root, absolute; `undefined` for everything that is no plugin. */
  readonly pluginRoot: string | undefined
}

/** When a rule applies, compiled at load. */
export type Matcher =
  | { readonly kind: 'any' }
  /** Exact names, any of them. */
  | { readonly kind: 'names'; readonly names: readonly string[] }
  /** An unanchored JavaScript regular expression. */
  | { readonly kind: 'pattern'; readonly pattern: RegExp }

/** Claude Code's `if`: one permission rule, such as `Bash(git push *)`, that a call must meet as well. */
export interface Condition {
  readonly text: string
  /** The tool's name as written. */
  readonly tool: string
  /** What stands between the parentheses; `undefined` hears every call of the tool. */
  readonly pattern: string | undefined
}

interface RuleMatch {
  /** The event as its file spells it. */
  readonly spelled: string
  readonly events: readonly EventName[]
  /** The ways of coming about that it hears; `undefined` hears all. */
  readonly triggers: readonly string[] | undefined
  readonly matcher: Matcher
  /** What a policy itself is for: it hears what this and `matcher` hear. */
  readonly subject: Matcher
  readonly condition: Condition | undefined
}

/** How a hook's program is started. */
export type Program =
  /** One string for `/bin/sh -c`, or for PowerShell. */
  | { readonly form: 'shell'; readonly shell: 'sh' | 'powershell'; readonly command: string }
  /** A program and its arguments, no shell in between. */
  | { readonly form: 'exec'; readonly file: string; readonly args: readonly string[] }
  /** An executable file. Without a first line that names an interpreter it runs under `sh`; `.ps1` under PowerShell. */
  | { readonly form: 'script'; readonly file: string }

/** A program that gets the event as JSON on stdin and answers on stdout or by its exit code. */
export interface CommandHandler {
  readonly kind: 'command'
  /** The agent it was written for: how it is spoken to and how its answer is read. */
  readonly dialect: AgentName
  readonly program: Program
  /** Variables its own format promises it (`CLAUDE_PLUGIN_ROOT`), beside those of its agent. */
  readonly env: Readonly<Record<string, string>>
  /** Events at which plain text on its stdout is context for the model, beyond those of its agent. */
  readonly plainTextEvents: readonly EventName[]
  /** Not awaited: what it decides does not count. */
  readonly async: boolean
}

/** A policy, compiled and loaded. */
export interface PolicyHandler {
  readonly kind: 'policy'
  /** The id that it gives itself. */
  readonly policy: string
  readonly severity: Severity | undefined
  /** The file that exports it. Absolute. */
  readonly file: string
  /** Every file that it is made of, that one among them. */
  readonly files: readonly string[]
  /** Where the sandbox has it. */
  readonly domain: number
  readonly index: number
  /** Whether it need not be told what a tool call would do. */
  readonly ignoresToolFacts: boolean
  readonly facts: Readonly<Record<string, FactDeclaration>>
  /** What the rules file sets, and the defaults of the rest. */
  readonly params: JsonObject
  /** Those of them that are not the policy's own defaults. */
  readonly changedParams: readonly string[]
}

export type Handler = CommandHandler | PolicyHandler

/** One configured binding. */
export interface Rule {
  readonly id: string
  readonly source: Source
  readonly match: RuleMatch
  readonly handler: Handler
  readonly onFailure: OnFailure
  /** `undefined`: the gate's default. */
  readonly timeoutMs: number | undefined
  /** Rules of one sequence run one after the other, in plan order; the rest all at once. */
  readonly sequence: string | undefined
  /** Why it is not trusted, and what to do; `undefined` for a trusted rule. */
  readonly untrustedReason: string | undefined
}

export type CommandRule = Rule & { readonly handler: CommandHandler }
export type PolicyRule = Rule & { readonly handler: PolicyHandler }

export const isCommandRule = (rule: Rule): rule is CommandRule => rule.handler.kind === 'command'
export const isPolicyRule = (rule: Rule): rule is PolicyRule => rule.handler.kind === 'policy'

/** The rules that apply to one event, in the order in which their answers are told. Frozen. */
export interface Plan {
  readonly rules: readonly Rule[]
}

/** Every rule in force for some workspace roots, ready to be planned with. Frozen. */
export interface RuleSet {
  /** In plan order: by authority, then by source, then as written. */
  readonly rules: readonly Rule[]
  readonly byEvent: ReadonlyMap<EventName, readonly Rule[]>
  /** What a person should know of how the set came about: hooks that are switched off, sources that are disabled. */
  readonly notes: readonly string[]
  /** Those of them that are about whole sources: whoever asks why nothing was refused has the answer here. */
  readonly switchedOff: readonly string[]
  /** What a person must be told with every verdict: newer rules do not load, and these are the last that did. */
  readonly alarms: readonly string[]
}
