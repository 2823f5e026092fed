import type { Answer } from '../model/dialect.ts'
import type { EventName } from '../model/event.ts'
import { descriptorOf } from './registry.ts'

/**
 * Returns the body of an HTTP response, with status 200, that means the same as a hook's stdout and exit code.
 *
 * It is empty if there is nothing to say. For an agent without HTTP hooks it is the stdout of a hook.
 *
 * @param event `undefined` if the request is not a valid event
 */
export function httpBody(agent: string, answer: Answer, event: EventName | undefined): string {
  return descriptorOf(agent)?.httpBody?.(answer, event) ?? answer.stdout
}
