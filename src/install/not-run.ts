import type { AgentName } from '../model/agents.ts'

/** Why what is registered in a project is not tried: it came with somebody's repository. */
export const notRun = (agent: AgentName) =>
  `it was not registered from this machine, so it is not run to check whether it answers; \`hookgate enable ${agent} --scope project\` makes it yours`
