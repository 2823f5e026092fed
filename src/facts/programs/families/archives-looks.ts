import { type LookRule, type Judge, mayBeOption, readLook } from '../looks/look.ts'
import type { Family } from '../program.ts'

export const sevenZip: Judge = ({ args }) => {
  const [verb] = args
  return (
    verb?.unresolved !== true &&
    /^[lthbi]$/.test(verb?.value ?? '') &&
    !args.slice(1).some((word) => word.several === true || /^-(?:o|w|sdel|v\d)/i.test(word.value))
  )
}

/** Judges `gzip` and its like: they replace files unless they list, test or write to stdout. */
export const gzip: Judge = ({ args }) => {
  const { names, unknown } = readLook(args, 'S suffix b T M threads D')
  const shows = names.some((name) => /^(?:c|l|t|stdout|to-stdout|list|test)$/.test(name))
  return !unknown && shows && !names.some((name) => /^(?:o|rm|output-dir.*|files.*|train.*)$/.test(name))
}

export const unzip: Judge = ({ args }) => {
  const { names, unknown } = readLook(args, 'd x P')
  return !unknown && names.some((name) => /^[lvtzZ]$/.test(name)) && !names.some((name) => /^[dopfunX]$/.test(name))
}

export const cpio: Judge = ({ args }) => {
  const { names, unknown } = readLook(args, 'F H I')
  return (
    !unknown &&
    (names.includes('t') || names.includes('list')) &&
    !names.some((name) => /^[opO]$|rsh-command/.test(name))
  )
}

export const unrarLooks: LookRule = ({ args }) =>
  /^(?:l|lt|lta|lb|v|vt|vta|vb|t)$/.test(args[0]?.value ?? '') &&
  !args.some(({ value }) => /^-(?:o|w|ilog)/.test(value))

/** Programs for archives, which look into one with some options. */
export const archives: Family = {
  programs: {
    jar: { looks: ({ args }) => /^-?t[vf]*$/.test(args[0]?.value ?? '') },

    // `-J` passes an option to the machine that runs it, which may load code.
    javap: {
      looks: ({ args }) =>
        readLook(args, '').operands.length > 0 &&
        !args.some((word) => mayBeOption(word) || word.value.startsWith('-J')),
    },
  },
}
