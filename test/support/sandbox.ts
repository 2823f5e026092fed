import { onTestFinished } from 'vitest'
import { openToolFacts } from '../../src/facts/tool-call.ts'
import { openPolicyLoader } from '../../src/policy/compile/policy-loader.ts'
import { openSandbox } from '../../src/policy/open-sandbox.ts'

/** Opens the real sandbox, in its own process. Without policies, that is never started. */
export function testSandbox() {
  const sandbox = openSandbox('process', openToolFacts())
  onTestFinished(() => sandbox.close())
  return sandbox
}

export const testPolicies = () => openPolicyLoader(testSandbox())
