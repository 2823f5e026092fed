import { z } from 'zod'

/** The agents whose wire formats the gate speaks. A row here and a folder under `dialect/` make a new one. */
export const AgentName = z.enum(['claude-code', 'cline'])
export type AgentName = z.infer<typeof AgentName>
