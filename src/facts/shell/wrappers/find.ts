import { posix } from 'node:path'
import { readOptions } from '../../../model/options.ts'
import { type ShellWord, unknownPart } from '../../../model/shell.ts'
import type { Unwrap } from '../unwrap.ts'
import { changed, filled, known, names } from './words.ts'
import { fewRuns } from './xargs.ts'

const executing = new Set(['-exec', '-execdir', '-ok', '-okdir'])

/** Tests whose value may look like an action. */
const valued =
  /^-(?:i?(?:name|path|wholename|regex|lname)|x?type|perm|user|group|[ug]id|size|[amc](?:time|min)|newer\w*|[ac]newer|samefile|inum|links|(?:max|min)depth|fstype|context|used|printf|fls|fprint0?|regextype|files0-from)$/

const find: Unwrap = ({ args, cwd }, starts) => {
  const first = args.findIndex(({ value }) => /^[-(!),]/.test(value) && !/^-(?:[HLPEXdsx]+|O\d?|D|f)$/.test(value))
  const inFront = first === -1 ? args : args.slice(0, first)
  const tops = inFront.filter(({ value }, at) => !value.startsWith('-') && inFront[at - 1]?.value !== '-D')
  const itself = args.some(({ value }, at) => value === '-maxdepth' && args[at + 1]?.value === '0')
  for (let at = Math.max(first, 0); at < args.length; at++) {
    const test = args[at]?.value ?? ''
    if (valued.test(test)) at++
    if (!executing.has(test)) continue
    const end = args.findIndex(
      ({ value }, place) => place > at && (value === ';' || (value === '+' && args[place - 1]?.value === '{}')),
    )
    const words = args.slice(at + 1, end === -1 ? undefined : end)
    const beside = test.endsWith('dir')
    for (const top of fewRuns(tops.length === 0 ? [known('.')] : tops, starts)) {
      const start = beside && cwd !== undefined ? changed(top, posix.resolve(cwd, top.value)) : top
      starts.words(
        words.map((word) => found(word, start, itself)),
        beside ? { cwd: undefined } : {},
      )
    }
    if (end !== -1) at = end
  }
}

/** A word with what is found below a folder in the place of `{}`. */
function found(word: ShellWord, start: ShellWord, itself: boolean): ShellWord {
  if (!word.value.includes('{}')) return word
  const name = itself ? start.value : `${start.value.replace(/\/+$/, '')}/${unknownPart}`
  const value = filled(word.value, '{}', name)
  return value.includes(unknownPart) ? { value, unresolved: true } : { value }
}

const fdOptions = {
  valued: names(`d max-depth min-depth exact-depth E exclude t type e extension S size o owner c color j threads
    changed-within changed-before max-results ignore-file batch-size path-separator base-directory search-path format
    max-buffer-time gen-completions and`),
}

const fd: Unwrap = ({ args, cwd }, starts) => {
  const at = args.findIndex(({ value }) => /^-[HIsiaLplFg0uq1]*[xX]|^--exec(?:-batch)?(?:=|$)/.test(value))
  if (at === -1) return
  const joinedTo = /^-[HIsiaLplFg0uq1]*[xX](.+)|^--exec(?:-batch)?=(.*)/s.exec(args[at]?.value ?? '')
  const end = args.findIndex(({ value }, place) => place > at && value === ';')
  const behind = args.slice(at + 1, end === -1 ? undefined : end)
  const first = joinedTo?.[1] ?? joinedTo?.[2]
  const words = first === undefined ? behind : [known(first), ...behind]
  const read = readOptions(args.slice(0, at), fdOptions)
  const top = read.operands[1] ?? read.value('search-path', 'base-directory') ?? known(cwd ?? '.')
  const isPlaced = words.some(({ value }) => /\{(?:|\/|\/\/|\.|\/\.)\}/.test(value))
  const all = isPlaced ? words : [...words, known('{}')]
  starts.words(all.map((word) => found(changed(word, word.value.replaceAll(/\{(?:\/|\.|\/\.)\}/g, '{}')), top, false)))
}

/** ripgrep starts a program for each file that it searches. */
const rg: Unwrap = ({ args }, starts) => {
  const pre = readOptions(args, { valued: ['pre', 'hostname-bin'] })
  for (const program of [...(pre.given.get('pre') ?? []), ...(pre.given.get('hostname-bin') ?? [])]) {
    if (program.value !== '') starts.words([program, { value: unknownPart, unresolved: true }])
  }
}

export const finders: Readonly<Record<string, Unwrap>> = { find, gfind: find, bfs: find, fd, fdfind: fd, rg }
