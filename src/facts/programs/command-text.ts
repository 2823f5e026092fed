import { type ShellWord, unknownPart } from '../../model/shell.ts'
import { entriesOf, programNamed } from './table.ts'
import { unwrapLimits } from '../../model/limits.ts'
import { bounded, type ReportLeftOut } from '../bounds.ts'
import { changed, splitWords } from './words.ts'

const shells = /^(?:ba|z|da|k|mk|a|fi|c|tc)?sh$/

/** Tells whether a word is the name or path of a shell that reads a script from stdin. */
export const isShellName = (value: string): boolean => shells.test(baseOf(value))

/**
 * Programs whose names are everyday words, and so are subcommands and the beginnings of sentences: `virsh shutdown web`,
 * "killall workers". Their next word shows whether they are meant: an option, a path or a number.
 */
const everyday = new Set(
  `shutdown reboot halt poweroff init killall service eject wipe scrub mount umount del format trash rip rename
  split patch open start script transfer send passwd history set unset export source install link find test file time
  watch more less look make go at batch host write date cat sort cut join let read type help local return exit break
  continue wait times complete bind enable suspend caller logout expand fold dir print yes date sleep who users groups
  info last free top route clear reset move copy code security please cover op mode view fmt get fetch linear slack
  dog q http now up apex arc spin hal flux weave porter platform console cake manage flask spark ace goose migrate
  tern soda bee forge dep auto replicate modal together atlas realm ghost payload keystone directus pub repo src pass
  phase keeper square paddle loops courier knock signal cast near forever net login log config trust defaults bridge
  say`.split(/\s+/),
)

const shown = /^(?:[-/~$.\d"'{]|https?:)/

const baseOf = (value: string): string => value.slice(value.lastIndexOf('/') + 1)

/** Tells whether it is known of a word's program what it touches or does: `git`, `/usr/bin/env`, not `src/git`. */
function isProgram(value: string): boolean {
  if (value.length > nameMax || !/^[\w./+~-]+$/.test(value)) return false
  if (value.includes('/') && !/(?:^|\/)s?bin\/[^/]+$/.test(value)) return false
  const name = baseOf(value)
  return /^[a-z]/.test(name) && (programNamed(name) !== undefined || isOnlyDeeds(name))
}
const nameMax = 128

const isOnlyDeeds = (name: string): boolean => entriesOf(name).some(({ program }) => program.does !== undefined)

/** Removes the version behind the name of a program that a launcher starts: `gh@2`, `black==24.1`. */
export function withoutVersion(word: ShellWord): ShellWord {
  const name = /^([\w.-]+)(?:@(?:latest|next|[~^]?v?\d[^/]*)|==\d[^/]*)$/.exec(word.value)?.[1]
  return name === undefined ? word : changed(word, name)
}

/** How likely a program is at a place: `likely` may also be a subcommand, `unlikely` one of a program that is known. */
export type Certainty = 'certain' | 'likely' | 'unlikely'

/** Tells whether a known program and its arguments begin at an index. */
export function startsProgram(words: readonly ShellWord[], at: number, certainty: Certainty): boolean {
  const given = words[at]
  if (given === undefined || given.unresolved === true) return false
  const word = withoutVersion(given)
  if (!isProgram(word.value)) return false
  if (certainty === 'certain' || !everyday.has(word.value)) return true
  if (certainty !== 'likely') return false
  // `argocd app get -o yaml` and `ngrok http 80` are no requests: those have an address.
  const address = addressed[word.value]
  if (address !== undefined) return words.slice(at + 1).some(({ value }) => address.test(value))
  return shown.test(words[at + 1]?.value ?? '')
}

/** By the name of a program that is also a subcommand of others, what only its own words have. */
const addressed: Readonly<Record<string, RegExp>> = {
  get: /^https?:/,
  fetch: /^https?:/,
  http: /^https?:|^(?:GET|POST|PUT|PATCH|DELETE)$|\//,
}

const beginning = /^\s*(?:[A-Za-z_]\w*=[^\s"'`$]*\s+)*([^\s"'`$();|&<>]+)[ \t]+(\S+)/

/** Tells whether a text begins with a known program and has further words. */
export function startsCommand(text: string): boolean {
  const [, name = '', next = ''] = beginning.exec(text.slice(0, beginningMax)) ?? []
  return name !== '' && isProgram(name) && (!everyday.has(name) || (addressed[name] ?? shown).test(next))
}
const beginningMax = 512

const sentence =
  /(?:^|\s)(?:the|an?|is|was|are|were|be|not|does|did|to|of|and|or|with|that|this|it|when|why|how|because|should|must|can|will|in|on|from|by|fail(?:s|ed|ing)?|breaks?|broken|errors?|instead|wipes?|deletes|hangs|works)(?=[\s.,:;!?]|$)/i

/** Tells whether a text that begins with a program's name is a sentence about it: `git push --force fails`. */
export function isProse(text: string): boolean {
  const plain = text.slice(0, proseMax).replaceAll(/"[^"]*"|'[^']*'/g, '')
  return !/[|;&<>$`]/.test(plain) && sentence.test(plain)
}
const proseMax = 4096

/**
 * Finds the commands that a program's arguments make of the lines it reads, whatever its language is: the `rm` of
 * `sed 's/^/rm /'`, `awk '{print "rm " $0}'` and `printf 'rm %s\n'`.
 *
 * @param names stands for what the program reads
 */
export function shapedIn(
  args: readonly ShellWord[],
  names: ShellWord,
  leftOut: ReportLeftOut,
): readonly (readonly ShellWord[])[] {
  const found = args.flatMap(({ value }) =>
    value.length > unwrapLimits.mentionTextMax ? [] : [...withoutEnd(value).matchAll(shape)].map(([line]) => line),
  )
  const lines = [...new Set(found)].map((line) => splitWords(line).concat(names))
  return bounded(
    lines.filter((words) => startsProgram(words, 0, 'certain')),
    unwrapLimits.mayStartMax,
    'it starts more commands than are analyzed',
    leftOut,
  )
}

/** Matches a word that a blank or a quote follows, with the words after it up to where a language puts in other text. */
const shape = new RegExp(
  `(?<![\\w.~$-]|[\\w.~]/)[a-z][\\w.+-]*(?=[ \\t"'])[^"'\`$%&\\\\{}()|;#\\n${unknownPart}]*`,
  'g',
)

/** Removes the end of sed's `s/…/…/g`, which is no part of the line. */
const withoutEnd = (text: string): string => (/^[\d,$]*s\W/.test(text) ? text.replace(/\W\w*$/, '') : text)
