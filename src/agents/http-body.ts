import type { AgentName, EventName } from '../model/event.ts'
import type { Answer } from '../model/dialect.ts'
import { httpBody as claudeCode } from './claude-code/http-body.ts'

/**
 * Returns the body of an HTTP response, with status 200, that means the same as a hook's stdout and exit code.
 *
 * It is empty if there is nothing to say. For an agent without HTTP hooks it is the stdout of a hook.
 *
 * @param event `undefined` if the request is not a valid event
 */
export function httpBody(agent: AgentName, answer: Answer, event: EventName | undefined): string {
  return (faces[agent] ?? stdoutOf)(answer, event)
}

const stdoutOf = ({ stdout }: Answer) => stdout

/** Agents that have HTTP hooks. */
const faces: { readonly [Agent in AgentName]?: (answer: Answer, event: EventName | undefined) => string } = {
  'claude-code': claudeCode,
}
