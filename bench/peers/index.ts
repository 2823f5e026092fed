import type { Candidate } from '../support/candidate.ts'
import { cedar } from './cedar.ts'
import { nodeVm, plainFunction } from './in-process.ts'
import { quickjs } from './quickjs.ts'
import { bashHook, nodeHook } from './spawned.ts'

/** Other engines for the same task: from an event's JSON to the decision of `rules` rules. */
export async function peers(rules: number, folder: string): Promise<readonly Candidate[]> {
  return [
    plainFunction(rules),
    nodeVm(rules),
    await quickjs(rules),
    cedar(rules),
    bashHook(rules, folder),
    nodeHook(rules, folder),
  ]
}

/** Engines that are not measured, and why. */
export const absent =
  'OPA is not measured: its policies are compiled to WebAssembly by `opa build`, which we found in no npm package.'
