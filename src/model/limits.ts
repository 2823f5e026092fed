import { loadLimits } from './load-limits.ts'
import { policyLimits } from './policy-limits.ts'
import { residentLimits } from './resident-limits.ts'

/**
 * What others may make the gate do, each limit one named number with its reason; those of policies, of the resident gate and
 * of loading stand in files of their own beside this one, as do `shellLimits`, `codeLimits` and `unwrapLimits`, which the
 * facts alone go by. How much of a text is shown stands where it is shown.
 */
export const limits = {
  /** An event on stdin. Tool inputs carry whole files; 16 MiB is far above the largest file an agent writes in one call. */
  eventBytesMax: 16 * 1024 * 1024,
  /** One hook's stdout, and one hook's stderr. An answer is a few kilobytes; a megabyte is a hook gone wrong. */
  hookOutputBytesMax: 1024 * 1024,
  /** Gates behind gates: a hook may ask a gate of its own, but one that asks the gate it stands behind never ends. */
  depthMax: 3,
  /** The contexts of all rules of one event, together, in bytes of UTF-8. Cline's published limit of 50 KB. */
  contextBytesMax: 51_200,
  /** How long a hook may run when neither it nor the caller says otherwise: Cline's constant. */
  hookTimeoutMs: 30_000,
  /** The longest timeout that can be asked for: a day, far below the 2^31 ms at which Node's timers wrap to 1 ms. */
  hookTimeoutMsMax: 86_400_000,
  /** The same for a hook that nobody waits for (`async`), which may run a test suite: Claude Code's default. */
  backgroundTimeoutMs: 600_000,
  /** Hooks that nobody waits for, at once: started by every tool call and never ending, they would fill the machine. */
  backgroundHooksMax: 64,
  /** Hooks that can be asked to run at once: each is a process and three pipes, of which a user may have some thousands. */
  concurrencyMax: 1024,
  /** From SIGTERM to SIGKILL, and from a hook's exit to the end of waiting for its stdout. Claude Code's own figure. */
  graceMs: 500,
  /**
   * How much of an event the kernel may take in though the hook reads nothing: above Linux's 208 KiB for a socket.
   * Whether a hook closed its stdin on a shorter event cannot be told from how fast it exited, so nothing is said of it.
   */
  stdinBufferedBytesMax: 256 * 1024,
  /**
   * Threads of one pool. A start blocks its thread for 2 ms, most of it in a kernel lock of the whole process: a second
   * thread gained 5 % for eight hooks at once and cost as much for a single one.
   */
  hookThreads: 1,
  /**
   * How long a hook runs before a second process stands ready to end it, should this one be killed: in a large process
   * that takes a fork of tens of milliseconds, which a hook of a few is not to pay.
   */
  reaperAfterMs: 50,
  /** How long after a hook's last deadline its companion may still owe the answer, before it is given up as stuck. */
  companionSilenceMs: 2000,
  /** How long a dying process waits for its threads to say which hook they were just starting: many times one start. */
  startingMsMax: 250,
  /** Steps that looking for JSON objects in a hook's stdout may take, for each character of it. Linear work is 1 to 3. */
  jsonScanStepsPerCharacter: 16,
  /** How deep an event's JSON may nest, and an answer's. `JSON.stringify` and its kin recurse, and overflow the stack at some thousands. */
  jsonDepthMax: 500,
  /** How much of a text from outside a message quotes, in UTF-16 units: enough to recognise it by. */
  quotedCharactersMax: 80,
  /** Wrong fields that one message names. More are counted: a batch of calls can be wrong in each of them. */
  wrongFieldsNamedMax: 5,
  /** One `contextModification`, in UTF-16 units: what Cline lets through before it cuts, if need be inside a character. */
  clineContextCharactersMax: 50_000,
  /** How old the gate's knowledge of its rules files may be, so that an event nothing matches costs no file access. */
  rulesFreshMs: 100,
  /** A rules file. The largest published ones are some tens of kilobytes. */
  rulesFileBytesMax: 1024 * 1024,
  /** Kinds of events for which it is remembered which rules hear them: every tool of an agent, and room for MCP's. */
  hearingsRememberedMax: 1000,
  /** What is remembered by a name that came from outside: a longer name is none, and would only fill memory. */
  rememberedKeyCharactersMax: 500,
  /** A matcher's pattern: longer ones are generated, and better written as several groups. */
  matcherCharactersMax: 4096,
  /** How deep a rules file's brackets may nest. Its own format needs seven; the parser below it recurses. */
  rulesFileDepthMax: 32,
  /** How long the clock must have moved on from a rules file's last change before an unchanged `stat` means unchanged. */
  rulesSettleMs: 1000,
  /** Sets of workspace roots whose rules are kept in memory. An agent's working directory wanders through a few. */
  rulesKeptMax: 64,
  /** What a regular expression is tried on. The model APIs take tool names of up to 128 characters. */
  matcherSubjectCharactersMax: 128,
  /** In how many ways a regular expression may divide the longest subject: four times `.*.*.*`, under a second. */
  matcherWaysMax: 1e7,
  /** A shell command, path or other input that an `if` is held against. Longer ones are taken to meet it. */
  conditionSubjectCharactersMax: 65_536,
  /**
   * Steps that one `if` may take on one event, each of them one character of the pattern against one of the text: a
   * tenth of a second. A pattern of ten characters is held against a command of the greatest length several times over.
   */
  conditionStepsMax: 1e7,
  /** The same for an untrusted policy, of which there may be thousands: a command of some kilobytes. More is taken to fit. */
  untrustedConditionStepsMax: 1e5,
  /** In how many ways a regular expression that nobody has trusted may divide a subject: of `.*.*` some, of more none. */
  untrustedMatcherWaysMax: 1e4,
  /** The same at load, where a regular expression is held against every known tool's name to tell whether it is odd. */
  checkedMatcherWaysMax: 1000,
  /** How deep `$( )`, backticks and `bash -c '…'` may nest before a command is taken to meet every `if`. */
  conditionNestingMax: 16,
  /** Words behind `sudo`, `xargs` and the like, each of which may be the program. More are taken to meet every `if`. */
  conditionWrappedWordsMax: 100,
  /** A script that is pinned by its content. Interpreters and bundles are some tens of megabytes. */
  pinnedFileBytesMax: 256 * 1024 * 1024,
  /** Words of one hook command that are looked up as files of the workspace. */
  pinnedWordsMax: 1000,
  /** A `package.json`, of which the scripts that a pinned command runs are read. The largest are some hundred kilobytes. */
  manifestBytesMax: 1024 * 1024,
  /** The store of pins: a hundred bytes for each pinned file. */
  trustFileBytesMax: 4 * 1024 * 1024,
  /** How long one `trust` waits for others: each writes for some milliseconds, on a busy disk many times that. */
  trustLockMs: 20_000,
  /** One reason or notice, in UTF-16 units: what a person or a model can still read. */
  reasonCharactersMax: 25_000,
  ...policyLimits,
  ...loadLimits,
  ...residentLimits,
} as const
