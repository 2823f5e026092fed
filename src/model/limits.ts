/**
 * Limits on everything that hostile input can make hookgate do, and those that several files share. Each is one named
 * number with its reason, in a section per folder; `Attack` names the tests in `test/attack` that reach it. Names end in a
 * unit (`…Ms`, `…Bytes…`); `…CharactersMax` counts UTF-16 units. Other limits of one file stand in that file, each with
 * its reason: how much is kept or shown, and what paces hookgate's own work.
 */
export const limits = {
  // Events, hooks, matchers, trust.

  /**
   * An event on stdin. Tool inputs carry whole files; 16 MiB is far above the largest file an agent writes in one call.
   * Attack: `http-too-much`.
   */
  eventBytesMax: 16 * 1024 * 1024,
  /**
   * The path of a working folder: as long as Linux opens, and longer than macOS opens. Each of its parents is searched.
   * Attack: `workspace-bounds`.
   */
  folderCharactersMax: 4096,
  /** One hook's stdout, and one hook's stderr. An answer is a few kilobytes; a megabyte is a hook gone wrong. */
  hookOutputBytesMax: 1024 * 1024,
  /** Nesting of gates: a hook may call a gate of its own, but one that calls the gate that runs it would never end. */
  depthMax: 3,
  /** Total context of all rules for one event, in bytes of UTF-8: Cline's published limit of 50 KB. */
  contextBytesMax: 51_200,
  /** Default timeout of a hook: Cline's constant. */
  hookTimeoutMs: 30_000,
  /** Default timeout of a hook in Claude Code's own files: Claude Code's default. */
  hostTimeoutMs: 600_000,
  /** Default timeout of a hook in Claude Code's own files at events that a person waits for, such as a prompt. */
  hostQuickTimeoutMs: 30_000,
  /** The longest timeout that can be configured: a day, far below the 2^31 ms at which Node's timers wrap to 1 ms. */
  hookTimeoutMsMax: 86_400_000,
  /** Concurrent `async` hooks: if every tool call starts one that never ends, they would exhaust the machine. */
  backgroundHooksMax: 64,
  /** Largest configurable concurrency of hooks. Each is a process and three pipes; users may have some thousands. */
  concurrencyMax: 1024,
  /** From SIGTERM to SIGKILL, and from a hook's exit to the end of waiting for its stdout. Claude Code's own figure. */
  graceMs: 500,
  /**
   * Bytes of an event that the kernel may buffer though the hook reads nothing: above Linux's 208 KiB for a socket.
   * For shorter events a closed stdin cannot be told from a quick exit, so it is not reported.
   */
  stdinBufferedBytesMax: 256 * 1024,
  /**
   * Threads of one pool. A start blocks its thread for 2 ms, most of it in a kernel lock of the whole process: a second
   * thread gained 5 % for eight hooks at once and cost as much for a single one.
   */
  hookThreads: 1,
  /**
   * Running time of a hook before a second process is started that ends the hook should this process be killed. In a
   * large process the fork takes tens of milliseconds, too much for a hook of a few.
   */
  reaperAfterMs: 50,
  /** Steps per character when searching a hook's stdout for JSON objects. Linear work takes 1 to 3. */
  jsonScanStepsPerCharacter: 16,
  /**
   * Keys and list entries that are searched in the input of a tool without known fields, for what the call does: ten
   * times as many as in any real call. They take 50 ms, and further ones are no reason to wait longer. Attack:
   * `large-tool-inputs`.
   */
  callSearchStepsMax: 100_000,
  /**
   * Files that one call may name besides those of a command, ten times as many as in any real call: 10,000 take 150 ms of
   * the gate's main thread. Attack: `large-tool-inputs`.
   */
  callPathsMax: 10_000,
  /**
   * Texts in the input of a tool without known fields that look like paths, ten times as many as in any real call. Each is
   * looked up on the disk, and looked at by every policy on files. Attack: `large-tool-inputs`.
   */
  callPlacesMax: 1000,
  /**
   * Nesting depth of an event's JSON, and an answer's. `JSON.stringify` recurses, and overflows at some thousands.
   * Attack: `enable-settings`, `facts-files`.
   */
  jsonDepthMax: 500,
  /** Length of outside text that a message quotes, in UTF-16 units: enough to recognise it. */
  quotedCharactersMax: 80,
  /** Invalid fields that one message names. Further ones are only counted: every call of a batch can be invalid. */
  wrongFieldsNamedMax: 5,
  /** One `contextModification`, in UTF-16 units: beyond this Cline truncates, possibly inside a character. */
  clineContextCharactersMax: 50_000,
  /**
   * Maximum age of the cached state of rules files, so that an event without matching rules costs no file access.
   * Attack: `policy-source-weight`.
   */
  rulesFreshMs: 100,
  /** A rules file. The largest published ones are some tens of kilobytes. Attack: `rules-files`. */
  rulesFileBytesMax: 1024 * 1024,
  /** Kinds of events with cached matching rules: every tool of an agent, and room for MCP tools. */
  matchesCachedMax: 1000,
  /** Cached choices of the policies interested in a command: a session repeats some dozens. Each holds a request. */
  interestChoicesMax: 500,
  /** Length of a cache key that came from outside. Longer ones are not real names, and would only fill memory. */
  cacheKeyCharactersMax: 500,
  /** A matcher's pattern: longer ones are generated, and better written as several groups. */
  matcherCharactersMax: 4096,
  /** How deep a rules file's brackets may nest. Its own format needs seven; the parser below it recurses. */
  rulesFileDepthMax: 32,
  /** Age of a rules file's last change from which on an unchanged `stat` proves unchanged content. */
  rulesSettleMs: 1000,
  /** Cached rule sets, one per set of workspace roots. An agent's working directory moves between a few. */
  ruleSetsCachedMax: 64,
  /** Length of the subject of a regular expression. The model APIs take tool names of up to 128 characters. */
  matcherSubjectCharactersMax: 128,
  /** Ways in which a regular expression may split the longest subject: four times `.*.*.*`, under a second. */
  matcherWaysMax: 1e7,
  /** Pieces of a command's words that may be protected paths: each is compared with some hundred of them. */
  mentionsMax: 400,
  /**
   * A shell command, path or other subject of an `if`. Longer ones are assumed to match. Attack: `permissions`,
   * `rules-files`, `self-protection`, `shell-condition`.
   */
  conditionSubjectCharactersMax: 65_536,
  /**
   * Steps of all `if` on one event, and of all permission lists, each comparing one character with one place of a
   * pattern: some 50 ms. Most patterns need one step, since they begin with another program.
   */
  conditionStepsMax: 5e6,
  /**
   * Options of a command that a rule may name in another place. A match of more, or of one behind as many words that may be
   * a subcommand, is assumed. Attack: `shell-condition`.
   */
  movedOptionsMax: 32,
  /** Entries of one list in `permissions`. The longest lists that people keep have a few hundred. */
  permissionEntriesMax: 1000,
  /** Exceptions of one file. A person who needs more should leave the rule out. */
  exceptionsMax: 500,
  /** Length of an exception's command or path. Longer commands are generated, and do not come twice. */
  exceptionCharactersMax: 4096,
  /** Findings of one rule that exceptions take back on one call. Each costs one more evaluation; few calls have more. */
  exceptionRoundsMax: 16,
  /** `conditionStepsMax` for untrusted policies, of which there may be thousands. Beyond it a match is assumed. */
  untrustedConditionStepsMax: 1e5,
  /** `matcherWaysMax` for an untrusted regular expression: enough for `.*.*`, not for more of them. */
  untrustedMatcherWaysMax: 1e4,
  /** `matcherWaysMax` at load, where a regular expression is tried on every known tool name to detect odd ones. */
  checkedMatcherWaysMax: 1000,
  /** Alternatives of a matcher that are looked at for mistakes, a millisecond for each twenty. Attack: `matchers`. */
  checkedAlternativesMax: 64,
  /** Nesting depth of `$( )`, backticks and `bash -c '…'`. Deeper commands are assumed to match every `if`. */
  conditionNestingMax: 16,
  /** A file that is pinned by its content. Interpreters and bundles are some tens of megabytes. */
  pinnedFileBytesMax: 256 * 1024 * 1024,
  /** Words of one hook command that are checked for being files of the workspace. Attack: `rules-files`. */
  pinnedWordsMax: 1000,
  /** The store of pins: a hundred bytes for each pinned file. */
  trustFileBytesMax: 4 * 1024 * 1024,
  /** One reason or notice, in UTF-16 units: still readable for a person or a model. */
  reasonCharactersMax: 25_000,

  // Loading rules and policies: `rules/`, `policy/compile/`.

  /**
   * All policy files of one source, each counted once: ten thousand policies of 6 KB, as many as a sandbox has room
   * for.
   */
  policySourceBytesMax: 64 * 1024 * 1024,
  /** CPU time for compiling the policies of one source. It takes a second for each megabyte, and an agent waits. */
  policyCompileMsMax: 120_000,
  /**
   * All untrusted policies of one load together: 85 of 6 KB. The most expensive code takes 3.2 s per megabyte, and
   * meanwhile an agent waits for the rules of others.
   */
  untrustedPolicyBytesMax: 512 * 1024,
  /**
   * CPU time for compiling all untrusted policies of one load. Ordinary code of the maximum size takes half a second.
   */
  untrustedCompileMsMax: 2000,
  /** Number of untrusted policies of one load: each describes itself when loaded, and takes room in the sandbox. */
  untrustedPoliciesMax: 500,
  /**
   * Ratio of compiled code to source bytes: a module is linked into each policy that imports it. For hookgate's own
   * packs the ratio is three.
   */
  policyLinkedTimes: 8,
  /** All untrusted rules files and `pack.json` together, in bytes: at worst, a megabyte takes 3.7 s. */
  untrustedRulesBytesMax: 256 * 1024,
  /** A `pack.json`: a description, and no more. */
  packFileBytesMax: 16 * 1024,
  /** Packs that one rules file enables: each is a folder to search. */
  packsMax: 100,
  /**
   * Bytes of possibly misnamed policy files that one load reads, only for a warning. Attack: `policy-source-weight`.
   */
  misnamedBytesMax: 2 * 1024 * 1024,
  /** Names in a hooks folder that are checked for misspellings. Cline has eight events. */
  misspeltNamesMax: 1000,
  /**
   * Time for which loading rules, or deciding one event, holds up everything else on the main thread. A single indivisible
   * step may take longer.
   */
  turnMs: 10,

  // Policies, their sandbox, declared facts and tests: `policy/`, `facts/declared`.

  /**
   * CPU time that one policy may take for one event. A policy takes microseconds; a regular expression over a long file
   * takes milliseconds; a person does not notice a tenth of a second.
   */
  policyCpuMs: 100,
  /**
   * Additional CPU time per megabyte of an event, which the sandbox parses: measured 12 ms, slow machines need more.
   */
  policyCpuMsPerMegabyte: 60,
  /** Wall time of all policies for one event, even on a loaded machine. */
  policyAnswerMsMax: 10_000,
  /**
   * How long an event may wait until its policies are asked: longer than `policyAnswerMsMax`, which the event before it
   * may take. Both together are less than `clientAnswerMs`. Attack: `waits`.
   */
  policyWaitMsMax: 15_000,
  /**
   * UTF-16 units of facts from which on an event is evaluated apart from others, one at a time. Of 6,000 real commands none
   * had half as many, and below it all policies together take some 20 ms. Attack: `waits`.
   */
  policyCostlyCharacters: 16 * 1024,
  /**
   * CPU time that all policies of one source may take for one event: thirty times `policyCpuMs`. An untrusted source
   * must not be able to occupy a machine with one core for longer.
   */
  policySourceCpuMs: 3000,
  /** What one policy may allocate for one event, beyond what is loaded. A file of 16 MiB, parsed, and some copies. */
  policyMemoryMb: 64,
  /** Memory of loaded policies: room for ten thousand of some 6 KB. */
  policyLoadedMemoryMb: 128,
  /** Consecutive failures for time or memory after which a policy is quarantined. */
  policyStrikesMax: 3,
  /** Duration of the quarantine: long enough to spare other policies, short enough that a guard soon works again. */
  policyQuarantineMs: 60_000,
  /** One policy's answer, in UTF-16 units of JSON: as much as a hook may print. */
  policyAnswerCharactersMax: 1024 * 1024,
  /** All answers of a source to one event: they are parsed on the main thread, for which every session waits. */
  policyAnswersCharactersMax: 4 * 1024 * 1024,
  /** Answers of one policy to one event. */
  policyAnswersMax: 16,
  /** Parsed params that a sandbox thread caches: one for each rule, and room for newer rules. */
  policyParamsRememberedMax: 1000,
  /** Cached lists of policies called together, in UTF-16 units: for ten policies, some hundred per kind of event. */
  policyCallsRememberedCharactersMax: 256 * 1024,
  /** Text of a policy's error, in UTF-16 units: the message and the position. Attack: `policy-answers-that-lie`. */
  policyErrorCharactersMax: 2000,
  /**
   * Texts that cross into the sandbox beside the JSON, in UTF-16 units: for a shorter one, JSON takes no longer than what
   * each text takes by itself.
   */
  policyRawTextCharactersMin: 256,
  /** Texts of one event beside the JSON, as each is an argument of the call into the isolate: most events have one or two. */
  policyRawTextsMax: 16,
  /** Threads that evaluate policies: an evaluation takes microseconds, and each thread holds every policy. */
  policyThreadsMax: 4,
  /** Longest wait before a lost sandbox is replaced, counted from the first loss. */
  sandboxBackoffMsMax: 5000,
  /** Start of a sandbox: measured 0.1 s, on a loaded machine many times that. */
  sandboxStartMs: 20_000,
  /** Interval of checks on a sandbox with pending answers: a fraction of `policySilenceMs`. */
  policyWatchMs: 50,
  /** One file of a policy. Larger files are generated, and tables belong into facts. Attack: `policy-source-weight`. */
  policyFileBytesMax: 1024 * 1024,
  /** Files of one policy. */
  policyModulesMax: 200,
  /** How deep a policy's syntax may nest. Every parser recurses: the first overflows at some 600 nested objects. */
  policyDepthMax: 500,
  /** Names that one file of a policy declares. A `var` counts once for each enclosing block, as parsers store it. */
  policyNamesMax: 100_000,
  /** All files of one policy. Two hundred of the maximum size would keep the gate busy for half a minute. */
  policyBytesMax: 4 * 1024 * 1024,
  /** Problems reported for one file of a policy. A thoroughly broken file has as many as it has words. */
  policyProblemsMax: 100,
  /** How deep a `policies/` folder is searched. */
  policyFolderDepthMax: 8,
  /** Examples of one policy. They run whenever it is loaded. */
  policyExamplesMax: 200,
  /** A policy that is kept compiled: most take 3 KB. A larger one is generated, and is compiled with each cold start. */
  keptPolicyBytesMax: 256 * 1024,
  /** Policies of a source whose examples run concurrently: enough to hide the latency of messages. */
  policiesCheckedAtOnce: 32,
  /** Entries of a `policies/` folder, which is listed completely. With more, it holds dependencies or other files. */
  policyFolderEntriesMax: 10_000,
  /** Mutants that `hookgate test` loads together: each is some kilobytes, and one that loops delays the others. */
  mutantsAtOnceMax: 64,
  /** A file that a fact is read from, and the text of a fact. Attack: `facts-files`. */
  factBytesMax: 256 * 1024,
  /** The text that a call puts into one file, or takes out of it, as policies see it; only its beginning if it is longer. */
  changeCharactersMax: 200_000,
  /** All texts together that a call puts into files or takes out of them, as policies see them. */
  changesCharactersMax: 2_000_000,
  /** Texts of one call in which commands of other languages are looked for: a workflow has some thousand. Attack: `written-commands`. */
  carriedCharactersMax: 100_000,
  /** Files of one call whose changes policies see: a patch of a whole project has some hundred. */
  changedFilesMax: 1000,
  /** Files of the workspace that are read because one call applies patches: a series has some dozen. Attack: `patches`. */
  patchesReadMax: 32,
  /**
   * Looking up one event's facts: local files take a fraction of a millisecond, a dead network drive never answers.
   * Attack: `facts-files`.
   */
  factsMs: 1000,
  /** Resolving the real paths of one event: a local path takes some microseconds, a dead drive never answers. */
  realPathsMs: 250,
  /**
   * Paths of one event that are resolved to real paths. Further ones are judged as written. Attack: `facts-bounds`,
   * `touched-paths`.
   */
  realPathsMax: 1000,
  /** Absent paths of one event whose folders are looked at on the gate's own thread: about 10 µs each. */
  realPathsAtOnceMax: 100,
  /** Paths longer than any system accepts are not resolved. Attack: `touched-paths`. */
  realPathCharactersMax: 4096,
  /** Files whose content is cached while they do not change. */
  factsRememberedMax: 1000,
  /** Size of the cached files, in bytes: a thousand of 4 KB. As parsed JSON they may take ten times as much. */
  factsRememberedBytesMax: 4 * 1024 * 1024,

  // The sessions that agents keep, and deciding their calls again: `replay/`.

  /** A line of a session: twice the largest event, since results and pictures stand in lines of their own. */
  sessionLineBytesMax: 32 * 1024 * 1024,
  /** Bytes of longer lines of one session, after which its rest is not read: a sparse file of zeros may have terabytes. */
  sessionLostBytesMax: 256 * 1024 * 1024,
  /** A session that is one JSON document, which is parsed as a whole: months of work with pictures. */
  sessionDocumentBytesMax: 128 * 1024 * 1024,
  /** Rows of an agent's database that are read at once. Between pages the agent can write. */
  sessionRowsPerPage: 100,
  /** Verdicts that a replay keeps for calls that come again: those of a year, in some 30 MB. */
  replayVerdictsKeptMax: 100_000,
  /** Distinct findings that a replay keeps to show. Further ones are only counted: nobody reads as many. */
  replayFindingsMax: 10_000,
  /** Calls decided at once for each core: enough to keep the sandbox busy while facts are found here. */
  replayCallsAtOnce: 4,

  // The record of decisions: `record/`.

  /** Any other text in the record: a reason, a failure, in bytes of UTF-8. */
  recordedTextBytesMax: 2048,
  /** How long records wait for others, to be written together: a person who reads the record does not notice it. */
  recordBatchMs: 100,
  /** Records in one transaction. A larger one gains nothing. */
  recordBatchMax: 256,
  /** Records that wait to be written, if the disk is slow or locked: a minute at a rate that no person's agents reach. */
  recordsWaitingMax: 20_000,
  /** Characters of the records in one transaction, and of those that wait: a record has one or two thousand. */
  recordBatchCharactersMax: 2 * 1024 * 1024,
  recordsWaitingCharactersMax: 32 * 1024 * 1024,
  /** How long a transaction waits for that of another writer, which takes milliseconds. */
  recordLockMs: 2000,
  /** `recordLockMs` in a process whose exit an agent waits for. Records that it does not write are counted as lost. */
  recordExitLockMs: 250,
  /** Damaged databases that are kept, the newest: each may be as large as the record. */
  damagedRecordsMax: 3,
  /** How long an exit waits for the last records. */
  recordCloseMs: 2000,
  /** How long records are kept unless a setting says otherwise: a quarter. */
  recordDays: 90,
  /** The size of the record unless a setting says otherwise: some 200,000 decisions. */
  recordMegabytes: 200,
  /** Time between two checks of the record's whole chain, which take seconds of a thread: a person may look each day. */
  recordVerifyMs: 86_400_000,
  /** Batches between two looks at the record's age and size. */
  recordPruneEveryBatches: 100,
  /** Rows of figures in the record, of counts and of times: for 90 days of a hundred rules, in some 5 MB. */
  recordedFiguresMax: 100_000,

  /** How often an export looks for new rows: a person who looks at the collector does not notice it. */
  exportPollMs: 1000,
  /** The first wait for a collector that is away. Each further one is twice as long. */
  exportRetryMs: 1000,
  /** Characters of a collector's answer that are read: an answer that counts refused records is short. */
  exportAnswerCharactersMax: 16 * 1024,
  /** How long an ending gate waits for an export that is under way. The next gate sends the rest. */
  exportCloseMs: 2000,
  /** Attributes that a setting or a variable adds to each exported record: a collector makes a label of each. */
  exportAttributesMax: 32,
  /** Characters of an added attribute: the longest value that backends keep as a label. */
  exportAttributeCharactersMax: 255,
  /** The time between two heartbeats. Each costs a process of half a second, and a machine has one gate a user. */
  heartbeatMs: 300_000,

  // Signed bundles of rules: `bundle/`.

  /** A bundle as it is served, compressed. All that hookgate ships is 250 KB; a company's own policies are less. */
  bundleBytesMax: 4 * 1024 * 1024,
  /** A bundle, unpacked: a small file can become large in memory. */
  bundleTextBytesMax: 32 * 1024 * 1024,
  /** Files of one bundle: as many policies as all packs of hookgate have, ten times. */
  bundleFilesMax: 2000,
  /** One file of the metadata that is signed. With a hundred channels, the list of targets is 60 KB. */
  bundleMetadataBytesMax: 512 * 1024,
  /** Rotations of the root that are followed from the pinned one: one a quarter for eight years. */
  bundleRootsMax: 32,
  /** One request for a file. A server that sends byte by byte has no longer than one that sends at once. */
  bundleRequestMs: 30_000,
  /** Seconds between two looks: 20,000 machines ask 133 times a second. */
  bundlePollSeconds: 300,
  /**
   * A machine that has no rules yet does not wait a whole interval for its first look, but at most this: 20,000 new ones at
   * once are 2,300 requests a second.
   */
  bundleFirstPollMsMax: 60_000,
  /** Days for which rules count though no newer bundle could be fetched: a holiday. */
  bundleStaleDays: 14,
  /** The longest time that a kill switch holds: over a weekend, until somebody has published a mended bundle. */
  bundleSwitchHoursMax: 72,
  /** A file with a key or a passphrase. */
  bundleKeyBytesMax: 16 * 1024,

  // The resident gate, its clients, the bridge, and installing: `server/`, `client/`, `bridge/`, `install/`.

  /** Consecutive refusals of the end of a turn: as many as agents allow that count them themselves. */
  stopRefusalsMax: 8,
  /** Hooks that a gate remembers to have decided: some hundred projects with ten guards each. */
  decidedHooksMax: 1000,
  /** Kept refusals and questions, over all projects: those of some days. */
  refusalsKeptMax: 200,
  /** How long a refusal is kept for `hookgate allow`: over a weekend. */
  refusalMsMax: 7 * 86_400_000,
  /** Rules of one refusal that are kept. A call that more rules refuse cannot be allowed by `hookgate allow`. */
  refusalRulesMax: 8,
  /** One text of a kept refusal, in UTF-16 units: as much as fits on a screen. */
  refusalTextCharactersMax: 1000,
  /** How long `hookgate allow --once` holds: the agent has to call again, and the person is still there. */
  grantOnceMs: 600_000,
  /** How long `hookgate allow --session` holds at most. A session can be resumed for ever. */
  grantSessionMs: 7 * 86_400_000,
  /** The longest time that `hookgate allow --for` and `--times` hold: a working day, and no more than a night. */
  grantRepeatMsMax: 86_400_000,
  /** The largest `--times`: a person who needs more wants an exception. */
  grantTimesMax: 20,
  /** Grants in force, over all sessions. Each is given by hand. */
  grantsMax: 200,
  /** A text whose mask is compared with it, in UTF-16 units: twice its analysis, only where a secret has several words. */
  comparedMaskCharactersMax: 16 * 1024,
  /** Commands of a text whose mask is compared with it: texts with more are scripts, too long to be analysed three times. */
  comparedMaskCommandsMax: 100,
  /** Calls that wait for a person at once. Nobody reads more; the oldest keep their place. */
  approvalsOpenMax: 100,
  /** Text of a call that a person is shown, in UTF-16 units: ten pages. Nobody reads more before an answer. Attack: `shown-calls`. */
  approvalCharactersMax: 32 * 1024,
  /** The shortest wait for a person: nobody reads a command and answers in less. */
  approvalWaitMsMin: 1000,
  /** Characters of one line of ntfy's stream: a message of the largest size, escaped, and its fields. */
  ntfyLineCharactersMax: 32 * 1024,
  /** Characters of all lines of one connection: 2,000 short ones, as many as the signs of life of a day. */
  ntfyConnectionCharactersMax: 1024 * 1024,
  /** An id or a person's name in an answer to a waiting call. */
  approvalNameCharactersMax: 200,
  /** A person's reason, which the model gets: some sentences. */
  approvalReasonCharactersMax: 1000,
  /**
   * Wait of `up` for a gate to answer, including an older gate that drains first: measured 0.8 s on an idle machine.
   */
  gateStartMs: 60_000,
  /** Wait of an ending gate for events in progress: a hook of the default timeout, its grace, and the answer. */
  gateDrainMs: 35_000,
  /** Wait for a gate's status before it counts as stuck: it may be loading rules. */
  gateAnswerMs: 5000,
  /** Wait for a gate's status in the first check, made without the lock; after it, the lock is taken. */
  gateGlanceMs: 1000,
  /** Wait for the rules before a gate reports its status without them: half of `gateGlanceMs`. */
  statusRulesMs: 500,
  /** Polling interval while waiting for a gate. */
  gateLookMs: 25,
  /** A state or token file of the gate: each is a few hundred bytes. */
  gateFileBytesMax: 16 * 1024,
  /**
   * An event file of the bridge: twice the largest event, which a reader can still parse in a tenth of a second.
   * Attack: `event-files`.
   */
  bridgeFileBytesMax: 32 * 1024 * 1024,
  /** Events that wait to be written into an event file, and their bytes. They wait for long only if the disk is full. */
  bridgePendingMax: 1000,
  bridgePendingBytesMax: 64 * 1024 * 1024,
  /** Age at which the draft of an event counts as abandoned: writing one takes milliseconds. */
  bridgeDraftMsMax: 600_000,
  /** Broken event files that are set aside: a cause that recurs this often will recur again. Attack: `event-files`. */
  bridgeSetAsideMax: 20,
  /** The first line of a listener's answer, and room for headers. */
  bridgeAnswerBytesMax: 16 * 1024,
  /** All headers of one HTTP request: Node's own figure. An agent's hook sends half a kilobyte. Attack: `page`. */
  httpHeaderBytesMax: 16 * 1024,
  /** Time for a client to send its headers. They fit into one packet. */
  httpHeadersMs: 10_000,
  /** Time for a client to send its body: one of the maximum size needs a tenth of a second on the same machine. */
  httpBodyMs: 10_000,
  /** Interval at which Node checks for clients that take longer than `httpHeadersMs` and `httpBodyMs`. */
  httpLateCheckMs: 500,
  /** Bytes of an oversized body that are read and discarded, so that the sender can read the refusal. */
  httpDiscardedBytesMax: 64 * 1024 * 1024,
  /**
   * Keep-alive timeout: longer than the usual time between two tool calls, so that requests seldom hit a closing one.
   */
  httpIdleMs: 300_000,
  /** Concurrent events of one gate. More are rejected, which costs the agent a retry and the gate next to nothing. */
  httpRequestsMax: 1000,
  /** Connections of one listener: room for `httpRequestsMax` events and for idle clients. A new one evicts the longest idle. */
  httpConnectionsMax: 1200,
  /** The bodies of all requests in progress: sixteen events of the maximum size. */
  httpBytesHeldMax: 256 * 1024 * 1024,
  /** Wait for the answer of a gate elsewhere, handshake included. A person does not notice it beside a tool call. */
  remoteAnswerMs: 150,
  /** A server's answer. A verdict with the answers of a hundred rules is some tens of kilobytes. */
  remoteAnswerBytesMax: 1024 * 1024,
  /** Evaluations of one AuthZEN request. A line that a person writes has a handful of commands. */
  authzenEvaluationsMax: 100,
  /**
   * From SIGTERM until `serve --listen` accepts nothing more. `readyz` answers 503 meanwhile, and a load balancer that
   * asks every few seconds sends its requests elsewhere.
   */
  serveLeaveMs: 5000,
  /** From `serveLeaveMs` on until open decisions are cut off. Together they are less than Kubernetes' 30 s until SIGKILL. */
  serveDrainMs: 20_000,
  /** A bearer token, in characters. Tokens of large companies, with many groups, have some thousands. */
  bearerCharactersMax: 8192,
  /** All texts of one kept event together: as much as a person still reads. The rest is cut. */
  eventKeptCharactersMax: 64 * 1024,
  /** One text of a kept event. */
  eventKeptTextCharactersMax: 4096,
  /** Values of one kept event: a list of numbers has no texts to cut. */
  eventKeptValuesMax: 10_000,
  /** Nesting depth of a kept event: the code that shortens it recurses. */
  eventKeptDepthMax: 64,
  /** An agent's settings file. The largest published ones are some tens of kilobytes. Attack: `enable-settings`. */
  settingsBytesMax: 4 * 1024 * 1024,
  /** The record of one `enable`: it holds a settings file from before, of which each character may be escaped. */
  enableRecordBytesMax: 2 * 4 * 1024 * 1024 + 64 * 1024,
  /** Backups of settings from before a change, over all files. */
  settingsBackupsMax: 20,
  /** Timeout of `claude --version` and the like: measured 0.1 s. */
  versionCommandMs: 10_000,
  /** Timeout of a canary: a cold start on a loaded machine takes some seconds. */
  canaryMs: 30_000,
  /** Bytes of a canary's answer that are read. */
  canaryAnswerBytesMax: 1024 * 1024,
  /** Registered timeout of hooks, in seconds: Claude Code's default, stated because some events have a shorter one. */
  registeredTimeoutS: 600,
  /** Time limit of a thin client. It is shorter than `registeredTimeoutS`, since a killed client has refused nothing. */
  registeredAnswerMs: 590_000,
  /** Registered timeout for the end of a session, in seconds. Claude Code waits no longer, whatever is configured. */
  registeredEndTimeoutS: 60,
  registeredEndAnswerMs: 55_000,
  /** Total time of a thin client: three seconds less than Cline's timeout, after which Cline lets the tool run. */
  clientAnswerMs: 27_000,
  /**
   * A thin client's environment, which is sent along: some kilobytes. With a larger one, it decides without the gate.
   * Attack: `sessions-apart`.
   */
  callerBytesMax: 256 * 1024,
  /** Remembered projects of sessions whose events name none, as with HTTP hooks. The least recently used is evicted. */
  sessionsRememberedMax: 1000,
  /** Minimum interval between gate starts by thin clients: a start costs half a second of CPU, and may fail. */
  clientGateStartEveryS: 30,

  // The page of `hookgate ui`.

  /** How long a link opens the page: the time to click on it, and too short to find it in a history. Attack: `page`. */
  pageLinkMs: 60_000,
  /** A request of the page: some fields of a form. Attack: `page`. */
  pageBodyBytesMax: 256 * 1024,
  /**
   * Streams to the page at once: each browser tab has one, and each looks into the record by itself. Attack: `page`.
   */
  pageStreamsMax: 16,
  /** Decisions in one answer to the page: many times what fits onto a screen. */
  pageRowsMax: 500,
  /** A name, a path or a value that the page passes to a command: as long as a path may be. */
  pageWordCharactersMax: 4096,
} as const

/** Limits on the facts of a shell command, in `facts/shell`. Beyond them the facts are marked `uncertain`. */
export const shellLimits = {
  /**
   * A command's text, in UTF-16 units: Linux allows no longer argument, and agents pass a command as one argument.
   * Attack: `facts-cost`, `shell-text`.
   */
  textCharactersMax: 128 * 1024,
  /**
   * Commands that one text would run: three times as many as in any of ten thousand real ones. Each policy checks each.
   * Attack: `facts-cost`, `shell-text`.
   */
  commandsMax: 300,
  /**
   * Commands, words and loop iterations to analyse: a long script has a thousand, and ten thousand take 20 ms. Attack:
   * `facts-cost`, `shell-text`.
   */
  stepsMax: 10_000,
  /**
   * Characters of a simple command that cost one step: its words and redirections are expanded again in each round of a
   * loop.
   */
  charactersPerStep: 128,
  /** Characters of a text, times the depth of its `${…}`: the parser reads the inside of each again. People write three. */
  nestedCharactersMax: 4 * 1024 * 1024,
  /**
   * Here-documents that begin on one line, or shifts in a line of code: people write one, minified code hundreds.
   * Attack: `facts-bounds`, `facts-cost`.
   */
  heredocsOnOneLineMax: 1000,
  /** Words of a started command that cost one step: ten thousand `sudo` in a row start each other with all words left. */
  startedWordsPerStep: 16,
  /** Variables, elements, parameters and files that one step joins, copies or looks through. Attack: `facts-cost`. */
  valuesPerStep: 64,
  /**
   * Length of all recorded commands with their words: four times the longest text. They are sent to the sandbox, and
   * each policy looks through them. Attack: `facts-cost`.
   */
  recordedCharactersMax: 512 * 1024,
  /**
   * Words of all recorded commands: 18 times as many as in any of ten thousand real ones. A hundred policies look at
   * each word, and share the CPU time of one. Attack: `facts-cost`.
   */
  recordedWordsMax: 2000,
  /** Nesting depth of commands, texts and calls: each level takes some stack frames. Attack: `shell-text`. */
  depthMax: 100,
  /** Recursive runs of a function or script to analyse: the first shows what it does, the second with which words. */
  recursionMax: 2,
  /** Possible values of a variable: two branches of a few conditions. With more, it counts as unknown. */
  possibleMax: 8,
  /** Variants of one simple command, as its words and folders may have several values. Attack: `facts-bounds`. */
  combinationsMax: 16,
  /** Commands whose output is part of one value. Each new one is compared with all others. Attack: `facts-bounds`. */
  sourcesMax: 64,
  /** Possible working directories of a command: each `cd` that may fail adds one. */
  foldersMax: 4,
  /** One value, in UTF-16 units. `X=$X$X` doubles with each step. Attack: `facts-cost`. */
  valueCharactersMax: 64 * 1024,
  /** Total length of all values: copying more would take a waiting gate seconds. Attack: `facts-cost`. */
  charactersMax: 2 * 1024 * 1024,
  /** Words that one word may become: `{1..1000000}`. Attack: `facts-bounds`. */
  fieldsMax: 256,
  /** Iterations of a loop over known values that are analysed one by one. Attack: `facts-bounds`. */
  roundsMax: 64,
  /** Analysed iterations of a loop over numbers: one more with an unknown value stands for the rest. Attack: `shell-text`. */
  numberRoundsMax: 32,
  /**
   * Rounds of a loop whose commands are all recorded. Of further rounds, which mostly repeat these, only new commands are.
   * Attack: `shell-text`.
   */
  wholeRoundsMax: 10,
  /** Analysed iterations of a counting loop, which seldom ends early: `for ((i = 0; i < 1000; i++))`. */
  countedRoundsMax: 16,
  /** Iterations of a loop of unknown length before widening: all variables that change in it become unknown. */
  wideningRoundsMax: 3,
  /** Length of the subject of a pattern, in characters: each costs one pass over the pattern. */
  patternTextMax: 4096,
  /** Cost of an unanchored match: the square of the text's length times the pattern's. Takes some 20 ms. */
  patternAnywhereMax: 1_000_000,
  /** Parts of a pattern. */
  patternPartsMax: 128,
  /**
   * Paths that one command touches, and all commands of a text together: policies check each. Attack: `facts-bounds`.
   */
  pathsMax: 1000,
  pathsMaxTogether: 1000,
  /** A path, in UTF-16 units: Linux accepts no longer one, macOS a quarter of it. Each policy looks through it. */
  pathCharactersMax: 4096,
  /** Files whose data flows are tracked, and their readers, writers and flows. Attack: `facts-bounds`. */
  filesMax: 250,
  fileReadersMax: 1000,
  fileWritersMax: 250,
  fileFlowsMax: 5000,
  /** Symbolic links that one path leads through: as many as Linux follows. Attack: `facts-bounds`. */
  linksMax: 40,
  /**
   * Folders below which the printed names of one command lie: searches that people write have a few. Attack:
   * `facts-bounds`, `names-from-programs`.
   */
  namedPlacesMax: 32,
  /** Uncertainties reported for one text: further ones add no information. */
  uncertaintiesMax: 20,
} as const

/** Limits on the commands that the arguments of one wrapper can produce, in `facts/`. */
export const unwrapLimits = {
  /**
   * Runs of one command by `xargs`, `parallel`, `find` or `fd`. Readable commands written by hand have fewer. Attack:
   * `facts-bounds`.
   */
  runsMax: 32,
  /** UTF-16 units of a word after its placeholders are filled in. Longer words count as unknown. */
  filledMax: 65_536,
  /** Commands that an unknown program may start by its words: a launcher has one, a list of tools a dozen names. */
  mayStartMax: 16,
  /** UTF-16 units of a text that is searched for the commands it mentions: as long as a typed file may be. */
  mentionTextMax: 65_536,
  /** UTF-16 units of one mentioned command. */
  mentionMax: 2048,
  /** Commands that one text mentions: a long script has fifty lines of them. */
  mentionsMax: 64,
  /**
   * Git settings from numbered environment variables, each of which is looked up by its number. Attack: `facts-bounds`.
   */
  gitSettingsMax: 256,
  /** UTF-16 units of code in a language without a parser that are searched for the commands it starts. */
  otherCodeMax: 4096,
} as const

/** Limits on inline code in languages other than the shell's, in `facts/shell/code`. */
export const codeLimits = {
  /**
   * UTF-16 units: longer code is a program, not a typed line. The rest is not read, and the facts say so. Attack:
   * `facts-bounds`.
   */
  textMax: 32_768,
  /**
   * Nesting depth of brackets: no person writes deeper code, and the parser recurses for each. Attack: `facts-bounds`.
   */
  depthMax: 48,
  /** Nesting depth of texts that code runs as code: `exec` in `exec`. Attack: `facts-bounds`. */
  textsDepthMax: 8,
  /** Expressions to evaluate, including those in texts and repeated evaluations. */
  stepsMax: 10_000,
  /** Possible values of one variable: the elements of a list that a loop iterates over. Attack: `facts-bounds`. */
  alternativesMax: 32,
  /** Elements of one list: `a = a + a` doubles with each step. Attack: `facts-bounds`. */
  itemsMax: 256,
  /** Touched paths and started programs of one piece of code. Attack: `facts-bounds`. */
  findingsMax: 128,
  /**
   * UTF-16 units of one value: longer ones are data, and concatenating them is unbounded work. Attack: `facts-bounds`.
   */
  valueMax: 2048,
  /** UTF-16 units of a dotted name. No known name is half as long. */
  nameMax: 128,
} as const

/** Default port for HTTP, of listeners and of clients: the one that older tools of this kind agreed on. */
export const httpPortUsual = 3043
