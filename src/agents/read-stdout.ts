import { isJsonObject, type JsonObject, nestsDeeperThan, parseJsonObject } from '../model/json.ts'
import { limits } from '../model/limits.ts'
import { firstLine, sayable } from '../model/text.ts'

/** What a hook printed, taken as a whole. */
type Printed =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'object'; readonly object: JsonObject }
  | { readonly kind: 'broken'; readonly why: string }

/** `async`: the hook said that nobody was to wait for it, so what it says decides nothing. */
export interface Stdout {
  readonly printed: Printed
  readonly async: boolean
}

/**
 * Claude Code's rule (measured on 2.1.329): all of stdout is one JSON object, or it is plain text. Around an object there
 * may be white space only, byte order mark and carriage returns included.
 */
export function readStdout(stdout: string): Stdout {
  const text = stdout.trim()
  const afterAsync = withoutAsyncLine(text)
  if (afterAsync !== undefined) return { printed: printedOf(afterAsync), async: true }
  const printed = printedOf(text)
  return { printed, async: printed.kind === 'object' && printed.object['async'] === true }
}

function printedOf(text: string): Printed {
  if (text === '') return { kind: 'nothing' }
  // What starts like an object was meant as one. Taken as plain text, half a refusal (a hook that died while printing,
  // two objects one after the other) would pass for a hook with nothing to object: an error is not silence.
  if (!text.startsWith('{')) return { kind: 'text', text }
  try {
    const value: unknown = JSON.parse(text)
    if (!isJsonObject(value)) return { kind: 'text', text }
    if (!nestsDeeperThan(value, limits.jsonDepthMax)) return { kind: 'object', object: value }
    return { kind: 'broken', why: `stdout contains JSON nested deeper than ${limits.jsonDepthMax} levels` }
  } catch (error) {
    const problem = error instanceof Error ? firstLine(sayable(error.message)) : ''
    return { kind: 'broken', why: `stdout starts with \`{\` but is not one JSON object: ${problem}` }
  }
}

/** A first line `{"async": true, …}` turns a running hook into one that is not waited for; its answer follows. */
function withoutAsyncLine(text: string): string | undefined {
  const end = text.indexOf('\n')
  if (end === -1 || !text.startsWith('{')) return undefined
  const first = parseJsonObject(text.slice(0, end))
  return first?.['async'] === true ? text.slice(end + 1).trim() : undefined
}
