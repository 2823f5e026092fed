import { isAbsolute } from 'node:path'
import { z } from 'zod'
import { HookgateError } from '../model/errors.ts'
import { limits } from '../model/limits.ts'
import type { PolicyPlacement } from '../model/policy.ts'
import { choiceOf, quoted } from '../model/text.ts'
import type { DecisionRecord } from '../record/record.ts'
// Imported directly, not via the folder's index, which loads all of it.
import { didYouMean } from '../words/suggest.ts'

export type { PolicyPlacement as Placement } from '../model/policy.ts'

export interface GateOptions {
  /** Rules files, Cline hooks folders, plugin roots, or folders of any of them. Trusted. Default: none. */
  readonly rules?: readonly string[]
  /** Search the usual places as well: managed, user, and every workspace root. Default: true. */
  readonly discover?: boolean
  /** Run the command hooks of every workspace, trusted or not. For containers and CI. */
  readonly trustWorkspace?: boolean
  /** Read drafts of policies too (`*.draft.policy.ts`), which only observe. Default: false. */
  readonly drafts?: boolean
  /**
   * Run command hooks. If false, no hook is started, and none has an opinion: for gates that decide events which have
   * happened already. Default: true.
   */
  readonly runHooks?: boolean
  /** Timeout for hooks that name none, ms. Default: 30,000. */
  readonly timeoutMs?: number
  /** Maximum number of concurrent hooks, over all events. Default: twice the cores. */
  readonly concurrency?: number
  /**
   * Number of threads that evaluate policies. Each loads all policies. Default: the number of cores, at most 4.
   */
  readonly policyThreads?: number
  /**
   * Where policies are evaluated. `process`: in a sandbox process, which they may bring down without harm. `caller`: on the thread
   * that calls `decide`, without a hop, but only policies of managed, user and explicit rules whose files are hookgate's
   * own or beside the rules; all others are evaluated in a sandbox process. What it gives up: a policy that is caught in
   * a native loop never returns to the caller, one that exhausts its memory can end the whole process, and everything
   * waits while a policy is evaluated. Default: `process`.
   */
  readonly placement?: PolicyPlacement
  /**
   * Precedence of a global and a project Cline hook of the same name: run `both`, as Cline does, or only the `project`
   * one, as its published reference says. Default: `both`.
   */
  readonly clinePrecedence?: 'both' | 'project'
  /** Environment that hooks inherit. Default: `process.env`. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Absolute folder in which the user's rules are searched. Default: the home directory. */
  readonly home?: string
  /** Absolute folder of the managed rules. Default: `/etc/hookgate`; on Windows `hookgate` in `%ProgramData%`. */
  readonly managedFolder?: string
  /**
   * Absolute folder of hookgate's state on this machine, where agents are enabled. With it, self-protection is on: a tool
   * call that would disable, end or reconfigure hookgate is refused. Whatever outlives an event is kept in it, for the
   * gates that share it: the record, refusals for `hookgate allow` and what a person allowed with it, successive refusals
   * of the end of a turn, and compiled policies whose examples passed. Private to the user. Default: no agent asks this
   * gate by a hook, it has no self-protection, refusals have no id, and each gate compiles policies anew.
   */
  readonly state?: string
  /** Keep things in the state folder. If false, it is only read. Default: true. */
  readonly keeps?: boolean
  /**
   * Calls that a person is to approve wait for an answer of `gate.approvals`, where `"approvals"` of the user's or the
   * managed file is on. Needs `state`. Default: false.
   */
  readonly approvals?: boolean
  /**
   * Called after the rules for some workspace roots were read, with their problems; the list is empty if they loaded.
   * Must not throw.
   */
  readonly onRulesRead?: (workspaceRoots: readonly string[], wrong: readonly string[]) => void
  /**
   * Absolute path of another database in which every decision is recorded (`docs/record.md`), or `false`. Its folder must
   * be private. The last records are written by `close()`. Default: the one in the state folder, if things are kept there.
   */
  readonly record?: string | false
  /** Called with the record of every decision, secrets masked. Must not throw. */
  readonly onRecord?: (record: DecisionRecord) => void
}

const messageOf = (error: string) => ({ error })
const flag = z.boolean(messageOf('must be true or false'))
const path = z.string(messageOf('must be a path')).min(1, messageOf('must be a path'))
/** A relative path would depend on where the program is started; an empty one would be replaced by the default. */
const folder = path.refine(
  (text) => isAbsolute(text) && !text.includes('\0'),
  messageOf('must be the absolute path of a folder'),
)
const file = z.string().refine((text) => isAbsolute(text) && !text.includes('\0'))
const called = z.custom((value) => typeof value === 'function', messageOf('must be a function'))
const oneOf = (...words: [string, ...string[]]) => z.enum(words, messageOf(`must be ${choiceOf(words)}`))
const count = (max: number) => {
  const error = `must be a whole number from 1 to ${max}`
  return z.int(messageOf(error)).min(1, messageOf(error)).max(max, messageOf(error))
}
const milliseconds = `must be a number of milliseconds from 1 to ${limits.hookTimeoutMsMax}`

/** Checks an environment without zod's object schemas: `process.env` is not a plain object. */
const isEnvironment = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  Object.values(value).every((one) => one === undefined || typeof one === 'string')

/** Accepts plain objects of any realm, but not a `Map`, whose entries would be ignored unnoticed. */
function isPlainObject(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

const shape = {
  rules: z.array(path, messageOf('must be a list of paths')),
  discover: flag,
  trustWorkspace: flag,
  drafts: flag,
  runHooks: flag,
  timeoutMs: z
    .number(messageOf(milliseconds))
    .min(1, messageOf(milliseconds))
    .max(limits.hookTimeoutMsMax, messageOf(milliseconds)),
  concurrency: count(limits.concurrencyMax),
  policyThreads: count(limits.policyThreadsMax),
  placement: oneOf('process', 'caller'),
  clinePrecedence: oneOf('both', 'project'),
  env: z.custom(isEnvironment, messageOf('must be an object of strings')),
  home: folder,
  managedFolder: folder,
  state: folder,
  keeps: flag,
  approvals: flag,
  record: z.union([z.literal(false), file], messageOf('must be the absolute path of a file, or false')),
  onRulesRead: called,
  onRecord: called,
} satisfies Record<keyof Required<GateOptions>, z.ZodType>
const Options = z.strictObject(shape, messageOf('must be an object')).partial()

/**
 * Validates the options of a gate.
 *
 * INVARIANT: a mistake is reported, and never yields a gate without rules or without a timeout.
 *
 * @throws HookgateError `usage`, which names the option
 */
export function checkOptions(options: GateOptions): void {
  const [issue] = Options.safeParse(isPlainObject(options) ? options : null).error?.issues ?? []
  if (issue === undefined) return
  if (issue.code === 'unrecognized_keys') {
    const [unknown = ''] = issue.keys
    const remedy = didYouMean(unknown, Object.keys(shape))
    throw new HookgateError('usage', `there is no option ${quoted(unknown)}`, remedy === undefined ? {} : { remedy })
  }
  const at = issue.path.map(String).join('.')
  throw new HookgateError('usage', `${at === '' ? 'the argument of `createGate`' : quoted(at)} ${issue.message}`)
}
