import type { Findings } from './findings.ts'
import { text } from './values.ts'

/** Finds what database clients run in a shell: `\! x`, `.shell x`, `system x`, and `COPY … TO PROGRAM`. */
export function scanSql(source: string, findings: Findings): void {
  for (const line of source.split('\n')) {
    const script = /^\s*\\!\s*(.+)$|^\s*\.(?:shell|system)\s+(.+)$|^\s*system\s+(.+?);?$/.exec(line)
    const shell = script?.slice(1).find((one) => one !== undefined)
    if (shell !== undefined) findings.script(text(shell))
    const once = /^\s*\.(?:once|output)\s+['"]?\|\s*(.+?)['"]?$|\\(?:o|g|w)\s+\|\s*(.+)$/.exec(line)
    const piped = once?.slice(1).find((one) => one !== undefined)
    if (piped !== undefined) findings.script(text(piped))
  }
  for (const copy of source.matchAll(/\b(?:to|from)\s+program\s+'((?:[^']|'')*)'/gi))
    findings.script(text((copy[1] ?? '').replaceAll("''", "'")))
}
