import { type Judge, has } from '../call.ts'

/** Tests and outputs of find, and those that take a value. Other primaries write, delete or start. */
const tests = ` a amin anewer atime cmin cnewer context ctime empty executable false fstype gid group ilname iname inum ipath
 iregex iwholename links lname mmin mtime name newer nogroup nouser path perm readable regex samefile size true type uid used
 user wholename writable xtype print print0 printf prune quit ls not o or and d depth daystart follow help version
 ignore_readdir_race noignore_readdir_race maxdepth mindepth mount noleaf regextype warn nowarn xdev x X s H L P D E f
 Bmin Btime Bnewer acl flags depth nocase xattr xattrname sparse exit O0 O1 O2 O3 `

/** fd: what `-x` and `-X` start is a command of its own. */
export const fd: Judge = ({ args, starts: started = 0 }) =>
  started > 0 &&
  args.every((word) => word.several !== true) &&
  args.filter((word) => /^(-[a-zA-Z]*[xX]|--exec(-batch)?)$/.test(word.value)).length === 1

/** find: its tests, and what `-exec` starts, which is a command of its own. */
export const find: Judge = ({ args, starts: started = 0 }) => {
  let wanted = 0
  for (let at = 0; at < args.length; at++) {
    const word = args[at]
    if (word === undefined || word.several === true || (word.unresolved === true && /^(-|\uFDD0)/.test(word.value)))
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
      !has(tests, value.replace(/^--?/, '')) &&
      !/^-newer[aBcm][aBcmt]$/.test(value) &&
      !(isValue(args[at - 1]?.value) && /^-\d|^-[ugoarwxst,=+-]+$/.test(value))
    )
      return false
  }
  return started >= wanted
}

/** `-mtime -5`: what follows one of these is a value, whatever it looks like. */
const isValue = (before: string | undefined) =>
  before !== undefined &&
  /^-(size|[acm]time|[acm]min|perm|links|inum|uid|gid|used|mindepth|maxdepth|Bmin|Btime)$/.test(before)
