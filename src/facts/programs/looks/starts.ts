import { type ProgramCall, type Judge, readLook, matchesTable } from './look.ts'
import { readPrepared } from '../../../words/options.ts'
import { optionsOf } from '../row.ts'

/**
 * Judges programs that do nothing but start another. The started command is in the facts and is judged by itself, so
 * only its presence is checked here.
 */
export const startsAll = ({ starts = 0 }: ProgramCall): boolean => starts > 0

/** Reads the options in front of the first operand: further words belong to the started command. */
export const ownOptions = ({ args }: ProgramCall, options: string) =>
  readPrepared(args, optionsOf({ options, wholeNames: true, operandsLast: true }))

/** Options with a value that may stand in front of the words of a container's or a cluster's command. */
const inFront = 'n namespace context cluster f file p project-name profile env-file project-directory H host c C dir'

/** Judges a program that starts another in a container or an environment, behind words that must be known. */
export const enters =
  (lines: string): Judge =>
  (look) => {
    const { args, starts = 0 } = look
    const [first, second] = readLook(args, inFront).operands
    const last = lines.includes('compose') && first?.value === 'compose' ? second : first
    const place = last === undefined ? -1 : args.indexOf(last)
    // Behind a single word such as `exec`, the next word has to be known too: it may be an option.
    const isClear = args
      .slice(0, place + (last === first ? 2 : 1))
      .every((word) => word.unresolved !== true && word.several !== true)
    return starts > 0 && isClear && matchesTable(look, { options: inFront, lines })
  }
