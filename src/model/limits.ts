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
   * Attack: `http-too-much`, `frames`, `client-hostile-gate`.
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
  /** Default timeout of a hook: Cline's constant. */
  hookTimeoutMs: 30_000,
  /** Default timeout of a hook in Claude Code's own files: Claude Code's default. */
  hostTimeoutMs: 600_000,
  /** The longest timeout that can be configured: a day, far below the 2^31 ms at which Node's timers wrap to 1 ms. */
  hookTimeoutMsMax: 86_400_000,
  /** Largest configurable concurrency of hooks. Each is a process and three pipes; users may have some thousands. */
  concurrencyMax: 1024,
  /** From SIGTERM to SIGKILL, and from a hook's exit to the end of waiting for its stdout. Claude Code's own figure. */
  graceMs: 500,
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
   * Nesting depth of an event's JSON, and an answer's: what other parsers of agents stop at. `JSON.stringify` takes time by
   * the square of the depth. Attack: `enable-settings`, `facts-files`.
   */
  jsonDepthMax: 128,
  /** Length of outside text that a message quotes, in UTF-16 units: enough to recognise it. */
  quotedCharactersMax: 80,
  /** Invalid fields that one message names. Further ones are only counted: every call of a batch can be invalid. */
  wrongFieldsNamedMax: 5,
  /**
   * Maximum age of the cached state of rules files, so that an event without matching rules costs no file access.
   * Attack: `policy-source-weight`.
   */
  rulesFreshMs: 100,
  /** A rules file. The largest published ones are some tens of kilobytes. Attack: `rules-files`. */
  rulesFileBytesMax: 1024 * 1024,
  /** Kinds of events with cached matching rules: every tool of an agent, and room for MCP tools. */
  matchesCachedMax: 1000,
  /** Length of a cache key that came from outside. Longer ones are not real names, and would only fill memory. */
  cacheKeyCharactersMax: 500,
  /** A matcher's pattern: longer ones are generated, and better written as several groups. */
  matcherCharactersMax: 4096,
  /** Age of a rules file's last change from which on an unchanged `stat` proves unchanged content. */
  rulesSettleMs: 1000,
  /** Cached rule sets, one per set of workspace roots. An agent's working directory moves between a few. */
  ruleSetsCachedMax: 64,
  /** Length of the subject of a regular expression. The model APIs take tool names of up to 128 characters. */
  matcherSubjectCharactersMax: 128,
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
  /** Length of an exception's command or path. Longer commands are generated, and do not come twice. */
  exceptionCharactersMax: 4096,
  /** Findings of one rule that exceptions take back on one call. Each costs one more evaluation; few calls have more. */
  exceptionRoundsMax: 16,
  /** Alternatives of a matcher that are looked at for mistakes, a millisecond for each twenty. Attack: `matchers`. */
  checkedAlternativesMax: 64,
  /** A file that is pinned by its content. Interpreters and bundles are some tens of megabytes. */
  pinnedFileBytesMax: 256 * 1024 * 1024,
  /** Words of one hook command that are checked for being files of the workspace. Attack: `rules-files`. */
  pinnedWordsMax: 1000,

  // Loading rules and policies: `rules/`, `policy/compile/`.

  /** Number of untrusted policies of one load: each describes itself when loaded, and takes room in the sandbox. */
  untrustedPoliciesMax: 500,
  /**
   * Bytes of possibly misnamed policy files that one load reads, only for a warning. Attack: `policy-source-weight`.
   */
  misnamedBytesMax: 2 * 1024 * 1024,

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
  /** What one policy may allocate for one event, beyond what is loaded. A file of 16 MiB, parsed, and some copies. */
  policyMemoryMb: 64,
  /** Memory of loaded policies: room for ten thousand of some 6 KB. */
  policyLoadedMemoryMb: 128,
  /** One policy's answer, in UTF-16 units of JSON: as much as a hook may print. Attack: `hidden-outputs`. */
  policyAnswerCharactersMax: 1024 * 1024,
  /** All answers of a source to one event: they are parsed on the main thread, for which every session waits. */
  policyAnswersCharactersMax: 4 * 1024 * 1024,
  /** Answers of one policy to one event. */
  policyAnswersMax: 16,
  /** Text of a policy's error, in UTF-16 units: the message and the position. Attack: `policy-answers-that-lie`. */
  policyErrorCharactersMax: 2000,
  /** Threads that evaluate policies: an evaluation takes microseconds, and each thread holds every policy. */
  policyThreadsMax: 4,
  /** Start of a sandbox: measured 0.1 s, on a loaded machine many times that. */
  sandboxStartMs: 20_000,
  /** Loading the policies of a source, or evaluating them once, where a person waits: on a loaded machine, the examples of all packs took 20 s. */
  policyLoadMs: 120_000,
  /** Interval of checks on a sandbox with pending answers: a fraction of `policySilenceMs`. */
  policyWatchMs: 50,
  /** One file of a policy. Larger files are generated, and tables belong into facts. Attack: `policy-source-weight`. */
  policyFileBytesMax: 1024 * 1024,
  /** Problems reported for one file of a policy. A thoroughly broken file has as many as it has words. */
  policyProblemsMax: 100,
  /** How deep a `policies/` folder is searched. */
  policyFolderDepthMax: 8,
  /** Policies of a source whose examples run concurrently: enough to hide the latency of messages. */
  policiesCheckedAtOnce: 32,
  /** A file that a fact is read from, and the text of a fact. Attack: `facts-files`. */
  factBytesMax: 256 * 1024,
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
  /** Paths longer than any system accepts are not resolved. Attack: `touched-paths`. */
  realPathCharactersMax: 4096,

  /** Machines that one list is made of, in some 200 MB: whoever reaches a collector can make up as many. Attack: `heartbeats`. */
  machinesMax: 100_000,

  // The sessions that agents keep, and deciding their calls again: `replay/`.

  /**
   * A line of a session: twice the largest event, since results and pictures stand in lines of their own. Attack:
   * `heartbeats`.
   */
  sessionLineBytesMax: 32 * 1024 * 1024,
  /**
   * Bytes of longer lines of one session, after which its rest is not read: a sparse file of zeros may have terabytes.
   * Attack: `heartbeats`.
   */
  sessionLostBytesMax: 256 * 1024 * 1024,
  /** Verdicts that a replay keeps for calls that come again: those of a year, in some 30 MB. */
  replayVerdictsKeptMax: 100_000,
  /** Distinct findings that a replay keeps to show. Further ones are only counted: nobody reads as many. */
  replayFindingsMax: 10_000,

  // The record of decisions: `record/`.

  /** Any other text in the record: a reason, a failure, in bytes of UTF-8. */
  recordedTextBytesMax: 2048,
  /** How long a transaction waits for that of another writer, which takes milliseconds. */
  recordLockMs: 2000,
  /** How long an exit waits for the last records. */
  recordCloseMs: 2000,
  /** How long records are kept unless a setting says otherwise: a quarter. */
  recordDays: 90,
  /** The size of the record unless a setting says otherwise: some 200,000 decisions. */
  recordMegabytes: 200,

  /** How often an export looks for new rows: a person who looks at the collector does not notice it. */
  exportPollMs: 1000,
  /** The first wait for a collector that is away. Each further one is twice as long. */
  exportRetryMs: 1000,
  /** How long an ending gate waits for an export that is under way. The next gate sends the rest. */
  exportCloseMs: 2000,
  /** The time between two heartbeats. Each costs a process of half a second, and a machine has one gate a user. */
  heartbeatMs: 300_000,

  // Signed bundles of rules: `bundle/`.

  /** A bundle as it is served, compressed. All that hookgate ships is 250 KB; a company's own policies are less. */
  bundleBytesMax: 4 * 1024 * 1024,
  /** One file of the metadata that is signed. With a hundred channels, the list of targets is 60 KB. */
  bundleMetadataBytesMax: 512 * 1024,
  /** Rotations of the root that are followed from the pinned one: one a quarter for eight years. */
  bundleRootsMax: 32,
  /** Seconds between two looks: 20,000 machines ask 133 times a second. */
  bundlePollSeconds: 300,
  /** How long a decision waits for the first signed rules: less than the time in which a gate must answer a status. */
  bundleFirstLookMs: 3000,
  /** The least time between two looks that decisions wait for: a server that hangs is waited for once in it. */
  bundleLookAgainMs: 10_000,
  /** Days for which rules count though no newer bundle could be fetched: a holiday. */
  bundleStaleDays: 14,
  /** The longest time that a kill switch holds: over a weekend, until somebody has published a mended bundle. */
  bundleSwitchHoursMax: 72,
  /** A file with a key or a passphrase. */
  bundleKeyBytesMax: 16 * 1024,

  // The resident gate, its clients, the bridge, and installing: `server/`, `client/`, `bridge/`, `install/`.

  /** How long a refusal is kept for `hookgate allow`: over a weekend. */
  refusalMsMax: 7 * 86_400_000,
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
  /** A text whose mask is compared with it, in UTF-16 units: twice its analysis, only where a secret has several words. */
  comparedMaskCharactersMax: 16 * 1024,
  /** Text of a call that a person is shown, in UTF-16 units: ten pages. Nobody reads more before an answer. Attack: `shown-calls`. */
  approvalCharactersMax: 32 * 1024,
  /** The shortest wait for a person: nobody reads a command and answers in less. */
  approvalWaitMsMin: 1000,
  /** An id or a person's name in an answer to a waiting call. */
  approvalNameCharactersMax: 200,
  /** A person's reason, which the model gets: some sentences. */
  approvalReasonCharactersMax: 1000,
  /** Wait of an ending gate for events in progress: a hook of the default timeout, its grace, and the answer. */
  gateDrainMs: 35_000,
  /** Wait for a gate's status before it counts as stuck: it may be loading rules. */
  gateAnswerMs: 5000,
  /** Polling interval while waiting for a gate. */
  gateLookMs: 25,
  /** A state or token file of the gate: each is a few hundred bytes. */
  gateFileBytesMax: 16 * 1024,
  /**
   * An event file of the bridge: twice the largest event, which a reader can still parse in a tenth of a second.
   * Attack: `event-files`.
   */
  bridgeFileBytesMax: 32 * 1024 * 1024,
  /** Broken event files that are set aside: a cause that recurs this often will recur again. Attack: `event-files`. */
  bridgeSetAsideMax: 20,
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
  /** Wait for the answer of a gate elsewhere, handshake included. A person does not notice it beside a tool call. */
  remoteAnswerMs: 150,
  /** Evaluations of one AuthZEN request. A line that a person writes has a handful of commands. */
  authzenEvaluationsMax: 100,
  /**
   * From SIGTERM until `serve --listen` accepts nothing more. `readyz` answers 503 meanwhile, and a load balancer that
   * asks every few seconds sends its requests elsewhere.
   */
  serveLeaveMs: 5000,
  /** From `serveLeaveMs` on until open decisions are cut off. Together they are less than Kubernetes' 30 s until SIGKILL. */
  serveDrainMs: 20_000,
  /** An agent's settings file. The largest published ones are some tens of kilobytes. Attack: `enable-settings`. */
  settingsBytesMax: 4 * 1024 * 1024,
  /** The record of one `enable`: it holds a settings file from before, of which each character may be escaped. */
  enableRecordBytesMax: 2 * 4 * 1024 * 1024 + 64 * 1024,
  /** Timeout of `claude --version` and the like: measured 0.1 s. */
  versionCommandMs: 10_000,
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
   * Attack: `sessions-apart`, `frames`.
   */
  callerBytesMax: 256 * 1024,
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
  /**
   * Here-documents that begin on one line, or shifts in a line of code: people write one, minified code hundreds.
   * Attack: `facts-bounds`, `facts-cost`.
   */
  heredocsOnOneLineMax: 1000,
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
  /** Length of the subject of a pattern, in characters: each costs one pass over the pattern. */
  patternTextMax: 4096,
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
} as const

/** Default port for HTTP, of listeners and of clients: the one that older tools of this kind agreed on. */
export const httpPortUsual = 3043
