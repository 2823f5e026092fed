/** How far the facts of a shell command are followed; see `limits.ts`. What lies beyond is told as an uncertainty. */
export const shellLimits = {
  /** A command's text, in UTF-16 units: Linux gives no program a longer argument, and agents hand commands over as one. */
  textCharactersMax: 128 * 1024,
  /** Commands that one text would run. People read the facts, and policies look at each of them. */
  commandsMax: 1000,
  /** Commands, words and rounds of loops that are looked at: a long script has a thousand, and ten thousand take 20 ms. */
  stepsMax: 10_000,
  /** How deep commands nest in commands, texts in texts and calls in calls: each level takes some frames of the stack. */
  depthMax: 100,
  /** Calls of one function inside of itself that are followed: the first shows what it does, the second with which words. */
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
