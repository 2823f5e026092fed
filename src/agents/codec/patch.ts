import type { Json } from '../../model/json.ts'

/** A change of one file in a patch. */
export interface PatchedFile {
  /** The names that the parsers of its format read in the same header: they differ where it is an odd one. */
  readonly names: readonly string[]
  readonly removed: string
  readonly added: string
  /** Set if the file is deleted. */
  readonly isGone?: true
}

interface Section {
  readonly names: Set<string>
  readonly removed: string[]
  readonly added: string[]
  isGone: boolean
}

const newSection = (...names: readonly string[]): Section => ({
  names: new Set(names),
  removed: [],
  added: [],
  isGone: false,
})

const fileOf = ({ names, removed, added, isGone }: Section): PatchedFile => ({
  names: [...names],
  removed: removed.join('\n'),
  added: added.join('\n'),
  ...(isGone && { isGone: true }),
})

/** Returns whether a value is a patch in the format of `apply_patch`, which names its files itself. */
export const isPatch = (value: Json | undefined): value is string =>
  typeof value === 'string' && value.includes(begin) && trimmed(value).startsWith(begin)
const begin = '*** Begin Patch'

const header = /^\*\*\* (?:(Add|Update|Delete) File|Move to):(.*)$/s

/**
 * Reads a patch in the format of `apply_patch` as all its parsers do together: Codex ignores white space around a header,
 * which it takes anywhere or, in older versions, only between two files; parsers in JavaScript need no blank before the
 * name, and OpenCode's ends it at a colon.
 */
export function applyPatchFiles(patch: string): readonly PatchedFile[] {
  const sections: Section[] = []
  // To some parsers, a header behind white space is a line of the file before it, and so are the lines after it.
  let [open, padded]: (Section | undefined)[] = []
  for (const line of patch.split('\n')) {
    const [, kind, rest] = header.exec(trimmed(line)) ?? []
    if (rest === undefined) {
      const texts = line.startsWith('-') ? 'removed' : line.startsWith('+') ? 'added' : undefined
      if (texts === undefined) continue
      const text = line.endsWith('\r') ? line.slice(1, -1) : line.slice(1)
      for (const one of [open, padded]) one?.[texts].push(text)
      continue
    }
    const names = namesIn(rest)
    const target = kind === undefined ? (padded ?? open) : undefined
    if (target !== undefined) for (const name of names) target.names.add(name)
    else if (names.length > 0) {
      const section = newSection(...names)
      section.isGone = kind === 'Delete'
      sections.push(section)
      if (line.startsWith('*')) [open, padded] = [section, undefined]
      else padded = section
    }
  }
  return sections.map(fileOf)
}

/** Returns the names behind the colon of a header. */
function namesIn(rest: string): readonly string[] {
  const name = trimmed(rest)
  const colon = name.indexOf(':', 2)
  return name === '' ? [] : colon === -1 ? [name] : [name, trimmed(name.slice(0, colon))]
}

/** Removes the white space of JavaScript and of Rust, which differ in U+0085 and U+FEFF, from both ends. */
function trimmed(text: string): string {
  const blanked = text.replaceAll('\u0085', ' ')
  const start = blanked.length - blanked.trimStart().length
  return text.slice(start, Math.max(start, blanked.trimEnd().length))
}

const hunk = /^@@ -\d+(?:,(\d+))? ?\+\d+(?:,(\d+))?/
/** Matches the header lines of a file, in any format of diffs. */
const naming =
  /^(?:(?:(---|\+\+\+|\*\*\*)[ \t]|(Index|diff --git)(?:: ?|(?<=git) ))|(?:rename|copy) (?:from|to) )(.*)$/s
/** The line that begins a half of a context diff's hunk looks like one that names a file. */
const range = /^(?:\*\*\* \d+(?:,\d+)? \*{4}|--- \d+(?:,\d+)? -{4})$/
/** The first line of a context diff's hunk, and of a normal diff's. */
const hunkWithoutCounts = /^(?:\*{15}|\d+(?:,\d+)?[acd]\d+(?:,\d+)?$)/
/** A command of an ed diff that has lines to put in behind it, up to a dot. */
const edCommand = /^\d+(?:,\d+)?[ac]$/
/** Lines that are taken out and put in, in a context, a normal or a unified diff. */
const changedLine = /^(?:([-<])|([+>])|!)(?: |(?<=[-+]))(.*)$/s

/** The options of a program that decide how it reads diffs. */
export interface DiffReading {
  /** The number of folders that are removed from a name; `undefined`: all, as `patch` does by itself. */
  readonly strip: number | undefined
  /** The places of unified hunks that the program accepts: line starts, behind white space as well, or none. */
  readonly hunks: 'plain' | 'indented' | 'none'
}

/**
 * Reads a diff as `patch` and `git apply` do together: a unified, context, normal or ed diff, or one of git's own headers
 * alone. Text around it does not count, nor does the white space or `X` before each line of a patch that is indented.
 *
 * INVARIANT: only the lines that a hunk announces are never names, and only where the program takes it for one: what
 * stands around a patch, or is put in by an ed diff, could otherwise hide a file.
 */
export function diffFiles(diff: string, { strip, hunks }: DiffReading): readonly PatchedFile[] {
  let section = newSection()
  const sections = [section]
  let [oldLeft, newLeft, indent] = [0, 0, 0]
  let isBehindName = false
  let [hasHunk, isNewHalf, isInput] = [false, false, false]
  for (const line of diff.split('\n')) {
    if (oldLeft > 0 || newLeft > 0) {
      const text = withoutIndent(line, indent).replace(/\r$/, '')
      if (text.startsWith('\\')) continue
      if (!text.startsWith('+')) oldLeft--
      if (!text.startsWith('-')) newLeft--
      if (text.startsWith('-')) section.removed.push(text.slice(1))
      if (text.startsWith('+')) section.added.push(text.slice(1))
      continue
    }
    const bare = line.replace(/^[ \tX]+/, '').replace(/\r$/, '')
    const [, mark, start, name] = range.test(bare) ? [] : (naming.exec(bare) ?? [])
    const counts = hunk.exec(bare)
    if (name !== undefined) {
      if (hasHunk || start !== undefined || section.names.size === 0) {
        sections.push((section = newSection()))
        hasHunk = false
      }
      const written = start === 'diff --git' ? bothNames(name) : [name]
      const stripped = mark === undefined && start === undefined && strip !== undefined ? Math.max(0, strip - 1) : strip
      for (const one of written) for (const read of headerNames(one, stripped)) section.names.add(read)
      if (mark === '+++' && /^\s*\/dev\/null\s*$/.test(name)) section.isGone = true
    } else if (counts !== null) {
      const own = /^[ \tX]*/.exec(line)?.[0] ?? ''
      indent = columnsOf(own)
      if (isBehindName && !isInput && (hunks === 'indented' || (hunks === 'plain' && own === '')))
        [oldLeft, newLeft] = [Number(counts[1] ?? 1), Number(counts[2] ?? 1)]
    } else if (bare.startsWith('deleted file mode ')) section.isGone = true
    else if (range.test(bare)) isNewHalf = bare.startsWith('-')
    else if (edCommand.test(bare)) isInput = true
    else if (isInput && bare === '.') isInput = false
    else {
      const [, taken, put, text] = changedLine.exec(bare) ?? []
      if (text === undefined && isInput) section.added.push(bare)
      else if (text !== undefined && bare !== '---') {
        const isPut = taken === undefined && (put !== undefined || isNewHalf)
        ;(isPut ? section.added : section.removed).push(text)
      }
    }
    hasHunk ||= counts !== null || isInput || hunkWithoutCounts.test(bare)
    isBehindName = mark !== undefined || (isBehindName && counts !== null)
  }
  return sections.map(fileOf)
}

const columnsAfter = (columns: number, mark: string | undefined) => (mark === '\t' ? (columns + 8) & ~7 : columns + 1)
const columnsOf = (indent: string) => indent.split('').reduce(columnsAfter, 0)

/** Removes what `patch` takes for the indentation of a whole patch. */
function withoutIndent(line: string, columns: number): string {
  let at = 0
  for (let left = 0; left < columns && /[ \tX]/.test(line[at] ?? ''); at++) left = columnsAfter(left, line[at])
  return line.slice(at)
}

/** Returns the two names behind `diff --git`: quoted, or of the same length as long as only their first folder differs. */
function bothNames(text: string): readonly string[] {
  // A quote without its end takes all that follows, so that no other one is looked for in it.
  const quoted = text.match(/"(?:\\[^]?|[^"\\])*(?:"|$)/g)
  if (quoted !== null) return quoted
  const middle = (text.length - 1) / 2
  return text[middle] === ' ' ? [text.slice(0, middle), text.slice(middle + 1)] : text.split(' ')
}

/** Returns the names that a line may state: `patch` ends them at a blank before a date, git at a tab or at the date. */
function headerNames(text: string, strip: number | undefined): readonly string[] {
  const bare = text.trim()
  const quoted = /^"((?:\\.|[^"\\])*)"/.exec(bare)?.[1]
  const [whole = ''] = bare.split('\t')
  const forms =
    quoted === undefined
      ? [whole.replace(/ {1,9}\d{4}-\d\d-\d\d .*$/, ''), whole.split(/\s/)[0] ?? '']
      : [unescaped(quoted)]
  return [...new Set(forms.flatMap((form) => withoutFolders(form, strip)))]
}

function withoutFolders(name: string, strip: number | undefined): readonly string[] {
  const parts = name.split(/\/+/)
  const rest = strip === undefined ? parts.slice(-1) : parts.slice(strip)
  const own = strip === 0 ? name : rest.join('/')
  return own === '' || name === '/dev/null' ? [] : [own]
}

/** Reads a name as git quotes it, with bytes in octal. */
function unescaped(quoted: string): string {
  const plain = Buffer.from(quoted).toString('latin1')
  const bytes = plain.replaceAll(/\\(?:([0-7]{1,3})|(.))/g, (_, octal: string | undefined, letter: string) =>
    octal === undefined ? (letters[letter] ?? letter) : String.fromCodePoint(Number.parseInt(octal, 8) & 0xff),
  )
  return Buffer.from(bytes, 'latin1').toString('utf8')
}
const letters: Readonly<Record<string, string>> = { a: '\u0007', b: '\b', t: '\t', n: '\n', v: '\v', f: '\f', r: '\r' }
