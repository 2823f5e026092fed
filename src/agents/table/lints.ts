import type { HookLint, TextLint } from '../descriptor.ts'
import type { ScriptLanguage } from '../../files/script-language.ts'

// Each lint matches what a script prints, and nothing that correctly means the same beside it.

/** Matches `"key": "value"` in a text of JSON or of a program, whatever quotes stand around it. */
export const prints = (key: string, value: string) =>
  new RegExp(String.raw`\b${key}\\?["']?\s*[:=]\s*\\?["']${value}\b`)

/** Finds a refusal by exit code without the reason that makes it one. */
export const silentExit = (agent: string): TextLint => ({
  found: /\bexit 2\b|\bexit\(2\)|exitCode = 2\b/,
  unless: /stderr|>&2|console\.error/,
  message: `exit code 2 with nothing on stderr is not a refusal: ${agent} goes ahead`,
  remedy: 'print the reason to stderr',
})

/** Finds scripts that end with an exit code, given as a pattern, where `applies` holds. */
export function exitsWith(
  code: string,
  applies: (...args: Parameters<HookLint>) => boolean,
  message: string,
  remedy: string,
): HookLint {
  const exits: Readonly<Record<ScriptLanguage, RegExp>> = {
    sh: new RegExp(String.raw`(?<=^[^#\n]*?)\bexit ${code}\b`, 'gm'),
    node: new RegExp(String.raw`\bprocess\.(?:exit\(${code}\)|exitCode = ${code}\b)`, 'g'),
    python: new RegExp(String.raw`\bsys\.exit\(${code}\)|(?<=^\s*)exit\(${code}\)`, 'gm'),
    other: /(?!)/g,
  }
  return (script, use) =>
    applies(script, use)
      ? [...script.text.matchAll(exits[script.language])].map(({ index }) => ({ at: index, message, remedy }))
      : []
}
