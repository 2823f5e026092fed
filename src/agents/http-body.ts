import type { AgentName } from '../model/agents.ts'
import type { Answer } from '../model/dialect.ts'
import type { EventName } from '../model/event.ts'
import { httpBody as claudeCode } from './claude-code/http-body.ts'

/**
 * The body of the response, with status 200, that says to an agent what its hook would say by stdout and exit code; empty
 * where there is nothing to say. Of an agent that has no HTTP hooks, whoever asks reads what its hooks print.
 *
 * @param event `undefined` where what came is none
 */
export function httpBody(agent: AgentName, answer: Answer, event: EventName | undefined): string {
  return (faces[agent] ?? stdoutOf)(answer, event)
}

const stdoutOf = ({ stdout }: Answer) => stdout

/** Agents that have HTTP hooks. */
const faces: { readonly [Agent in AgentName]?: (answer: Answer, event: EventName | undefined) => string } = {
  'claude-code': claudeCode,
}
