import { z } from 'zod'
import type { CompileBudget } from '../../model/policy-loading.ts'
import type { Refusal } from '../../model/problem.ts'

/** What compiling a policy cost its source: a cached result is charged the same again. */
export const BudgetCharge = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('policy'), file: z.string() }),
  z.strictObject({ kind: z.literal('file'), file: z.string(), bytes: z.int().nonnegative() }),
  z.strictObject({ kind: z.literal('code'), units: z.int().nonnegative() }),
])
export type BudgetCharge = Readonly<z.infer<typeof BudgetCharge>>

/** @returns a refusal if the budget is exceeded */
export function chargeTo(budget: CompileBudget, charge: BudgetCharge): Refusal | undefined {
  switch (charge.kind) {
    case 'policy':
      return budget.policy(charge.file)
    case 'file':
      return budget.policyFile(charge.file, charge.bytes)
    case 'code':
      return budget.code(charge.units)
  }
}

/** Returns a budget that also notes in a list what is charged to it. */
export function recordCharges(budget: CompileBudget, charges: BudgetCharge[]): CompileBudget {
  const count = (charge: BudgetCharge) => {
    charges.push(charge)
    return chargeTo(budget, charge)
  }
  return {
    ...budget,
    policy: (file) => count({ kind: 'policy', file }),
    policyFile: (file, bytes) => count({ kind: 'file', file, bytes }),
    code: (units) => count({ kind: 'code', units }),
  }
}
