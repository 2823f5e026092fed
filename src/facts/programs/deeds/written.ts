import type { DeedCondition } from './deeds.ts'

/**
 * Makes a condition that the arguments of a command, joined by blanks, match an expression. It is for programs whose
 * options and words have no order, so that no pattern of deeds fits, such as `taskkill /f /im *`.
 */
export const written =
  (like: RegExp): DeedCondition =>
  ({ args }) =>
    like.test(args.map(({ value }) => value).join(' '))

/** True if a command has an argument. */
export const hasArguments: DeedCondition = ({ args }) => args.length > 0
