import { codeLimits } from '../../../model/limits.ts'
import type { CodeLanguage } from '../../../model/shell.ts'
import { scanAwk } from './awk.ts'
import { scanCmd } from './cmd.ts'
import type { CodeEnvironment } from './environment.ts'
import { type Findings, newFindings, type Recognised } from './findings.ts'
import type { Language } from './language.ts'
import { javascript } from './languages/javascript.ts'
import { julia } from './languages/julia.ts'
import { lua } from './languages/lua.ts'
import { perl } from './languages/perl.ts'
import { php } from './languages/php.ts'
import { python } from './languages/python.ts'
import { r } from './languages/r.ts'
import { ruby } from './languages/ruby.ts'
import { scanPowershell } from './powershell.ts'
import { scanCode } from './scan/scan.ts'
import { scanSql } from './sql.ts'

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
export function recognise(language: CodeLanguage, text: string, environment: CodeEnvironment = {}): Recognised {
  const source = text.slice(0, codeLimits.textMax)
  const findings = newFindings()
  if (source.length < text.length) findings.leftOut('its code is longer than is looked at')
  const row = languages[language]
  if (row === undefined) commandLanguages[language]?.(source, findings, environment)
  else scanCode(language, source, row, findings, environment)
  return findings.result()
}
