import { createGate, type Gate, type Verdict } from '../../src/index.ts'
import type { Answered, Candidate } from './candidate.ts'

function answeredBy({ decision, evaluations }: Verdict): Answered {
  // INVARIANT: a fast failure is never measured as a decision.
  const failure = evaluations.find(({ kind }) => kind === 'indeterminate')
  if (failure !== undefined) throw new Error(JSON.stringify(failure))
  if (decision === 'deny' || decision === 'abstain') return decision
  throw new Error(`an answer that no rule gives: ${decision}`)
}

/** Creates a gate with the policies of one folder, in both placements. Each decision is one call of the library. */
export function hookgates(policies: string): readonly Candidate[] {
  const [process, thread] = (['process', 'thread'] as const).map((placement) =>
    createGate({ rules: [policies], discover: false, placement }),
  )
  if (process === undefined || thread === undefined) return []
  return [
    deciding('hookgate, process', process),
    deciding('hookgate, thread', thread),
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
