import type { Family } from '../program.ts'
import { type Judge, readLook } from '../looks/look.ts'

/** Judges `date`: it prints a format; with any other operand it sets the clock. */
export const date: Judge = ({ args }) => {
  const { names, operands, unknown } = readLook(args, 'd f r I? date file reference v z')
  return (
    !unknown &&
    !names.some((name) => name === 's' || (name.length > 1 && 'set'.startsWith(name))) &&
    (names.includes('j') || operands.every(({ value }) => value.startsWith('+')))
  )
}

/** Judges a pager. Its `+` operands are commands, and some options write a log; else it prints like `cat`. */
export const pager: Judge = ({ args }) => {
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
    gdate: { looks: date },
  },
}
