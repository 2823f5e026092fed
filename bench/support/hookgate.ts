import { createGate, type Gate, type Verdict } from '../../src/library/index.ts'
import type { Answered, Candidate } from './candidate.ts'

function answeredBy({ decision, evaluations }: Verdict): Answered {
  // INVARIANT: a fast failure is never measured as a decision.
  const failure = evaluations.find(({ kind }) => kind === 'indeterminate')
  if (failure !== undefined) throw new Error(JSON.stringify(failure))
  if (decision === 'deny' || decision === 'abstain') return decision
  throw new Error(`an answer that no rule gives: ${decision}`)
}

/** Creates a gate with the policies of one folder, in each placement. Each decision is one call of the library. */
export function hookgates(policies: string): readonly Candidate[] {
  const gateAt = (placement: 'process' | 'caller') => createGate({ rules: [policies], discover: false, placement })
  const process = gateAt('process')
  return [
    deciding('hookgate, process', process),
    deciding('hookgate, caller', gateAt('caller')),
    {
      name: 'hookgate, wire to wire',
      kind: 'hookgate',
      async decide({ json }) {
        const { verdict, stdout } = await process.answer(json, { agent: 'claude-code' })
        if (verdict === undefined) throw new Error(stdout)
        return answeredBy(verdict)
      },
      close() {},
    },
  ]
}

function deciding(name: string, gate: Gate): Candidate {
  return {
    name,
    kind: 'hookgate',
    decide: async ({ event }) => answeredBy(await gate.decide(event)),
    close: () => gate.close(),
  }
}
