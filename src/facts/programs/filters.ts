import type { ShellFilter, ShellWord } from '../../model/shell.ts'
import type { Line } from './row.ts'
import { names } from './words.ts'

/** What filters pick from what they read, by their words. A filter with an unusual option, or an unknown word, is not told. */
type FilterOf = (line: Line) => ShellFilter | undefined

/** A script or pattern of a filter that policies are told: people write a few lines, and policies try it on texts. */
const filterCharactersMax = 4000

const textOf = (word: ShellWord | undefined): string | undefined =>
  word === undefined || word.unresolved === true || word.several === true || word.value.length > filterCharactersMax
    ? undefined
    : word.value

const isUsual = (line: Line, usual: ReadonlySet<string>): boolean =>
  !line.uncertain && line.given.every(({ name }) => usual.has(name))

const usualInSearch =
  'e regexp n h o H i s w only-matching ignore-case line-number no-filename with-filename word-regexp color colour'
const ofGrep = new Set(
  names(
    `${usualInSearch} E P F G r R extended-regexp perl-regexp fixed-strings basic-regexp recursive dereference-recursive no-messages include exclude exclude-dir`,
  ),
)
const ofOthers = new Set(names(usualInSearch))

/** Of a search whose pattern is the first operand, or the one value of `-e`. */
function search(line: Line, usual: ReadonlySet<string>, isExtended: boolean, isFixed: boolean): ReturnType<FilterOf> {
  const given = line.values('e', 'regexp')
  const text = textOf(given[0] ?? line.operands[0])
  const only = line.has('o', 'only-matching')
  if (text === undefined || given.length > 1 || !isUsual(line, usual)) return undefined
  // With `-w`, another part of the line may match; of a fixed text, a sign would be read as a pattern.
  if ((only && line.has('w', 'word-regexp')) || (isFixed && /[^\w=-]/.test(text))) return undefined
  return { by: 'pattern', text, ...(isExtended && { extended: true }), ...(only && { only }) }
}

export const grepFilter: FilterOf = (line) =>
  search(
    line,
    ofGrep,
    !/^(?:g|z|bz|xz|[zx]?f)?grep$/.test(line.program) || line.has('E', 'P', 'extended-regexp', 'perl-regexp'),
    line.program.endsWith('fgrep') || line.has('F', 'fixed-strings'),
  )

export const searchFilter: FilterOf = (line) => search(line, ofOthers, true, false)

const ofCut = new Set(names('d delimiter f fields s only-delimited output-delimiter'))

export function cutFilter(line: Line): ShellFilter {
  if (!line.has('f', 'fields')) return { by: 'characters', text: '' }
  const separator = line.value('d', 'delimiter')
  const text = isUsual(line, ofCut) ? textOf(line.value('f', 'fields')) : undefined
  return { by: 'fields', text: text ?? '', separator: separator?.value ?? '\t' }
}

const ofSed = new Set(names('e expression E r n s u regexp-extended quiet silent separate unbuffered posix'))

export function sedFilter(line: Line): ReturnType<FilterOf> {
  const given = line.values('e', 'expression')
  const scripts = (given.length > 0 ? given : line.operands.slice(0, 1)).map(textOf)
  if (scripts.length === 0 || scripts.includes(undefined) || !isUsual(line, ofSed)) return undefined
  return {
    by: 'edits',
    text: scripts.join(';'),
    ...(line.has('E', 'r', 'regexp-extended') && { extended: true }),
    ...(line.has('n', 'quiet', 'silent') && { only: true }),
  }
}

const ofPerl = new Set(names('p n l e'))

/** Of `perl -pe SCRIPT`, which edits lines as sed does. */
export function perlFilter(line: Line): ReturnType<FilterOf> {
  const given = line.values('e')
  const text = textOf(given[0])
  if (text === undefined || given.length > 1 || !line.has('p') || !isUsual(line, ofPerl)) return undefined
  return { by: 'edits', text, extended: true }
}

const ofAwk = new Set(names('F field-separator v assign'))

export function awkFilter(line: Line): ReturnType<FilterOf> {
  const text = textOf(line.operands[0])
  const separator = line.value('F', 'field-separator')?.value
  const isPlain = !line.values('v', 'assign').some(({ value }) => /^[FR]S=/.test(value))
  if (text === undefined || !isPlain || !isUsual(line, ofAwk)) return undefined
  return { by: 'rules', text, ...(separator !== undefined && { separator }) }
}

/** Of `jq QUERY` and its kin: `yq` may have a verb in front. */
export function queryFilter(line: Line): ReturnType<FilterOf> {
  if (line.has('f', 'from-file')) return undefined
  const [first, second] = line.operands
  const isVerb = line.program === 'yq' && /^(?:e|ea|eval|eval-all)$/.test(first?.value ?? '')
  const text = textOf(line.value('expression') ?? (isVerb ? second : first))
  return text === undefined || line.uncertain ? undefined : { by: 'query', text }
}
