import type { Family } from '../program.ts'
import { unknownPart } from '../../../model/shell.ts'
import { sedOnlyPrints } from './stream-editors.ts'
import { type Judge, type LookLine, mayBeOption, readLook } from '../looks/look.ts'

const sedOptions = 'e expression l line-length f file i? in-place?'
const sedLooks =
  /^(?:[nErszu]|quiet|silent|regexp-extended|separate|unbuffered|null-data|zero-terminated|posix|debug|sandbox|e|expression|l|line-length|version|help)$/

/** Judges sed, whose scripts must only print. A script in a file is not read. */
const sed: Judge = ({ args }) => {
  const line = readLook(args, sedOptions)
  return (
    !args.some(mayBeOption) &&
    line.names.every((name) => sedLooks.test(name)) &&
    areScriptsHarmless(line, 'e', 'expression', sedOnlyPrints)
  )
}

const awkLooks =
  /^(?:F|v|field-separator|assign|e|source|version|help|V|posix|P|c|traditional|b|n|S|sandbox|r|re-interval|O|M|csv|k)$/

/** Judges awk, whose program must stand on the command line and only print. */
const awk: Judge = ({ args }, { awkOnlyPrints }) => {
  const line = readLook(args, 'F v f e source field-separator assign file')
  return (
    !args.some((word) => word.several === true) &&
    line.names.every((name) => awkLooks.test(name)) &&
    areScriptsHarmless(line, 'e', 'source', awkOnlyPrints)
  )
}

/** True if all scripts of a line are known and only look. Without options that hold scripts, the first operand is one. */
function areScriptsHarmless(
  { values, operands }: LookLine,
  short: string,
  long: string,
  looks: (script: string) => boolean,
): boolean {
  const given = values(short, long)
  const scripts = given.length > 0 ? given : operands.slice(0, 1)
  return scripts.length > 0 && scripts.every(({ value }) => !value.includes(unknownPart) && looks(value))
}

/** Judges `date`: it prints a format; with any other operand it sets the clock. */
const date: Judge = ({ args }) => {
  const { names, operands, unknown } = readLook(args, 'd f r I? date file reference v z')
  return (
    !unknown &&
    !names.some((name) => name === 's' || (name.length > 1 && 'set'.startsWith(name))) &&
    (names.includes('j') || operands.every(({ value }) => value.startsWith('+')))
  )
}

/** Judges a pager. Its `+` operands are commands, and some options write a log; else it prints like `cat`. */
const pager: Judge = ({ args }) => {
  const { names, unknown } = readLook(args, 'p x y z P b h j')
  return (
    !unknown &&
    !args.some(({ value }) => value.startsWith('+')) &&
    !names.some((name) => /^(?:[oOkT]|log-file|LOG-FILE|lesskey.*|tag.*)$/i.test(name))
  )
}

/** Editors of streams, and pagers. */
export const texts: Family = {
  programs: {
    'sed gsed': { looks: sed },
    'awk gawk mawk nawk': { looks: awk },
    'date gdate': { looks: date },
    'less more zless': { looks: pager },
  },
}
