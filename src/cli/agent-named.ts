// INVARIANT: imports nothing: it is read before anything else is, and where everything else has failed to load.

/** Whom `--agent NAME` or `--agent=NAME` names, found without the parser of flags: what that refuses is told to the agent. */
export function agentNamed(argv: readonly string[]): string | undefined {
  const at = argv.findLastIndex((word) => isAgentFlag(word))
  if (at < 0) return undefined
  return argv[at]?.startsWith('--agent=') === true ? argv[at].slice('--agent='.length) : argv[at + 1]
}

/** Whether an agent may be the one that has called: nobody else has a reason to say whose event it is. */
export function namesAgent(argv: readonly string[]): boolean {
  return argv.some(isAgentFlag)
}

const isAgentFlag = (word: string) => word === '--agent' || word.startsWith('--agent=')
