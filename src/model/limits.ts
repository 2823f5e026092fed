/**
 * Bounds on everything that others can make hookgate do: each limit is one named number with its reason, in a section for
 * each room. A unit stands last in the name (`…Ms`, `…Bytes…`); `…CharactersMax` counts UTF-16 units. How much of a text a
 * message shows stands where it is shown.
 */
export const limits = {
  // Events, hooks, matchers, trust.

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
  /** A script that is pinned by its content. Interpreters and bundles are some tens of megabytes. */
  pinnedFileBytesMax: 256 * 1024 * 1024,
  /** Words of one hook command that are looked up as files of the workspace. */
  pinnedWordsMax: 1000,
  /** The store of pins: a hundred bytes for each pinned file. */
  trustFileBytesMax: 4 * 1024 * 1024,
  /** How long one `trust` waits for others: each writes for some milliseconds, on a busy disk many times that. */
  trustLockMs: 20_000,
  /** One reason or notice, in UTF-16 units: what a person or a model can still read. */
  reasonCharactersMax: 25_000,

  // Loading rules and policies: `rules/`, `policy/compile/`.

  /** All policy files of one source, each counted once: ten thousand policies of 6 KB, as many as a sandbox has room for. */
  policySourceBytesMax: 64 * 1024 * 1024,
  /** CPU time that compiling them may take. Such a source takes a second for each megabyte, and somebody waits. */
  policyCompileMsMax: 120_000,
  /**
   * What policies that nobody has trusted may take, all those of one reading together: 85 of 6 KB. Of the worst that can
   * be written a megabyte takes 3.2 s, and meanwhile an agent waits for the guards of others.
   */
  untrustedPolicyBytesMax: 512 * 1024,
  /** The same in CPU time: what is of that size and no more than large takes half a second. */
  untrustedCompileMsMax: 2000,
  /** The same in policies: each is asked what it is, and takes its place in the sandbox. */
  untrustedPoliciesMax: 500,
  /**
   * How much code policies may be made into, for each byte of what they may be made of: a module is linked into each policy
   * that imports it. Of hookgate's own packs that comes to three times.
   */
  policyLinkedTimes: 8,
  /** Policies of a workspace whose examples are run at once: its sandbox is that of other sessions, too. */
  workspacePoliciesCheckedAtOnce: 1,
  /** Rules files and `pack.json` that nobody has trusted, together, in bytes: of the worst, a megabyte takes 3.7 s. */
  untrustedRulesBytesMax: 256 * 1024,
  /** A `pack.json`: a description, and no more. */
  packFileBytesMax: 16 * 1024,
  /** Packs that one rules file turns on. Eight come with hookgate; each is a folder that is searched. */
  packsMax: 100,
  /** What of files that may be misnamed policies is looked into in one reading, in bytes: it is for a warning only. */
  misnamedBytesMax: 2 * 1024 * 1024,
  /** Names of a hooks folder that are looked at for one that is misspelt. Cline knows eight events. */
  misspeltNamesMax: 1000,
  /** How long reading rules keeps the main thread from everything else, but for one piece of work that cannot be divided. */
  loadTurnMs: 10,

  // Policies, their sandbox, declared facts and tests: `policy/`, `facts/declared`.

  /**
   * CPU time that one policy may take for one event. A policy takes microseconds; a regular expression over a long file
   * takes milliseconds; a person does not notice a tenth of a second.
   */
  policyCpuMs: 100,
  /** The same for each megabyte of an event, whose JSON is read inside: measured 12 ms, on a slow machine some times that. */
  policyCpuMsPerMegabyte: 60,
  /** What all policies of one event may take of wall time, however loaded the machine is. */
  policyAnswerMsMax: 10_000,
  /**
   * CPU time that all policies of one source may take for one event: thirty that each take what they may. A source that
   * nobody trusts must not be able to keep a machine of one core from everybody else for longer.
   */
  policySourceCpuMs: 3000,
  /** What one event of a source takes at most before its events are asked one at a time, aside from others': a thousand times the usual. */
  policySlowMs: 50,
  /** How long they are, after the last such event. */
  policySlowForMs: 60_000,
  /**
   * How long a thread of the sandbox may say nothing while it owes an answer: a policy's own limit, twice over. What goes
   * on after that cannot be interrupted from inside (native loops), and its process is killed.
   */
  policySilenceMs: 250,
  /** What one policy may allocate for one event, beyond what is loaded. A file of 16 MiB, parsed, and some copies. */
  policyMemoryMb: 64,
  /** What loaded policies may take: a policy is some 6 KB, and this is room for ten thousand of them. */
  policyLoadedMemoryMb: 128,
  /** Failures for time or memory, one after the other, after which a policy is not asked for a while. */
  policyStrikesMax: 3,
  /** For how long. Long enough to spare everybody else, short enough that a guard comes back by itself. */
  policyQuarantineMs: 60_000,
  /** The share of an isolate's memory from which on it counts as full: half is left for a policy that needs much. */
  policyHeapFull: 0.5,
  /** Calls after which it is still full before it is made anew: what is only garbage is collected by then, or soon will be. */
  policyHeapFullCallsMax: 8,
  /** One policy's answer, in UTF-16 units of JSON: as much as a hook may print. */
  policyAnswerCharactersMax: 1024 * 1024,
  /** The same of all policies of a source to one event: they are read on the thread that every session waits for. */
  policyAnswersCharactersMax: 4 * 1024 * 1024,
  /** Answers that one policy may give to one event. */
  policyAnswersMax: 16,
  /** Params texts that a thread of the sandbox has parsed and remembers: one for each rule, and room for newer rules. */
  policyParamsRememberedMax: 1000,
  /** The same of who is asked together, in UTF-16 units: some hundred for each kind of event, for ten policies. */
  policyCallsRememberedCharactersMax: 256 * 1024,
  /** Events that a thread of the sandbox decides in one call, where it has fallen behind: most of what a call costs is gone by then. */
  policyEventsAtOnceMax: 16,
  /** What a policy's error may say, in UTF-16 units: the message and the place. */
  policyErrorCharactersMax: 2000,
  /** Threads that evaluate policies: an evaluation takes microseconds, and each thread holds every policy. */
  policyThreadsMax: 4,
  /** From the first loss of a sandbox on, the longest wait before the next is started. */
  sandboxBackoffMsMax: 5000,
  /** How long a sandbox may take to be ready: measured 0.1 s, on a loaded machine many times that. */
  sandboxStartMs: 20_000,
  /** How long a runner is in use before a second sandbox stands by: a gate that decides once is gone by then. */
  sandboxSpareAfterMs: 500,
  /**
   * What a thread that is not hung may take to end in good order. It takes some tens of milliseconds, on a loaded machine
   * seconds; ended by force before that, it may take the whole process with it.
   */
  policyThreadEndMs: 10_000,
  /** How often a sandbox that owes an answer is looked at: some times within `policySilenceMs`. */
  policyWatchMs: 50,
  /** How long a thread that owes an answer may get no CPU time before its sandbox is given up as stopped. */
  sandboxStalledMs: 2000,
  /** What building an isolate may take for each policy in it, compiling it included: measured 0.02 ms, and 100 times that. */
  policyBuildMs: 2,
  /** Questions that one thread is given ahead of its answers: enough to keep it busy, few enough to ask all of them again alone. */
  policyJobsAhead: 32,
  /** The same in UTF-16 units: a second event of the greatest size waits on our side. */
  policyCharactersAhead: 1024 * 1024,
  /** How long the policies of a source are kept after newer ones have taken their place: events may still be under way. */
  policyDomainLingerMs: 30_000,
  /** One file of a policy. What is larger is generated, and a table belongs into facts. */
  policyFileBytesMax: 1024 * 1024,
  /** Files of one policy. */
  policyModulesMax: 200,
  /** How deep a policy's syntax may nest. Every parser recurses: the first overflows at some 600 nested objects. */
  policyDepthMax: 500,
  /** Names that one file of a policy declares; a `var` counts once for each block it stands in, as parsers keep it. */
  policyNamesMax: 100_000,
  /** All files of one policy. Two hundred of the greatest size would keep the gate busy for half a minute. */
  policyBytesMax: 4 * 1024 * 1024,
  /** Mistakes that are told of one file of a policy: a file of nothing but mistakes has as many as it has words. */
  policyProblemsMax: 100,
  /** How deep a `policies/` folder is searched. */
  policyFolderDepthMax: 8,
  /** Examples of one policy: they are run whenever it is loaded. */
  policyExamplesMax: 200,
  /** Compiled policies that are remembered, those of files that have changed since among them: some 10 KB each. */
  policiesCompiledMax: 10_000,
  /**
   * What the policies of one source may take to be loaded and to prove their examples, however loaded the machine is: an
   * agent waits half a minute for its hook, and then goes ahead.
   */
  policyLoadMsMax: 10_000,
  /** The same for each of them besides: four times what loading 10,000 took on two busy cores. */
  policyLoadMsEach: 4,
  /** Policies of a source whose examples are run at once: enough that nobody waits for a message on its way. */
  policiesCheckedAtOnce: 32,
  /** Files and folders of a `policies/` folder, which is listed whole. More are no policies, or somebody's dependencies. */
  policyFolderEntriesMax: 10_000,
  /** Changed copies of a policy that `hookgate test` loads together: each is some kilobytes, and one that loops holds up the rest. */
  mutantsAtOnceMax: 64,
  /** How often `hookgate bench` asks before it measures: V8 compiles what is run again and again, and so do real events. */
  benchWarmRounds: 50,
  /** How long `hookgate bench` may be told to ask each policy, in seconds. */
  benchSecondsMax: 600,
  /** A file that a fact is taken from, and the text that a fact may be. */
  factBytesMax: 256 * 1024,
  /** Looking up one event's facts: local files take a fraction of a millisecond, a dead network drive never answers. */
  factsMs: 1000,
  /** Facts of one event that are looked up at once: half of libuv's threads, so that a dead drive leaves the gate some. */
  factsAtOnce: 2,
  /** Finding where the paths of one event really are: a local path takes some microseconds, a dead drive never answers. */
  realPathsMs: 250,
  /** Paths of one event whose real place is looked up. A command that names more is judged by their words. */
  realPathsMax: 1000,
  /** What is longer than any system takes for a path is not looked up. */
  realPathCharactersMax: 4096,
  /** Files whose content is remembered while they do not change. */
  factsRememberedMax: 1000,
  /** The same in bytes of the files, of which a thousand have 4 KB. As parsed JSON they may take ten times as much. */
  factsRememberedBytesMax: 4 * 1024 * 1024,

  // The resident gate, its clients, the bridge, and installing: `server/`, `client/`, `bridge/`, `install/`.

  /** Refusals of the end of a turn in a row: as many as the agents that count them themselves let pass. */
  stopRefusalsMax: 8,
  /** Sessions of which that is known at once, the latest: each is a line. */
  stopSessionsMax: 1000,
  /** How long it is known of a session that has no gate of its own: a turn takes hours at the most. */
  stopSessionMsMax: 86_400_000,
  /** How long a gate that nobody asks stays, where no `--idle` says otherwise: a coffee break, not a night. */
  gateIdleMs: 1_800_000,
  /** How long `up` waits for a gate to answer, one that drains before it included: measured 0.8 s on an idle machine. */
  gateStartMs: 60_000,
  /** How long a gate that ends waits for what is under way: a hook of the default timeout, its grace, and the answer. */
  gateDrainMs: 35_000,
  /** How long a gate may take to say who it is, before it is taken to be stuck: it may be loading somebody's rules. */
  gateAnswerMs: 5000,
  /** How long whoever looks for a gate waits before it takes the lock and looks more closely. */
  gateGlanceMs: 1000,
  /** How long a gate waits for its rules to be read before it tells of itself without: half of the shortest wait above. */
  statusRulesMs: 500,
  /** How often those that wait for a gate look whether it is there. */
  gateLookMs: 25,
  /** How often a gate looks whether its socket and lock are still the ones it made: cleaners of `/tmp` come by daily. */
  gateWatchMs: 2000,
  /** The gate's log, which is rotated once: some thousands of lines. */
  gateLogBytesMax: 1024 * 1024,
  /** How much of the log the message of a gate that does not start quotes, in lines. */
  gateLogLinesQuoted: 5,
  /** A state or token file of the gate: each is a few hundred bytes. */
  gateFileBytesMax: 16 * 1024,
  /** The path of a Unix socket, with the NUL behind it, as macOS has it; Linux takes four more. */
  socketPathBytesMax: { darwin: 104, other: 108 },
  /** An event file of the bridge: twice the greatest event, and what a reader can still parse in a tenth of a second. */
  bridgeFileBytesMax: 32 * 1024 * 1024,
  /** Its file of errors: some thousands of lines, for a person to read. */
  bridgeErrorsBytesMax: 1024 * 1024,
  /** An event of no agent that is kept whole beside the errors: a quarter of their file, so that others stay in it. */
  bridgeStrayBytesMax: 256 * 1024,
  /** Events that wait to be put into an event file, and their bytes. They wait for long only where the disk is full. */
  bridgePendingMax: 1000,
  bridgePendingBytesMax: 64 * 1024 * 1024,
  /** How old the draft of an event is when nobody is taken to be writing it any more: that takes milliseconds. */
  bridgeDraftMsMax: 600_000,
  /** Files that were found in an event file's place and kept: whatever broke the file this often breaks it again. */
  bridgeSetAsideMax: 20,
  /** How long a listener may take for one event. An agent waits, for nothing that it needs: a loaded one answers in 0.1 s. */
  bridgePostMs: 1000,
  /** How long other writers of an event file are waited for: each takes some milliseconds, and takes all that wait along. */
  bridgeLockMs: 3000,
  /** How often the lock is looked at meanwhile. */
  bridgeLockLookMs: 5,
  /** How long an event may take to come in on stdin: agents write it at once, and some never close it. */
  bridgeStdinMs: 5000,
  /** The first line of a listener's answer, and room for headers that come with it. */
  bridgeAnswerBytesMax: 16 * 1024,
  /** All headers of one HTTP request: Node's own figure. An agent's hook sends half a kilobyte. */
  httpHeaderBytesMax: 16 * 1024,
  /** How long a client may take over its headers. They fit into one packet. */
  httpHeadersMs: 10_000,
  /** How long it may take over its body: one of the greatest size needs a tenth of a second on the same machine. */
  httpBodyMs: 10_000,
  /** How often Node looks for clients that have taken too long. */
  httpLateCheckMs: 500,
  /** How much of a body that is too large is read and thrown away, so that its sender gets to read the refusal. */
  httpDiscardedBytesMax: 64 * 1024 * 1024,
  /** How long a kept connection may idle: above what lies between two tool calls, so that seldom one is closed under a request. */
  httpIdleMs: 300_000,
  /** Events that one gate decides at once. More are refused, which costs the agent a retry and the gate next to nothing. */
  httpRequestsMax: 1000,
  /** Connections of one listener: room for as many events and the clients that wait. The longest idle goes for a new one. */
  httpConnectionsMax: 1200,
  /** The bodies of all requests that are under way: sixteen events of the greatest size. */
  httpBytesHeldMax: 256 * 1024 * 1024,
  /** Events that the resident gate keeps to be looked at: a long session's. */
  eventsKeptMax: 1000,
  /** The same in UTF-16 units of their JSON. */
  eventsKeptCharactersMax: 16 * 1024 * 1024,
  /** The texts of one event that is kept, together: what a person still looks through. The rest is cut. */
  eventKeptCharactersMax: 64 * 1024,
  /** One text of an event that is kept. */
  eventKeptTextCharactersMax: 4096,
  /** Values of one event that is kept: a list of numbers has no texts to be cut. */
  eventKeptValuesMax: 10_000,
  /** How deep an event that is kept may nest: what looks through it recurses. */
  eventKeptDepthMax: 64,
  /** Who listens to the stream of events at once: some windows of one person. */
  eventListenersMax: 16,
  /** How often a listener that hears nothing is sent a comment, and one that takes nothing in is looked for. */
  eventHeartbeatMs: 15_000,
  /** Where a desktop names the user's folders: eight lines. */
  userDirsBytesMax: 64 * 1024,
  /** An agent's settings. The largest that people publish are some tens of kilobytes. */
  settingsBytesMax: 4 * 1024 * 1024,
  /** Copies of settings that are kept from before they were changed, over all files. */
  settingsBackupsMax: 20,
  /** How long one `enable` waits for another: each takes some milliseconds. */
  settingsLockMs: 10_000,
  /** How long `claude --version` and its like may take: measured 0.1 s. */
  versionAskedMs: 10_000,
  /** How long a canary may take to come back: a cold start on a loaded machine takes some seconds. */
  canaryMs: 30_000,
  /** What of a canary's answer is read. */
  canaryAnswerBytesMax: 1024 * 1024,
  /** How long an agent waits for the gate, in seconds: Claude Code's own default, stated because some events have less. */
  registeredTimeoutS: 600,
  /** How long a thin client may take that Claude Code waits for: less than that, for what is killed has not refused. */
  registeredAnswerMs: 590_000,
  /** The end of a session waits for its hooks, and Claude Code waits no longer than this, in seconds, whatever is asked for. */
  registeredEndTimeoutS: 60,
  registeredEndAnswerMs: 55_000,
  /** Codex ends hooks of the end of a session after three seconds, whatever is asked for. */
  registeredBriefTimeoutS: 3,
  registeredBriefAnswerMs: 2500,
  /** A message is shown when its hooks have answered: Claude Code's own default, in seconds. */
  registeredDisplayTimeoutS: 10,
  registeredDisplayAnswerMs: 9000,
  /** How long the gate may take to tell a thin client that it hears: its main thread takes microseconds, a loaded machine more. */
  clientAliveMs: 2000,
  /** How long a thin client may take in all: three seconds less than Cline, which lets the tool run when it kills a hook. */
  clientAnswerMs: 27_000,
  /** How long after that a Node client is ended from outside: it grants a gate of its own half a second to refuse. */
  clientOverdueMs: 800,
  /** A thin client's environment, which goes with its event: some kilobytes. With a larger one, it decides by itself. */
  callerBytesMax: 256 * 1024,
  /** Sessions whose project the gate remembers, where nobody names it: those of HTTP hooks. The longest unheard of goes. */
  sessionsRememberedMax: 1000,
  /** How often thin clients that find no gate have one brought up: a start costs half a second of CPU, and may fail. */
  clientBringUpEveryS: 30,
  /** How long a compiler may take for the thin client: measured 0.3 s. */
  clientCompileMs: 30_000,
  /** How long each run of a thin client's probe may take: measured some milliseconds, and with Node a tenth of a second. */
  clientProbeMs: 10_000,
} as const

/** Bounds on the facts of a shell command: `facts/shell`. Beyond them the facts say `uncertain`. */
export const shellLimits = {
  /** A command's text, in UTF-16 units: Linux gives no program a longer argument, and agents hand commands over as one. */
  textCharactersMax: 128 * 1024,
  /** Commands that one text would run. People read the facts, and policies look at each of them. */
  commandsMax: 1000,
  /** Commands, words and rounds of loops that are looked at: a long script has a thousand, and ten thousand take 20 ms. */
  stepsMax: 10_000,
  /** How deep commands nest in commands, texts in texts and calls in calls: each level takes some frames of the stack. */
  depthMax: 100,
  /** Runs of a function or a script inside of itself that are followed: the first shows what it does, the second with which words. */
  recursionMax: 2,
  /** Values that a variable may have: two branches of a few conditions. With more, it is as good as not known. */
  possibleMax: 8,
  /** Commands that one simple command may turn out to be, as its words and folders have several values. */
  combinationsMax: 16,
  /** Commands whose output is in one value. Each is compared with those that are there. */
  sourcesMax: 64,
  /** Folders that a command may run in: each `cd` that may fail adds one. */
  foldersMax: 4,
  /** One value, in UTF-16 units. `X=$X$X` doubles with each step. */
  valueCharactersMax: 64 * 1024,
  /** Characters that all values together may take: some seconds of copying are spared a gate that waits. */
  charactersMax: 8 * 1024 * 1024,
  /** Words that one word may become: `{1..1000000}`. */
  fieldsMax: 256,
  /** Rounds of a loop over known values that are run one by one. */
  roundsMax: 32,
  /** The same where the values are counted, whose end is seldom near: `for ((i = 0; i < 1000; i++))`. */
  countedRoundsMax: 16,
  /** Rounds of a loop of unknown length, after which all that changes in it is not known. */
  wideningRoundsMax: 3,
  /** What a pattern is tried on, in characters: for each the pattern is walked once. */
  patternTextMax: 4096,
  /** The same where it may begin anywhere: the text's length twice, times the pattern's. Takes some 20 ms. */
  patternAnywhereMax: 1_000_000,
  /** A pattern, in its own parts. */
  patternPartsMax: 128,
  /** Paths that one command touches, and all commands of a text together: policies look at each, and each has its own size. */
  pathsMax: 1000,
  pathsMaxTogether: 4000,
  /** Files whose writers are followed, who reads them, who has written one, and how often bytes go through one. */
  filesMax: 500,
  fileReadersMax: 4000,
  fileWritersMax: 500,
  fileFlowsMax: 5000,
  /** Links to links that one path leads through: as many as Linux follows. */
  linksMax: 40,
  /** Programs in one pipe that only choose among the names that go through it: people write a few. */
  filtersMax: 32,
  /** What one text adds to the uncertainties: more of the same tell nobody more. */
  uncertaintiesMax: 20,
} as const

/** Bounds on what the arguments of one wrapper can make of its command: `facts/`. */
export const unwrapLimits = {
  /** Runs of one command by `xargs`, `parallel`, `find` or `fd`. Nobody who wants to be understood writes more by hand. */
  runsMax: 32,
  /** UTF-16 units of a word once an argument stands in every place that is kept for it: longer ones are not known. */
  filledMax: 65_536,
  /** Settings of git that are given by variables of its environment, each of which is looked for by its number. */
  gitSettingsMax: 256,
  /** UTF-16 units of code in a language that nobody reads here: what it starts is looked for in no more of it. */
  otherCodeMax: 4096,
} as const

/** Bounds on inline code in another language than the shell's: `facts/shell/code`. */
export const codeLimits = {
  /** UTF-16 units: more is a program, not a line somebody typed; what is behind is not read, and that is said. */
  textMax: 32_768,
  /** Brackets within brackets: deeper is no code that a person wrote, and the reader calls itself for each. */
  depthMax: 48,
  /** Texts that code runs as code, in each other: `exec` in `exec`. */
  textsDepthMax: 8,
  /** Expressions that are read, those within texts and those that are read twice among them. */
  stepsMax: 10_000,
  /** Values that one variable may have at once: the elements of a list that a loop goes through. */
  alternativesMax: 32,
  /** Elements of one list: `a = a + a` doubles with each step. */
  itemsMax: 256,
  /** Paths and starts of one piece of code. */
  findingsMax: 128,
  /** UTF-16 units of one value: longer ones are data, and putting them together is work without end. */
  valueMax: 2048,
  /** UTF-16 units of a dotted name. No name that is known is half as long. */
  nameMax: 128,
} as const
