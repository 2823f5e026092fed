/** Bounds on what the arguments of one wrapper can make of its command. */
export const unwrapLimits = {
  /** Runs of one command by `xargs`, `parallel`, `find` or `fd`. Nobody who wants to be understood writes more by hand. */
  runsMax: 32,
} as const
