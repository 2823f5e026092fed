import type { Family } from '../program.ts'
import { type Judge, readLook, isKnown } from '../looks/look.ts'

/** Primaries of find that test or print. Other primaries write, delete or start programs. */
const tests: ReadonlySet<string> = new Set(
  `a amin anewer atime cmin cnewer context ctime empty executable false fstype gid group ilname iname inum ipath
  iregex iwholename links lname mmin mtime name newer nogroup nouser path perm readable regex samefile size true type
  uid used user wholename writable xtype print print0 printf prune quit ls not o or and d depth daystart follow help
  version ignore_readdir_race noignore_readdir_race maxdepth mindepth mount noleaf regextype warn nowarn xdev x X s H L
  P D E f Bmin Btime Bnewer acl flags depth nocase xattr xattrname sparse exit O0 O1 O2 O3`.split(/\s+/),
)

/** Tests whose value may begin with a dash: `-mtime -5`. */
const takesDashedValue = /^-(?:size|[acm]time|[acm]min|perm|links|inum|uid|gid|used|mindepth|maxdepth|Bmin|Btime)$/

/** Judges find by its primaries. Commands that `-exec` starts are in the facts, and are judged by themselves. */
export const find: Judge = ({ args, starts: started = 0 }) => {
  let wanted = 0
  for (let at = 0; at < args.length; at++) {
    const word = args[at]
    if (word === undefined || word.several === true || (word.unresolved === true && /^(?:-|\uFDD0)/.test(word.value)))
      return false
    const { value } = word
    if (value === '-exec' || value === '-execdir') {
      // Each `-exec` must have its command among the facts.
      wanted++
      while (at < args.length && args[at]?.value !== ';' && !(args[at]?.value === '+' && args[at - 1]?.value === '{}'))
        at++
      continue
    }
    if (
      value.length > 1 &&
      value.startsWith('-') &&
      !tests.has(value.replace(/^--?/, '')) &&
      !/^-newer[aBcm][aBcmt]$/.test(value) &&
      !(takesDashedValue.test(args[at - 1]?.value ?? '') && /^-\d|^-[ugoarwxst,=+-]+$/.test(value))
    )
      return false
  }
  return started >= wanted
}

const fzfOptions =
  'f filter q query n nth d delimiter with-nth tiebreak bind height min-height layout border margin padding info prompt pointer marker header header-lines color preview preview-window expect jump-labels tabstop history history-size walker walker-root walker-skip scheme algo with-shell'

/** Returns a pattern for the action of fzf that lists the output of a command. */
const reloads = () => /\breload(-sync)?\(([^()]*)\)/g
/** Matches other actions of fzf that run a command. */
const running =
  /\b(?:execute|execute-silent|execute-multi|become|reload|reload-sync|transform[\w-]*|preview|bg-[\w-]+|print-command|change-preview)\s*[([{<~!@#$%^&*;|/:+]/

/** Judges fzf: it only looks if its previews and reloads do, and no other action runs a command. */
export const fzf: Judge = (look, { isHarmlessText }) => {
  const { names, values } = readLook(look.args, fzfOptions)
  return (
    isKnown(look) &&
    !names.some((name) => /^(?:listen-.*|history|with-shell)$/.test(name)) &&
    values('preview').every(({ value }) => isHarmlessText(value.replace(/^execute\s+/, ''))) &&
    values('bind').every(
      ({ value }) =>
        !running.test(value.replace(reloads(), '')) &&
        [...value.matchAll(reloads())].every(([, , text = '']) => isHarmlessText(text)),
    )
  )
}

/** Programs that search for files, or in lists. */
export const search: Family = {
  programs: {},
}
