import { onTestFinished } from 'vitest'
import { openToolFacts } from '../../src/facts/tool-call.ts'
import { openPolicyLoader } from '../../src/policy/compile/policy-loader.ts'
import { openSandbox } from '../../src/policy/open-sandbox.ts'

/**
 * Opens the real sandbox on the calling thread, since a process for each test would take most of the time of all tests.
 * The policies of workspaces that nobody trusts are evaluated in a process here too.
 */
export function testSandbox() {
  const sandbox = openSandbox('caller', openToolFacts(), { threads: 1 })
  onTestFinished(() => sandbox.close())
  return sandbox
}

export const testPolicies = () => openPolicyLoader(testSandbox())
