import { whyNotHarmless } from '../../policies/read-only-allow/judge.ts'
import { factsOf } from './shell-facts.ts'

/** Whether the pack `read-only-allow` allows a command in a project. */
export const isAllowed = (
  text: string,
  params: { readonly also?: readonly string[]; readonly not?: readonly string[] } = {},
): boolean => whyNotHarmless(text, factsOf(text), ['/home/u/proj'], { also: [], not: [], ...params }) === undefined
