import { isAbsolute } from 'node:path'
import { z } from 'zod'
import { HookgateError } from './model/errors.ts'
import { limits } from './model/limits.ts'
import { choiceOf, quoted } from './model/text.ts'
import type { DecisionRecord } from './record/record.ts'
// Not from the room's index, which loads all of it.
import { didYouMean } from './model/suggest.ts'

export type Placement = 'process' | 'thread'

export interface GateOptions {
  /** Rules files, Cline hooks folders, plugin roots, or folders of any of them. Trusted. Default: none. */
  readonly rules?: readonly string[]
  /** Whether the usual places are searched as well: managed, user, and every workspace root. Default: true. */
  readonly discover?: boolean
  /** Run the command hooks of every workspace without asking whether it is trusted. For containers and CI. */
  readonly trustWorkspace?: boolean
  /** For hooks that name no timeout, ms. Default: 30,000. */
  readonly timeoutMs?: number
  /** How many hooks run at once, over all events. Default: twice the cores. */
  readonly concurrency?: number
  /**
   * How many threads evaluate policies, each of which has all of them loaded. Default: as many as there are cores, at
   * most 4.
   */
  readonly policyThreads?: number
  /**
   * Where policies are evaluated. `process`: in a sandbox process, which they may bring down without harm. `thread`: on
   * worker threads of this process, for an embedder who trusts the policies: one that exhausts its memory can end the
   * whole process, and one that is caught in a native loop keeps `process.exit` from ending it. Default: `process`.
   */
  readonly placement?: Placement
  /**
   * Where hooks are started. `thread`: on a pool of worker threads of this process. `process`: by a small companion
   * process, for a large embedder: a process of a gigabyte needs 60 ms for each start, and an editor's is that large.
   * Default: `thread`.
   */
  readonly hookPlacement?: Placement
  /**
   * Of a global and a project Cline hook of the same name: run `both`, as Cline does, or only the `project` one, as its
   * published reference says. Default: `both`.
   */
  readonly clinePrecedence?: 'both' | 'project'
  /** The environment hooks inherit. Default: `process.env`. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Whose rules are the user's: an absolute path. Default: the home directory. */
  readonly home?: string
  /** Where the managed rules are, absolute. Default: `/etc/hookgate`; on Windows `hookgate` in `%ProgramData%`. */
  readonly managedFolder?: string
  /**
   * Where it is counted how often in a row the end of a turn was refused, for gates that share it: those that decide one
   * event each, and one that may be replaced in the middle of a turn. Absolute. Default: in memory.
   */
  readonly stopsFolder?: string
  /**
   * Called whenever the rules for some workspace roots have been read, with what is wrong with them; nothing is where they
   * load. Must not throw.
   */
  readonly onRulesRead?: (workspaceRoots: readonly string[], wrong: readonly string[]) => void
  /** Called with the audit line of every verdict, secrets masked. Must not throw. */
  readonly onRecord?: (record: DecisionRecord) => void
}

const said = (error: string) => ({ error })
const flag = z.boolean(said('must be true or false'))
const path = z.string(said('must be a path')).min(1, said('must be a path'))
/** Any other would be a different folder wherever the program is started, and one that is passed over for the default. */
const folder = path.refine(
  (text) => isAbsolute(text) && !text.includes('\0'),
  said('must be the absolute path of a folder'),
)
const called = z.custom((value) => typeof value === 'function', said('must be a function'))
const oneOf = (...words: [string, ...string[]]) => z.enum(words, said(`must be ${choiceOf(words)}`))
const count = (max: number) => {
  const error = `must be a whole number from 1 to ${max}`
  return z.int(said(error)).min(1, said(error)).max(max, said(error))
}
const milliseconds = `must be a number of milliseconds from 1 to ${limits.hookTimeoutMsMax}`

/** Not by a schema of plain objects: `process.env` is none. */
const isEnvironment = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  Object.values(value).every((one) => one === undefined || typeof one === 'string')

/** Of any realm. A `Map` of options would have none that could be misspelt. */
function isPlainObject(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

const shape = {
  rules: z.array(path, said('must be a list of paths')),
  discover: flag,
  trustWorkspace: flag,
  timeoutMs: z.number(said(milliseconds)).min(1, said(milliseconds)).max(limits.hookTimeoutMsMax, said(milliseconds)),
  concurrency: count(limits.concurrencyMax),
  policyThreads: count(limits.policyThreadsMax),
  placement: oneOf('process', 'thread'),
  hookPlacement: oneOf('process', 'thread'),
  clinePrecedence: oneOf('both', 'project'),
  env: z.custom(isEnvironment, said('must be an object of strings')),
  home: folder,
  managedFolder: folder,
  stopsFolder: folder,
  onRulesRead: called,
  onRecord: called,
} satisfies Record<keyof Required<GateOptions>, z.ZodType>
const Options = z.strictObject(shape, said('must be an object')).partial()

/**
 * INVARIANT: a mistake is told, and never ends in a gate without rules or without time.
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
