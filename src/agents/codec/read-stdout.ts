import { isJsonObject, type JsonObject, nestsDeeperThan, parseJsonObject } from '../../model/json.ts'
import { limits } from '../../model/limits.ts'
import { firstLine, sayable } from '../../model/text.ts'

/** A hook's stdout, taken as a whole. */
type StdoutContent =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'object'; readonly object: JsonObject }
  | { readonly kind: 'broken'; readonly why: string }

/** A hook's parsed stdout. If `async`, the hook asked not to be waited for, so its output decides nothing. */
export interface Stdout {
  readonly printed: StdoutContent
  readonly async: boolean
}

/**
 * Parses a hook's stdout by Claude Code's rule (measured on 2.1.329): it is one JSON object, or plain text.
 *
 * An object may be surrounded by white space only, including a byte order mark and carriage returns.
 */
export function readStdout(stdout: string): Stdout {
  const text = stdout.trim()
  const afterAsync = withoutAsyncLine(text)
  if (afterAsync !== undefined) return { printed: printedOf(afterAsync), async: true }
  const printed = printedOf(text)
  return { printed, async: printed.kind === 'object' && printed.object['async'] === true }
}

function printedOf(text: string): StdoutContent {
  if (text === '') return { kind: 'nothing' }
  // Output that starts like an object was meant as one. Taken as plain text, half a refusal (a hook that died while
  // printing, two objects one after the other) would count as no objection: an error is not silence.
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

/** Removes a first line `{"async": true, …}`, which turns a running hook into one that is not waited for. */
function withoutAsyncLine(text: string): string | undefined {
  const end = text.indexOf('\n')
  if (end === -1 || !text.startsWith('{')) return undefined
  const first = parseJsonObject(text.slice(0, end))
  return first?.['async'] === true ? text.slice(end + 1).trim() : undefined
}
