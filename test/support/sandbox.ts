import { onTestFinished } from 'vitest'
import { openToolFacts } from '../../src/facts/tool-call.ts'
import { openPolicyLoader } from '../../src/policy/compile/policy-loader.ts'
import { openSandbox } from '../../src/policy/open-sandbox.ts'

/** The real sandbox, in a process of its own as everywhere. It is not even started where there are no policies. */
export function testSandbox() {
  const sandbox = openSandbox('process', openToolFacts())
  onTestFinished(() => sandbox.close())
  return sandbox
}

export const testPolicies = () => openPolicyLoader(testSandbox())
