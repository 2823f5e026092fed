/** Of policies, their sandbox, their facts and their tests; see `limits.ts`. */
export const policyLimits = {
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
  /** How long a sandbox's idle main thread may take to answer, before it is taken to be stopped. */
  sandboxProbeMs: 2000,
  /** What building an isolate may take for each policy in it, compiling it included: measured 0.02 ms, and 100 times that. */
  policyBuildMs: 2,
  /** Questions that one thread is given ahead of its answers: enough to keep it busy, few enough to suspect them all. */
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
} as const
