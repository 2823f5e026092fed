import { whyNotHarmless } from '../../policies/read-only-allow/judge.ts'
import { factsOf } from './shell-facts.ts'

/** Whether the pack `read-only-allow` lets a command through, as a project's user gives it. */
export const isLetThrough = (
  text: string,
  said: { readonly also?: readonly string[]; readonly not?: readonly string[] } = {},
): boolean => whyNotHarmless(text, factsOf(text), ['/home/u/proj'], { also: [], not: [], ...said }) === undefined
