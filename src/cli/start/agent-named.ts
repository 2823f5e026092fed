// INVARIANT: this module imports nothing: it is loaded first, and used if everything else has failed to load.

/** Finds the name in `--agent NAME` or `--agent=NAME` without the flag parser, whose errors must reach the agent. */
export function agentNamed(argv: readonly string[]): string | undefined {
  const at = argv.findLastIndex((word) => isAgentFlag(word))
  if (at < 0) return undefined
  return argv[at]?.startsWith('--agent=') === true ? argv[at].slice('--agent='.length) : argv[at + 1]
}

/** Returns true if an agent may be the caller: only agents pass `--agent`. */
export function namesAgent(argv: readonly string[]): boolean {
  return argv.some(isAgentFlag)
}

const isAgentFlag = (word: string) => word === '--agent' || word.startsWith('--agent=')
