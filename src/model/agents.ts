/** The name of an agent, as its descriptor in `agents/` has it. The doors of the gate refuse any other. */
export type AgentName = string
