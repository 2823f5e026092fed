import { codeLimits } from '../../../model/limits.ts'
import type { CodeLanguage } from '../../../model/shell.ts'
import { scanAwk } from './awk.ts'
import { scanCmd, scanPowershell } from './powershell.ts'
import type { CodeEnvironment } from './findings.ts'
import { type Findings, newFindings, type Recognised } from './findings.ts'
import type { Language } from './language.ts'
import { javascript, julia, lua, php, python, r, ruby } from './languages/others.ts'
import { perl } from './languages/perl.ts'
import { scanCode } from './scan/scan.ts'
import { text } from './values.ts'

const languages: Partial<Readonly<Record<CodeLanguage, Language>>> = {
  python,
  javascript,
  perl,
  ruby,
  php,
  lua,
  r,
  julia,
}

/** Scanners for command languages, which have few expressions and so do not use the general scanner. */
const commandLanguages: Partial<
  Readonly<Record<CodeLanguage, (source: string, findings: Findings, environment: CodeEnvironment) => void>>
> = { awk: scanAwk, sql: scanSql, powershell: scanPowershell, cmd: scanCmd }

/** Finds the programs that code starts and the files it touches. A value not visible in the text is an unknown word. */
export function recognise(language: CodeLanguage, source: string, environment: CodeEnvironment = {}): Recognised {
  const read = source.slice(0, codeLimits.textMax)
  const findings = newFindings()
  if (read.length < source.length) findings.leftOut('its code is longer than is analyzed')
  const row = languages[language]
  if (row === undefined) commandLanguages[language]?.(read, findings, environment)
  else scanCode(language, read, row, findings, environment)
  return findings.result()
}

/** Finds what database clients run in a shell: `\! x`, `.shell x`, `system x`, and `COPY … TO PROGRAM`. */
function scanSql(source: string, findings: Findings): void {
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
