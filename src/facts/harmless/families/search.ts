import { type Judge, type Looks, readLook, isKnown } from '../look.ts'

/** Tests and outputs of find, and those that take a value. Other primaries write, delete or start. */
const tests: ReadonlySet<string> = new Set(
  `a amin anewer atime cmin cnewer context ctime empty executable false fstype gid group ilname iname inum ipath
  iregex iwholename links lname mmin mtime name newer nogroup nouser path perm readable regex samefile size true type
  uid used user wholename writable xtype print print0 printf prune quit ls not o or and d depth daystart follow help
  version ignore_readdir_race noignore_readdir_race maxdepth mindepth mount noleaf regextype warn nowarn xdev x X s H L
  P D E f Bmin Btime Bnewer acl flags depth nocase xattr xattrname sparse exit O0 O1 O2 O3`.split(/\s+/),
)

/** `-mtime -5`: what follows one of these is a value, whatever it looks like. */
const takesAny = /^-(?:size|[acm]time|[acm]min|perm|links|inum|uid|gid|used|mindepth|maxdepth|Bmin|Btime)$/

/** find: its tests, and what `-exec` starts, which is a command of its own. */
const find: Judge = ({ args, starts: started = 0 }) => {
  let wanted = 0
  for (let at = 0; at < args.length; at++) {
    const word = args[at]
    if (word === undefined || word.several === true || (word.unresolved === true && /^(?:-|\uFDD0)/.test(word.value)))
      return false
    const { value } = word
    if (value === '-exec' || value === '-execdir') {
      // The commands that it starts must be among the facts.
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
      !(takesAny.test(args[at - 1]?.value ?? '') && /^-\d|^-[ugoarwxst,=+-]+$/.test(value))
    )
      return false
  }
  return started >= wanted
}

const fzfOptions =
  'f filter q query n nth d delimiter with-nth tiebreak bind height min-height layout border margin padding info prompt pointer marker header header-lines color preview preview-window expect jump-labels tabstop history history-size walker walker-root walker-skip scheme algo with-shell'

/** Actions of fzf that run a command, and the one that lists what a command prints. */
const reloads = () => /\breload(-sync)?\(([^()]*)\)/g
const running =
  /\b(?:execute|execute-silent|execute-multi|become|reload|reload-sync|transform[\w-]*|preview|bg-[\w-]+|print-command|change-preview)\s*[([{<~!@#$%^&*;|/:+]/

/** fzf: choosing, with previews that only show. */
const fzf: Judge = (look, isHarmlessText) => {
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

/** Programs that search for files and in lists. */
export const search: Looks = {
  'find gfind': find,
  'fzf sk': fzf,
}
