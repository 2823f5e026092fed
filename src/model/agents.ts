/** Name of an agent, as in its descriptor in `agents/`. The gate's entry points reject unknown names. */
export type AgentName = string
