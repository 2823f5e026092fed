import type { HookLint } from '../descriptor.ts'

// Each lint matches what a script prints, and nothing that correctly means the same beside it.

/** Matches `"key": "value"` in a text of JSON or of a program, whatever quotes stand around it. */
export const prints = (key: string, value: string) =>
  new RegExp(String.raw`\b${key}\\?["']?\s*[:=]\s*\\?["']${value}\b`)

/** Finds a refusal by exit code without the reason that makes it one. */
export const silentExit = (agent: string): HookLint => ({
  found: /\bexit 2\b|\bexit\(2\)|exitCode = 2\b/,
  unless: /stderr|>&2|console\.error/,
  message: `exit code 2 with nothing on stderr is not a refusal: ${agent} goes ahead`,
  remedy: 'print the reason to stderr',
})
