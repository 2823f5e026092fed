/** Of reading rules and policies, whoever wrote them; see `limits.ts`. */
export const loadLimits = {
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
} as const
