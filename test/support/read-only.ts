import { whyNot } from '../../policies/read-only-allow/why-not.ts'
import { withHarmless } from '../../src/facts/harmless/doubts.ts'
import { impactsIn } from '../../src/facts/impacts/read-impacts.ts'
import { factsOf } from './shell-facts.ts'

/** Whether the pack `read-only-allow` allows a command in a project. */
export function isAllowed(
  text: string,
  params: { readonly also?: readonly string[]; readonly not?: readonly string[] } = {},
): boolean {
  const shell = factsOf(text)
  const told = withHarmless(text, shell, impactsIn(shell), ['/home/u/proj'])
  return whyNot(told, { also: [], not: [], ...params }) === undefined
}
