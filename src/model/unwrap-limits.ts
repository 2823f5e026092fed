/** Bounds on what the arguments of one wrapper can make of its command. */
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
