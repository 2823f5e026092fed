import type { transformSync } from 'amaro'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { z } from 'zod'
import { stripperFile } from '../../../files/program-files.ts'
import { lowerFirst, printable } from '../../../model/text.ts'
import type { Problem } from '../../../model/errors.ts'
import type { SourceText } from './nodes.ts'

interface Stripper {
  readonly transformSync: typeof transformSync
}

const require = createRequire(import.meta.url)
let loaded: Stripper | undefined

/** Loads the type stripper lazily, with the first TypeScript file: that takes longer than the rest of a compilation. */
function stripper(): Stripper {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `require` is the one synchronous way, and has no types
  loaded ??= require(stripperFile) as Stripper
  return loaded
}

/**
 * Discards the type stripper, to be loaded again.
 *
 * INVARIANT: one source cannot affect the next. After a stack overflow the parser's memory is left corrupt, and it
 * refuses every source from then on.
 */
function discard(): void {
  loaded = undefined
  const parts = Object.keys(require.cache).filter((path) => dirname(path) === dirname(stripperFile))
  for (const path of parts) Reflect.deleteProperty(require.cache, path)
}

const Diagnostic = z.object({
  code: z.string(),
  message: z.string(),
  startLine: z.int().positive(),
  startColumn: z.int().nonnegative(),
})

/** Overwrites types with blanks, so that nothing moves. Refuses syntax that cannot be blanked, such as an enum. */
export function stripTypes(text: string, file: string): string | Problem {
  try {
    return stripper().transformSync(text, { mode: 'strip-only', module: true }).code
  } catch (error) {
    const diagnostic = Diagnostic.safeParse(error)
    if (diagnostic.success) return refusal(diagnostic.data, { file, text })
    discard()
    return tooDeep({ file, line: 1, column: 1 })
  }
}

export function tooDeep(place: Problem['place']): Problem {
  return { severity: 'error', place, message: tooDeepMessage, remedy: 'split it into functions' }
}
const tooDeepMessage = 'it is nested too deeply to be read'
export const isTooDeep = ({ message }: Problem) => message === tooDeepMessage

function refusal({ code, message, ...at }: z.infer<typeof Diagnostic>, { file, text }: SourceText): Problem {
  const line = text.split(/\r\n|[\n\r]/)[at.startLine - 1] ?? ''
  const place = { file, line: at.startLine, column: unitsIn(line, at.startColumn) + 1 }
  const said = printable(message).replace(/\.$/, '')
  if (code !== 'UnsupportedSyntax') {
    return { severity: 'error', place, message: `it is not TypeScript: ${lowerFirst(said)}`, remedy: undefined }
  }
  const what = said.replace(/ in (?:strip-only|type strip) mode.*$/s, '')
  const remedy = remedies.find(([kind]) => what.includes(kind))?.[1] ?? 'use TypeScript only for types'
  return { severity: 'error', place, message: `${what}: types are removed, not compiled`, remedy }
}

const remedies: readonly (readonly [kind: string, remedy: string])[] = [
  ['enum', 'write an object and `as const`'],
  ['namespace', 'write a separate module'],
  ['parameter property', 'declare the field, and set it in the constructor'],
  ['import equals', 'write `import … from`'],
  ['export assignment', 'write `export default`'],
  ['angle-bracket', 'write `x as T`'],
]

/** Converts a diagnostic's column, which counts terminal cells, to UTF-16 units, as in every other place. */
function unitsIn(line: string, width: number): number {
  let units = 0
  let shown = 0
  for (const character of line) {
    if (shown >= width) break
    // The parser counts UTF-16 units, and adds the cells by which a character is wider than one column.
    shown += character.length + widthOf(character) - 1
    units += character.length
  }
  return units
}

function widthOf(character: string): number {
  if (character === '\t') return 4
  if (/[\p{Cc}\p{Cf}\p{Mn}]/u.test(character)) return 0
  return /[\p{Emoji_Presentation}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(
    character,
  )
    ? 2
    : 1
}
