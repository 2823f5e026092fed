import type { DeedCondition } from './deeds.ts'

/**
 * Holds where the arguments of a command, with a blank between them, are like this: for those in which options and words
 * have no order that a pattern could say, such as the `/f /im *` of Windows.
 */
export const written =
  (like: RegExp): DeedCondition =>
  ({ args }) =>
    like.test(args.map(({ value }) => value).join(' '))

/** Holds where a command has an argument. */
export const hasArguments: DeedCondition = ({ args }) => args.length > 0
