import type { TextForm } from '../../programs/program.ts'
import { programNamed, textFormOf } from '../../programs/table.ts'
import { readOptions } from '../../../words/options.ts'
import { type ShellWord, unknownPart } from '../../../model/shell.ts'

/** The known text before and after what a program puts into each line that it prints. */
interface LineShape {
  readonly before: string
  readonly after: string
  /** The lines are those that it reads, with nothing left out. */
  readonly isWhole?: true
  /** The text before is in some lines only. */
  readonly isRare?: true
}

/** Longer scripts do more than to put something before a line, and would take long to read. */
const scriptCharactersMax = 2048

/**
 * Finds what each line that a program prints begins and ends with, whatever it reads: the `+` of `sed 's/^/+/'`,
 * `awk '{print "+" $1}'` and `git branch --format='+%(refname)'`. Returns `undefined` if that is not known.
 */
export function lineShape(program: string, args: readonly ShellWord[]): LineShape | undefined {
  if (args.some(({ value }) => value.length > scriptCharactersMax)) return undefined
  const form = textFormOf(program)
  return form && shapes[form]?.(args)
}

/** How programs put a known text into each line. */
const shapes: Readonly<Partial<Record<TextForm, (args: readonly ShellWord[]) => LineShape | undefined>>> = {
  sed: (args) => bySed(scriptIn(args, 'e')),
  awk: (args) => byPrint(scriptIn(args, 'e')),
  perl: (args) => bySed(scriptIn(args, 'pe')) ?? byPrint(scriptIn(args, 'ne')),
  jq: (args) => byAddition(args.find(({ value }) => !value.startsWith('-'))?.value),
  git: (args) => byFormat(args, /^--(?:format|pretty)=(?:t?format:)?(.*)$/s),
  find: (args) => byFormat(args, /^-printf$/),
}

/** Tells whether a program passes on some of the lines that it reads, as they are: `sort`, `grep`. */
export function passesLines(program: string): boolean {
  const { output, search, first, operands } = programNamed(program)?.row ?? {}
  return output === 'lines' || (search !== undefined && first === 'none' && operands === 'read')
}

/** Returns the script of a stream editor, if it is its only one and no file is edited. */
function scriptIn(args: readonly ShellWord[], option: string): string | undefined {
  const { operands, has, values } = readOptions(args, { valued: ['e', 'F', 'v', 'f', 'i'] })
  if (has('f', 'i', 'n') && option === 'e') return undefined
  if (option.length > 1) {
    const at = args.findIndex(({ value }) => /^-[lw]*[pn][lw]*e$/.test(value) && value.includes(option.charAt(0)))
    return at === -1 ? undefined : args[at + 1]?.value
  }
  const given = values('e')
  if (given.length > 1) return undefined
  return (given[0] ?? operands[0])?.value
}

/** Matches `s/…/…/`, with any delimiter. */
const substitution = /^\s*s([^\w\s\\])((?:\\.|(?!\1)[^\\])*)\1((?:\\.|(?!\1)[^\\])*)\1[gpiI0-9]*\s*;?\s*/s

/** Joins what each of a script's substitutions puts at the ends of a line. Other commands than substitutions say nothing. */
function bySed(script: string | undefined): LineShape | undefined {
  let rest = script ?? ''
  let shape: LineShape | undefined
  while (rest !== '') {
    const [all, , pattern = '', replacement = ''] = substitution.exec(rest) ?? []
    if (all === undefined) return undefined
    const one = bySubstitution(pattern, replacement)
    if (one === undefined) return undefined
    shape =
      shape === undefined
        ? one
        : {
            before: one.before + shape.before,
            after: shape.after + one.after,
            ...(shape.isWhole === true && one.isWhole === true && { isWhole: true }),
            ...((shape.isRare === true || one.isRare === true) && { isRare: true }),
          }
    rest = rest.slice(all.length)
  }
  return shape
}

/** Characters that make something else of a word that begins with them. */
const meaningful = /^[+:-]/

function bySubstitution(pattern: string, replacement: string): LineShape | undefined {
  const known = /^(?:\\[^\d\n]|[^\\&])*/.exec(replacement)?.[0] ?? ''
  const before = known.replace(/\\(.)/gs, '$1')
  const isKnown = known === replacement
  if (pattern === '^' && isKnown) return { before, after: '', isWhole: true }
  if (pattern === '$' && isKnown) return { before: '', after: before, isWhole: true }
  if (/^\^?(?:\\?\()?\.[*+]/.test(pattern) || pattern.startsWith('^'))
    return isKnown ? undefined : { before, after: '' }
  return meaningful.test(before) ? { before, after: '', isRare: true } : undefined
}

/** Reads `{print "+" $1}`, `{printf "+%s\n", $0}` and Perl's `print "+$_"`. */
function byPrint(script: string | undefined): LineShape | undefined {
  const [, name, text = '', next = ''] =
    /\bprint(f?)\s*(?:\(\s*)?"((?:[^"\\$@%]|\\[^ntr])*)(["\\%$@])/.exec(script ?? '') ?? []
  if (name === undefined || text === '' || (script ?? '').split(/\bprint/).length !== 2) return undefined
  if (next === '"' && !/"\s*(?:,\s*)?[$\w(]/.test(script ?? '')) return undefined
  return { before: text.replace(/\\(.)/gs, '$1'), after: '' }
}

/** Reads jq's `"+" + .name` and `"+\(.name)"`, as the last filter of all. */
function byAddition(script: string | undefined): LineShape | undefined {
  const before = /(?:^|[|,(])\s*"([^"\\]+)(?:"\s*\+|\\\()[^|]*$/.exec(script ?? '')?.[1]
  return before === undefined ? undefined : { before, after: '' }
}

/** Returns the text before the first directive of a format, which is a part of the option or the word after it. */
function byFormat(args: readonly ShellWord[], option: RegExp): LineShape | undefined {
  const at = args.findIndex(({ value }) => option.test(value))
  const word = args[at]
  if (word === undefined) return undefined
  const format = option.exec(word.value)?.[1] ?? args[at + 1]?.value ?? ''
  const before = /^[^%\\]*/.exec(format)?.[0] ?? ''
  return before === '' || before.includes(unknownPart) ? undefined : { before, after: '' }
}
