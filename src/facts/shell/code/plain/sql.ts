import type { Found } from '../found.ts'
import { text } from '../value.ts'

/** What the clients of databases run in a shell of this machine: `\! x`, `.shell x`, `system x`, a program at either end of a copy. */
export function recogniseSql(source: string, found: Found): void {
  for (const line of source.split('\n')) {
    const script = /^\s*\\!\s*(.+)$|^\s*\.(?:shell|system)\s+(.+)$|^\s*system\s+(.+?);?$/.exec(line)
    const shell = script?.slice(1).find((one) => one !== undefined)
    if (shell !== undefined) found.script(text(shell))
    const once = /^\s*\.(?:once|output)\s+['"]?\|\s*(.+?)['"]?$|\\(?:o|g|w)\s+\|\s*(.+)$/.exec(line)
    const piped = once?.slice(1).find((one) => one !== undefined)
    if (piped !== undefined) found.script(text(piped))
  }
  for (const copy of source.matchAll(/\b(?:to|from)\s+program\s+'((?:[^']|'')*)'/gi))
    found.script(text((copy[1] ?? '').replaceAll("''", "'")))
}
