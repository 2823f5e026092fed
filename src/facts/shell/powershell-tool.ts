import type { ShellSurroundings } from '../../model/shell.ts'
import { type FoundFacts, shellFacts } from './shell-facts.ts'

/**
 * Analyses the text of a tool that runs PowerShell. Most of its commands are words, as a shell has them, and are read so,
 * each with its place in the text. A text with statements that no shell knows is read as code that is given to `pwsh`.
 */
export function powershellFacts(text: string, around: ShellSurroundings): FoundFacts {
  const facts = isStatement.test(text) ? undefined : shellFacts(asShell(text), around)
  if (facts !== undefined && !facts.uncertain.some((what) => what.includes('not valid shell'))) return facts
  const code = shellFacts(`pwsh -NoProfile -Command '${text.replaceAll("'", "'\\''")}'`, around)
  const place = { start: 0, end: text.length }
  return { ...code, commands: code.commands.map((command) => Object.assign({}, command, { place })) }
}

/** A variable that holds a known folder, an assignment, a list, a loop, a condition, the drive of all variables: PowerShell's own. */
const isStatement =
  /\$\{?env:(?:(?:local)?appdata|programdata|allusersprofile|userprofile)\b|\benv:[\\/*]{0,2}["']?(?=[\s|;)]|$)|(?:^|[;{])[ \t]*(?:\$[\w:]+\s*[-+]?=(?!=)|(?:foreach|if|while|function|try|param|switch)\b\s*[({])|@\(|\|\s*(?:%|ForEach-Object|foreach)\s*\{|^[ \t]*\(/im

/**
 * Writes backslashes as slashes, and commas between words and what is to become of errors as blanks, outside of quotes, so
 * that each word keeps its place.
 */
const asShell = (text: string) =>
  text.replaceAll(
    /(?<=\s)-(?:ea|erroraction|wa|warningaction)\s+\w+|'[^']*'|"(?:[^"`]|`[\s\S])*"|\\|,(?=\s|[\w.$~'"/\\])/g,
    (found) => (found === '\\' ? '/' : found === ',' ? ' ' : found.startsWith('-') ? ' '.repeat(found.length) : found),
  )
