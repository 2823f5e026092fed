import type { HookEvent } from '../../model/event.ts'

/** Reads the exit code of a shell command from the event that reports it; `undefined` if that says none. */
export type ShellExit = (event: Pick<HookEvent, 'result' | 'raw'>) => number | undefined

/** Reads the exit code at the end of an output. @param pattern has the code in its first group, and ends with the text */
export function exitAtEnd(output: unknown, pattern: RegExp): number | undefined {
  const code = typeof output === 'string' ? pattern.exec(output.slice(-endCharacters))?.[1] : undefined
  return code === undefined ? undefined : Number(code)
}
/** The lines that an agent adds are shorter together: a long output is not looked through. */
const endCharacters = 1000
