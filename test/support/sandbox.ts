import { onTestFinished } from 'vitest'
import { openPolicyCache } from '../../src/rules/index.ts'
import { openSandbox } from '../../src/sandbox.ts'

/** The real sandbox, in a process of its own as everywhere. It is not even started where there are no policies. */
export function testSandbox() {
  const sandbox = openSandbox('process')
  onTestFinished(() => sandbox.close())
  return sandbox
}

export const testPolicies = () => openPolicyCache(testSandbox())
