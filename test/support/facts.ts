import { openFacts } from '../../src/facts/index.ts'
import type { FactDeclaration, FactValue } from '../../src/model/policy.ts'

/** Looks up one fact in a folder, for an untrusted rule. */
export async function factIn(root: string, declaration: FactDeclaration, env: Record<string, string> = {}) {
  const [value] = await openFacts({ env }).gather([{ declaration, root, trusted: false }])
  return value
}

/** Returns why a fact is missing. */
export async function missingIn(root: string, declaration: FactDeclaration, env: Record<string, string> = {}) {
  return whyMissing(await factIn(root, declaration, env))
}

export function whyMissing(value: FactValue | undefined): string {
  if (value === undefined || !('missing' in value)) throw new Error(`it is there: ${JSON.stringify(value)}`)
  return value.missing
}
