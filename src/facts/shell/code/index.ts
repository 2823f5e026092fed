import { codeLimits } from '../../../model/limits.ts'
import { chooses } from './chooses.ts'
import type { CodeLanguage } from '../../../model/shell.ts'
import { newFound } from './found.ts'
import type { Language } from './language.ts'
import { javascript } from './languages/javascript.ts'
import { julia } from './languages/julia.ts'
import { lua } from './languages/lua.ts'
import { perl } from './languages/perl.ts'
import { php } from './languages/php.ts'
import { python } from './languages/python.ts'
import { r } from './languages/r.ts'
import { ruby } from './languages/ruby.ts'
import { type CommandLanguage, recogniseAwk, recogniseCmd, recognisePowershell, recogniseSql } from './plain/index.ts'
import { readCode } from './reading/read-code.ts'
import type { CodeSurroundings, Recognised } from './recognised.ts'

export type { CodeSurroundings, Recognised } from './recognised.ts'

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
const others: Partial<Readonly<Record<CodeLanguage, CommandLanguage>>> = {
  awk: recogniseAwk,
  sql: recogniseSql,
  powershell: recognisePowershell,
  cmd: recogniseCmd,
}

/** What is obvious in code: what it starts, which files it touches. What is not recognised stays silent. */
export function recognise(language: CodeLanguage, text: string, around: CodeSurroundings = {}): Recognised {
  const source = text.slice(0, codeLimits.textMax)
  const found = newFound(chooses(source))
  if (source.length < text.length) found.leftOut('its code is longer than is looked at')
  const known = languages[language]
  if (known !== undefined) readCode(source, known, found, around)
  else others[language]?.(source, found, around)
  return found.result()
}
