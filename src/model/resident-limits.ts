/** Of the gate that stays, those who ask it and what it is set up in; see `limits.ts`. */
export const residentLimits = {
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
