import type { JsonObject } from '../../model/json.ts'
import { quoted } from '../../model/text.ts'
import { answerFields, camelCase } from './schemas.ts'

const claudeWords: ReadonlySet<string> = new Set(['decision', 'hookSpecificOutput', 'permissionDecision', 'continue'])

/**
 * Describes an output that was meant as an answer but that Cline silently ignores, so that its author is wrongly
 * reassured.
 *
 * @param objects every JSON object on stdout, none of which is an answer
 */
export function nearMiss(stdout: string, objects: readonly JsonObject[]): string | undefined {
  for (const key of Object.keys(objects.at(-1) ?? {})) {
    const meant = [...answerFields].find((field) => field.toLowerCase() === camelCase(key).toLowerCase())
    if (meant !== undefined) return `its answer says ${quoted(key)}; write \`${meant}\``
    if (claudeWords.has(key)) {
      return `its answer says ${quoted(key)}, which is Claude Code's term; write \`{"cancel": true, "errorMessage": "…"}\``
    }
  }
  const lastLine = stdout.trimEnd().split('\n').at(-1)?.trim() ?? ''
  if (objects.length > 0 || !/^\{.*\}$/s.test(lastLine)) return undefined
  return `its last line looks like JSON but is not: ${quoted(lastLine)}`
}
