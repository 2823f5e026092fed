import { codeLimits } from '../../../model/limits.ts'
import {
  type CodeLanguage,
  type ShellCode,
  type ShellWord,
  type TouchedPath,
  unknownPart,
} from '../../../model/shell.ts'
import { placeFor, placeOf, touchedPath } from '../../paths/index.ts'
import { http } from '../../programs/families/http.ts'
import { wordOf } from '../../programs/words.ts'
import type { StartedIn, Starts } from '../../programs/starts.ts'
import { type Context, type Draft, noteLeftOut } from '../state/context.ts'
import { scanAwk } from '../code/awk.ts'
import { scanCmd, scanPowershell } from '../code/powershell.ts'
import { type CodeEnvironment, type Findings, newFindings, type Recognised } from '../code/findings.ts'
import type { Language } from '../code/language.ts'
import { javascript, julia, lua, php, python, r, ruby } from '../code/languages/others.ts'
import { perl } from '../code/languages/perl.ts'
import { scanCode } from '../code/scan/scan.ts'
import { text } from '../code/values.ts'

/** True if all that is not known of a code are names that `mktemp` has given, each behind its folder: letters and digits. */
export function hasOnlyTemporaryNames({ commands }: Context, { value, from = [] }: ShellWord): boolean {
  const isMade = from.length > 0 && from.every((at) => /^g?mktemp$/.test(commands[at]?.program ?? ''))
  return (
    isMade &&
    value
      .split(unknownPart)
      .slice(0, -1)
      .every((before) => /\/[\w.-]+$/.test(before))
  )
}

/** Records what code of another language visibly does, and runs the commands that it starts. */
export function analyseCode(
  context: Context,
  draft: Draft,
  starts: Pick<Starts, 'words' | 'script' | 'variable'>,
  language: CodeLanguage,
  code: ShellWord,
  where: StartedIn | undefined,
  depth = 0,
): void {
  const known: Pick<ShellCode, 'text'> =
    code.unresolved === true && !hasOnlyTemporaryNames(context, code) ? {} : { text: code.value }
  draft.code ??= { language, ...known, ...(where?.encoded && { encoded: true }), does: looksOf(known.text ?? '') }
  if (code.value === unknownPart) return
  if (depth > codeLimits.textsDepthMax) {
    noteLeftOut(context, draft, 'its code is nested deeper, or does more, than is analyzed')
    return
  }
  const { home } = context.around
  const found = recognise(language, code.value, {
    ...(home !== undefined && { home }),
    variable: (name) => {
      const word = starts.variable(name)
      return word?.unresolved === true ? undefined : (word?.value ?? context.around.env?.[name])
    },
    ...(where?.parameters !== undefined && { parameters: where.parameters }),
    ...(draft.stdin !== undefined && { stdin: draft.stdin }),
  })
  draft.code = { ...draft.code, does: [...new Set([...draft.code.does, ...found.does])] }
  if (found.sends.length > 0 && found.does.includes('network')) draft.sends = [...(draft.sends ?? []), ...found.sends]
  for (const what of found.leftOut) noteLeftOut(context, draft, what)
  const place = placeFor(draft, placeOf(context.around))
  // Names that code reads or is given are files to it like any other.
  const named = wordOf(unknownPart, ...(where?.parameters ?? []), draft.stdin)
  const paths = found.paths.map(({ written, access, recursive, metadata }) =>
    touchedPath(written.unresolved === true ? { ...named, ...written } : written, access, place, {
      recursive: recursive === true,
      metadata: metadata === true,
    }),
  )
  // A further round of a loop finds the same paths again.
  const isNew = ({ written, access }: TouchedPath) =>
    context.repeated === undefined || !draft.paths.some((one) => one.written === written && one.access === access)
  draft.paths = [...draft.paths, ...paths.filter(isNew)]
  const [host] = found.hosts
  if (host !== undefined && draft.network === undefined) {
    draft.network = http('both', host)
  }
  const inside: StartedIn = { ...where, reach: { through: 'code', language } }
  const { from } = named
  const placed = (word: ShellWord) => (word.unresolved === true && from !== undefined ? { from, ...word } : word)
  for (const start of found.starts) {
    if (start.kind === 'words') starts.words(start.words.map(placed), inside)
    else if (start.kind === 'script') starts.script(placed(start.text), inside)
    else analyseCode(context, draft, starts, start.language, start.text, undefined, depth + 1)
  }
}

/** Opens a file anew, or writes an empty text. */
const empties =
  /truncat|clear-content|,\s*(?:mode\s*=\s*)?(['"])w[bt+]*\1|,\s*(['"])\2\s*\)|write_(?:text|bytes)\(\s*b?(['"])\3|(['"])>\4|set-content[^|;]*(['"])\5/i

/** A shell's deletion, which may or may not come to a shell. */
const deletes = /\brm\s{1,9}-\w{0,9}[rf]\w{0,9}\s{1,9}(?:--\s{1,9})?(?:\/|~|\$HOME|\*)/

/** Returns what can only be told by how a text of code looks, and not of which file or process it is meant. */
const looksOf = (written: string): ShellCode['does'] => [
  ...(empties.test(written) ? (['empties'] as const) : []),
  ...(deletes.test(written) ? (['deletes'] as const) : []),
]

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
