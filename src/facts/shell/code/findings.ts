import { codeLimits } from '../../../model/limits.ts'
import {
  type CodeLanguage,
  type PathAccess,
  type ShellCode,
  type ShellSent,
  type ShellWord,
  unknownPart,
  unknownWord,
} from '../../../model/shell.ts'
import { bounded, type LeftOut, type ReportLeftOut } from '../../bounds.ts'
import { type Form, hasKind, unknown, unknownText, type Value, variablesIn, withoutNames } from './values.ts'

/** The parts of a command's environment that its inline code can read. */
export interface CodeEnvironment {
  readonly home?: string
  /** Returns the value of an environment variable. */
  readonly variable?: (name: string) => string | undefined
  /** The code's command-line arguments: from `sys.argv[1]`, `ARGV[0]` or `process.argv[1]` on. */
  readonly parameters?: readonly ShellWord[]
  readonly stdin?: ShellWord
}

/** A file or folder that code touches, as far as its path is visible in the code. */
interface CodePath {
  /** The path, with `unknownPart` in place of unknown parts. */
  readonly written: ShellWord
  readonly access: PathAccess
  readonly recursive?: true
  readonly metadata?: true
}

/** A program, a shell script or further code that code starts. */
type CodeStart =
  | { readonly kind: 'words'; readonly words: readonly ShellWord[] }
  | { readonly kind: 'script'; readonly text: ShellWord }
  | { readonly kind: 'code'; readonly language: CodeLanguage; readonly text: ShellWord }

/** The effects of code that are visible in its text. */
export interface Recognised {
  readonly paths: readonly CodePath[]
  /** In source order. */
  readonly starts: readonly CodeStart[]
  readonly does: ShellCode['does']
  /** URLs and hosts that the code connects to, as far as they are known. */
  readonly hosts: readonly ShellWord[]
  /** Variables of the environment in what the code sends. */
  readonly sends: readonly ShellSent[]
  /** Limits that were reached. */
  readonly leftOut: readonly LeftOut[]
}

/** A collector for the effects found in code. An unknown value becomes an unknown word; it is never dropped. */
export interface Findings {
  readonly path: (value: Value, access: PathAccess, how?: { recursive?: boolean; metadata?: boolean }) => void
  /** Records a text that a shell runs. */
  readonly script: (value: Value) => void
  /** Records a program and its arguments. A list contributes one word for each item. */
  readonly words: (values: readonly Value[]) => void
  /** Records a text that is run as code. */
  readonly code: (language: CodeLanguage, value: Value) => void
  readonly network: (value?: Value) => void
  /** Records a variable of the environment that is sent. */
  readonly sends: (sent: ShellSent) => void
  readonly does: (what: ShellCode['does'][number]) => void
  readonly leftOut: ReportLeftOut
  readonly result: () => Recognised
}

export function newFindings(): Findings {
  const paths: CodePath[] = []
  const starts: CodeStart[] = []
  const hosts: ShellWord[] = []
  const sends: ShellSent[] = []
  const does = new Set<ShellCode['does'][number]>()
  const leftOut = new Set<LeftOut>()
  const keep = <T>(all: T[], one: T): void => {
    if (all.length < codeLimits.findingsMax) all.push(one)
    else leftOut.add('its code is nested deeper, or does more, than is analyzed')
  }
  const keepLeftOut = (what: LeftOut) => leftOut.add(what)
  const wordsOf = (value: Value) => wordsIn(value, keepLeftOut)
  return {
    path(value, access, { recursive = false, metadata = false } = {}) {
      const flat = value.flatMap((form) =>
        form.kind === 'list' ? form.items.flatMap((item) => (item.length === 0 ? unknownText : item)) : [form],
      )
      for (const written of value.length > 0 && flat.length === 0 ? [] : wordsOf(flat)) {
        keep(paths, { written, access, ...(recursive && { recursive: true }), ...(metadata && { metadata: true }) })
      }
    },
    script(value) {
      does.add('starts')
      for (const word of wordsOf(value)) {
        if (word.unresolved === true) does.add('evaluates')
        keep(starts, { kind: 'script', text: word })
      }
    },
    words(values) {
      does.add('starts')
      for (const words of combinations(values, keepLeftOut)) keep(starts, { kind: 'words', words })
    },
    code(language, value) {
      does.add('evaluates')
      for (const word of wordsOf(value)) keep(starts, { kind: 'code', language, text: word })
    },
    network(value = unknown) {
      does.add('network')
      for (const form of value) if (form.kind === 'text') keep(hosts, wordIn(form, keepLeftOut))
    },
    sends: (sent) => keep(sends, sent),
    does: (what) => does.add(what),
    leftOut: keepLeftOut,
    result: () => ({ paths, starts, hosts, sends, does: [...does], leftOut: [...leftOut] }),
  }
}

const severalWords: ShellWord = { ...unknownWord, several: true }
const tooMany: LeftOut = 'its code has more values, or longer ones, than are analyzed'

function wordIn(form: Form, leftOut: ReportLeftOut): ShellWord {
  if (form.kind === 'leftOut') leftOut(tooMany)
  const written = form.kind === 'text' ? form.text : form.kind === 'number' ? String(form.number) : unknownPart
  if (!written.includes(unknownPart)) return { value: written }
  const [value, names] = [withoutNames(written), variablesIn(written)]
  const [variable] = names
  if (variable === undefined) return { value, unresolved: true }
  return { value, unresolved: true, ...(names.length === 1 ? { variable } : { variables: names }) }
}

const wordsIn = (value: Value, leftOut: ReportLeftOut): readonly ShellWord[] =>
  value.length === 0 ? [unknownWord] : value.map((form) => wordIn(form, leftOut))

/** Returns all possible word lists of a value. An unknown value is `several` words, since it may be a list. */
function waysOf(value: Value, depth: number, leftOut: ReportLeftOut): readonly (readonly ShellWord[])[] {
  if (!hasKind(value, 'text', 'list', 'leftOut')) return [[severalWords]]
  return value.flatMap((form) => {
    if (form.kind !== 'list') return [[wordIn(form, leftOut)]]
    // Nested lists would multiply the combinations without limit.
    return depth === 0 ? combinations(form.items, leftOut, 1) : [[severalWords]]
  })
}

function combinations(values: readonly Value[], leftOut: ReportLeftOut, depth = 0): readonly (readonly ShellWord[])[] {
  let ways: ShellWord[][] = [[]]
  for (const value of values) {
    const more = waysOf(value, depth, leftOut)
    const [only = []] = more
    // Most values have one way. Copying all words before each would be a square of their number.
    if (more.length === 1) {
      for (const way of ways) way.push(...only)
      continue
    }
    const few = bounded(ways, Math.ceil(codeLimits.findingsMax / Math.max(1, more.length)), tooMany, leftOut)
    ways = few.flatMap((way) => more.map((words) => way.concat(words)))
  }
  return ways
}
