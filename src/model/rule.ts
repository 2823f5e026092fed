import type { ApprovalSettings } from './approval.ts'
import type { CommandPlace } from './tool-facts.ts'
import type { AgentName, EventName, ToolKind } from './event.ts'
import type { BundleInForce } from './bundle-settings.ts'
import type { OnFailure, RuleMode, Scope, Severity } from './effect.ts'
import type { Exception } from './exception.ts'
import type { ExportSettings } from './export-settings.ts'
import type { JsonObject } from './json.ts'
import type { StateDeclaration, StepCondition } from './past.ts'
import type { LimitThen } from './session-limits.ts'
import type { FactDeclaration } from './policy.ts'
import { Preparing } from './lazy.ts'
import type { PolicyInterest } from './policy-interest.ts'
import type { RecordSettings } from './record-settings.ts'
import type { PdpSubject, RemoteSettings, Server } from './remote.ts'
import type { Failure } from './failure.ts'

/** A file or folder that rules came from. */
export interface Source {
  /** Prefix of its rules' ids: `project:hooks.json`. */
  readonly id: string
  readonly scope: Scope
  /** The rules file, or the folder of a Cline hook. Absolute. */
  readonly file: string
  /** The workspace root it was found in, absolute; `undefined` outside workspaces. */
  readonly workspaceRoot: string | undefined
  /** The plugin's root, absolute; `undefined` outside plugins. */
  readonly pluginRoot: string | undefined
  /** Set for the files of a signed bundle, which stand below what an administrator has put on the machine. */
  readonly bundled?: true
}

/** Condition on the tool's name or the trigger, compiled at load. */
export type Matcher =
  | { readonly kind: 'any' }
  /** Any of some exact names. */
  | { readonly kind: 'names'; readonly names: readonly string[] }
  /** An unanchored JavaScript regular expression. */
  | { readonly kind: 'pattern'; readonly pattern: RegExp }

/** Claude Code's `if`: a permission rule, such as `Bash(git push *)`, that a call must match as well. */
export interface Condition {
  readonly text: string
  /** The tool's name as written. */
  readonly tool: string
  /** The text between the parentheses; `undefined` matches every call of the tool. */
  readonly pattern: string | undefined
  /** What the pattern says of one parameter. */
  readonly parameter?: ParameterPattern
}

/** A parameter of a tool and the value that it must have, in which `*` is any text: `model:opus`. */
export interface ParameterPattern {
  readonly name: string
  readonly value: string
  /** Whether the pattern can mean nothing else. Otherwise a text of the input that fits it as a whole matches too. */
  readonly isOnly: boolean
}

interface RuleMatch {
  /** The event as its file spells it. */
  readonly spelled: string
  readonly events: readonly EventName[]
  /** The triggers that match; `undefined` matches all. */
  readonly triggers: readonly string[] | undefined
  readonly matcher: Matcher
  /** A policy's own tools. An event must match both this and `matcher`. */
  readonly subject: Matcher
  readonly condition: Condition | undefined
}

/** How a hook's program is started. */
export type Program =
  /** One string for `/bin/sh -c`, or for PowerShell. */
  | { readonly form: 'shell'; readonly shell: 'sh' | 'powershell'; readonly command: string }
  /** A program and its arguments, no shell in between. */
  | { readonly form: 'exec'; readonly file: string; readonly args: readonly string[] }
  /** An executable file. Without a `#!` line it runs under `sh`; `.ps1` under PowerShell. */
  | { readonly form: 'script'; readonly file: string }

/** A program that reads the event as JSON on stdin and answers on stdout or by its exit code. */
export interface CommandHandler {
  readonly kind: 'command'
  /** The agent it was written for, whose protocol encodes events and decodes answers. */
  readonly dialect: AgentName
  readonly program: Program
  /** Variables that its file format promises (`CLAUDE_PLUGIN_ROOT`), in addition to those of its agent. */
  readonly env: Readonly<Record<string, string>>
  /** Events at which plain text on stdout is context for the model, in addition to those of its agent. */
  readonly plainTextEvents: readonly EventName[]
  /** Set if the hook is not awaited. Its answer is ignored. */
  readonly async: boolean
}

/** A policy, compiled and loaded. */
export interface PolicyHandler {
  readonly kind: 'policy'
  /** The id that the policy declares. */
  readonly policy: string
  readonly severity: Severity | undefined
  /** The file that exports the policy. Absolute. */
  readonly file: string
  /** All files of the policy, `file` included. */
  readonly files: readonly string[]
  /** Digest of its code. */
  readonly digest: string
  /** Id of the domain in the sandbox, and the policy's index in it. */
  readonly domain: number
  readonly index: number
  /** True if it is evaluated on the calling thread. */
  readonly onCaller: boolean
  /** Set if the policy needs no facts of tool calls. */
  readonly ignoresToolFacts: boolean
  /** Set if it may answer with another output. */
  readonly replacesOutput?: true
  /** The shell commands that it is evaluated for; `undefined`: all. */
  readonly interest: PolicyInterest | undefined
  /** Where commands that a call carries will run, for the policy to judge them. */
  readonly carried: readonly CommandPlace[]
  readonly facts: Readonly<Record<string, FactDeclaration>>
  /** What it counts of what happened before. */
  readonly state: Readonly<Record<string, StateDeclaration>>
  /** Values from the rules file, and the defaults of all others. */
  readonly params: JsonObject
  /** Names of the params that differ from the policy's defaults. */
  readonly changedParams: readonly string[]
}

/** An entry of a permission list. */
export interface PermissionEntry extends Condition {
  /** The kinds of the tools that it names. */
  readonly kinds: readonly ToolKind[]
}

/** One of the lists of `permissions` in a rules file. */
export interface PermissionList {
  readonly kind: 'permissions'
  readonly effect: 'deny' | 'ask' | 'allow'
  readonly entries: readonly PermissionEntry[]
}

/** A hook of a kind that hookgate does not run, in a file of the agent that runs it, or hooks that no call can meet. */
export interface UnsupportedHook {
  readonly kind: 'unsupported'
  /** What it is: a `prompt` hook. */
  readonly what: string
  /** Why it is not run. */
  readonly why: string
}

/** A file of hookgate's own or of an agent's hooks, or a folder with everything in it. */
export interface ProtectedPath {
  /** Absolute. */
  readonly path: string
  /** `settings` are an agent's: they decide whether it asks hookgate. */
  readonly part: 'rules' | 'state' | 'program' | 'settings'
}

/** hookgate itself, as far as a tool call may neither change nor reconfigure nor end it. */
export interface SelfProtection {
  readonly kind: 'self-protection'
  readonly paths: readonly ProtectedPath[]
  /** Files that start hookgate. Absolute. */
  readonly programs: readonly string[]
  /** The program that runs them. */
  readonly node: string
  /** The options with which it runs the resident gate. */
  readonly nodeOptions: readonly string[]
  /** The home directory, and where it really is. */
  readonly homes: readonly string[]
  /** The agents that are enabled. */
  readonly agents: readonly AgentName[]
  /** The process id of the resident gate. */
  readonly pid: number | undefined
  /** The port at which it listens for HTTP hooks; `undefined` if there is none. */
  readonly port: number | undefined
  /** The port of the page of `hookgate ui`; `undefined` if none is open. */
  readonly pagePort: number | undefined
}

/** Answers every call while the signed rules are stale for too long, or missing. */
interface StaleBundle {
  readonly kind: 'stale-bundle'
  readonly effect: 'deny' | 'ask'
  readonly reason: string
}

/** A limit on how often something may happen, see `SessionLimits`. */
export interface SessionLimit {
  readonly kind: 'limit'
  readonly what: 'refused' | 'failed' | 'repeated' | 'calls' | 'atOnce'
  /** The calls that it is about. */
  readonly of: StepCondition
  readonly most: number
  readonly within?: string
  readonly then: LimitThen
  /** A preset has it, and the file says nothing of it. */
  readonly isOfPreset?: true
  /** How often it has happened, and how often of these it has ended, where what runs at once is limited. */
  readonly states: { readonly used: StateDeclaration; readonly ended?: StateDeclaration }
}

/** A limit on what a session, or the user in a day, may spend. */
export interface TokenLimit {
  readonly kind: 'tokens'
  readonly per: 'session' | 'day'
  readonly most: number
  readonly then: LimitThen
}

/** A rule that hookgate evaluates itself, in process, from the event and the facts of its tool call. */
export interface BuiltinHandler {
  readonly kind: 'builtin'
  readonly builtin: PermissionList | UnsupportedHook | SelfProtection | StaleBundle | SessionLimit | TokenLimit
}

/** The gate elsewhere, as a file of a source with this authority names it. */
export type NamedRemote = RemoteSettings & { readonly namedBy: Scope }

/** A server that is asked about each call. */
export interface RemoteHandler {
  readonly kind: 'remote'
  readonly server: Server
  readonly asks:
    /** A decision point that speaks AuthZEN. `subject` is whom it is asked about; absent: the user of this machine. */
    | { readonly kind: 'authzen'; readonly subject: PdpSubject | undefined }
    /** A gate elsewhere, and what its failures count as; `rules`: those here have decided then. */
    | { readonly kind: 'gate'; readonly unreachable: Unreachable | 'rules' }
}

/** The decision that is counted for a call that nobody could decide. */
export interface Unreachable {
  readonly write: OnFailure
  readonly read: OnFailure
}

export type Handler = CommandHandler | PolicyHandler | BuiltinHandler | RemoteHandler

/** A configured binding of events to a handler. */
export interface Rule {
  readonly id: string
  readonly source: Source
  readonly match: RuleMatch
  readonly handler: Handler
  readonly onFailure: OnFailure
  readonly mode: RuleMode
  /** Set if a person may approve a call that it refuses, where approvals are on. */
  readonly approvable?: true
  /** Set if only a person at this machine may approve what it is about. */
  readonly terminalOnly?: true
  /** `undefined` means the gate's default. */
  readonly timeoutMs: number | undefined
  /** For a hook in an agent's own file: the timeout that this agent gives it if it names none. */
  readonly hostTimeoutMs?: number
  /** Rules of one sequence run one after the other, in plan order. All others run concurrently. */
  readonly sequence: string | undefined
  /** Why the rule is not trusted, and the remedy; `undefined` for a trusted rule. */
  readonly untrustedReason: string | undefined
}

export type CommandRule = Rule & { readonly handler: CommandHandler }
export type PolicyRule = Rule & { readonly handler: PolicyHandler }
export type BuiltinRule = Rule & { readonly handler: BuiltinHandler }
export type RemoteRule = Rule & { readonly handler: RemoteHandler }

export const isCommandRule = (rule: Rule): rule is CommandRule => rule.handler.kind === 'command'
export const isRemoteRule = (rule: Rule): rule is RemoteRule => rule.handler.kind === 'remote'
/** Returns true for a rule that asks a program or a server, whose answer nobody can compute again. */
export const asksOthers = (rule: Rule): rule is CommandRule | RemoteRule => isCommandRule(rule) || isRemoteRule(rule)
export const isPolicyRule = (rule: Rule): rule is PolicyRule => rule.handler.kind === 'policy'
/** Returns true for a rule that looks at what happened before. */
export const looksBack = (rule: Rule): boolean => statesOf(rule).length > 0 || limitsTokens(rule)
export const limitsTokens = ({ handler }: Rule): boolean =>
  handler.kind === 'builtin' && handler.builtin.kind === 'tokens'
/** Returns the states that a rule counts. */
export const statesOf = (rule: Rule): readonly StateDeclaration[] => Object.values(statesByName(rule))
export function statesByName({ handler }: Rule): Readonly<Record<string, StateDeclaration>> {
  if (handler.kind === 'policy') return handler.state
  return handler.kind === 'builtin' && handler.builtin.kind === 'limit' ? { ...handler.builtin.states } : {}
}
/** Returns true for the rule that protects hookgate itself. It guards nothing else: alone, it is as good as no rules. */
export const isSelfProtection = ({ handler }: Rule): boolean =>
  handler.kind === 'builtin' && handler.builtin.kind === 'self-protection'
export const isBuiltinRule = (rule: Rule): rule is BuiltinRule => rule.handler.kind === 'builtin'

/** The rules that apply to one event, in the order in which their answers are reported. Frozen. */
export class Plan extends Preparing {
  readonly rules: readonly Rule[]
  constructor(rules: readonly Rule[]) {
    super()
    this.rules = Object.freeze([...rules])
    Object.freeze(this)
  }
}

/** All rules in force for a set of workspace roots, indexed by event. Frozen. */
export class RuleSet extends Preparing {
  /** In plan order: by authority, then by source, then as written. */
  declare readonly rules: readonly Rule[]
  declare readonly byEvent: ReadonlyMap<EventName, readonly Rule[]>
  /** Including those that have expired since. A project has none. */
  declare readonly exceptions: readonly Exception[]
  /** Notes for a person on how the set was built: hooks that are switched off, sources that are disabled. */
  declare readonly notes: readonly string[]
  /** The notes about whole sources, which can explain why nothing was refused. */
  declare readonly switchedOff: readonly string[]
  /** The note that says which file switches self-protection off. */
  declare readonly selfProtectionOff?: string | undefined
  /** Notices for every verdict: newer rules fail to load, and these are the last that loaded. */
  declare readonly alarms: readonly string[]
  declare readonly record: RecordSettings
  /** The settings by which hookgate asks a person; absent: it asks nobody. */
  declare readonly approvals?: ApprovalSettings | undefined
  /** Where the record is sent; absent if nowhere. */
  declare readonly export?: ExportSettings | undefined
  /** The gate elsewhere that decides too, and whose file names it; absent if there is none. */
  declare readonly remote?: NamedRemote | undefined
  /** The signed bundle that a managed file names; absent without one. */
  declare readonly bundle?: BundleInForce | undefined
  /** Whom to ask for an exception; absent if nobody is named. */
  declare readonly contact?: string | undefined
  /** Reasons why agents do not ask hookgate in these workspaces, by agent: a session that asks may be the last. */
  declare readonly notAsking: Readonly<Record<string, readonly string[]>>

  constructor(content: Omit<RuleSet, 'prepared'>) {
    super()
    Object.assign(this, content)
  }
}

/** A hook process to start. */
export interface HookProcess {
  readonly program: Program
  /** Absolute. */
  readonly cwd: string
  /** The whole environment, nothing inherited. */
  readonly env: Readonly<Record<string, string>>
  readonly stdin: string
  readonly timeoutMs: number
}

/** The end of a hook process. `durationMs` is wall time from the request to start it. */
export type HookExit =
  | {
      readonly kind: 'exited'
      /** INVARIANT: `null` for a process that died by a signal; never turned into a number. */
      readonly exitCode: number | null
      readonly stdout: string
      readonly stderr: string
      /** The failure to report if there is no answer. Set for every end but exit code 0 with UTF-8 output. */
      readonly failure: Failure | undefined
      readonly durationMs: number
    }
  /** It never started, or hookgate killed it. Its output is ignored. */
  | { readonly kind: 'failed'; readonly failure: Failure; readonly stderr: string; readonly durationMs: number }

/** A hook's process that ended by itself. */
export type ExitedHook = Extract<HookExit, { kind: 'exited' }>
