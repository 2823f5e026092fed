import { createContext, runInContext, runInThisContext } from 'node:vm'
import type { Answered, Candidate } from '../support/candidate.ts'
import { decideSource } from './rules.ts'

type Decide = (json: string) => Answered

/** A plain function in the caller's thread: the lower bound for all. */
export function plainFunction(rules: number): Candidate {
  return calling('plain function', runInThisContext(decideSource(rules)) as Decide)
}

/** A context of `node:vm`, compiled once. Node's documentation says that it is not a sandbox. */
export function nodeVm(rules: number): Candidate {
  return calling('`node:vm` (no sandbox)', runInContext(decideSource(rules), createContext({})) as Decide)
}

function calling(name: string, decide: Decide): Candidate {
  return { name, kind: 'open', decide: ({ json }) => decide(json), close() {} }
}
