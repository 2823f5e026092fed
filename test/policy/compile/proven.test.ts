import { onTestFinished, expect, it } from 'vitest'
import { makeDisk } from '../../../src/files/disk.ts'
import { shippedPolicy } from '../../../src/files/policy-files.ts'
import { openToolFacts } from '../../../src/facts/tool-call.ts'
import { openPolicyLoader } from '../../../src/policy/compile/policy-loader.ts'
import { openSandbox } from '../../../src/policy/open-sandbox.ts'
import { policyText } from '../../support/policies.ts'
import { folderWith } from '../../support/workspace.ts'
import { join } from 'node:path'

/** Counts the examples that are run when a policy is loaded. */
async function examplesRun(file: string, folder: string, options: { readonly proving?: boolean }) {
  const sandbox = openSandbox('process', openToolFacts())
  onTestFinished(() => sandbox.close())
  let evaluations = 0
  const port = {
    ...sandbox,
    evaluate: (...request: Parameters<typeof sandbox.evaluate>) => (evaluations++, sandbox.evaluate(...request)),
  }
  const cache = openPolicyLoader(port, options)
  const compiled = await cache.compile([{ file, folder }], makeDisk())
  const domain = await cache.load('source', compiled)
  expect(domain.policies.map(({ problems }) => problems)).toEqual([[]])
  return evaluations
}

it('the examples of shipped policies are run only on request', async () => {
  const { file, folder } = shippedPolicy('no-force-push')
  expect(await examplesRun(file, folder, {})).toBe(0)
  expect(await examplesRun(file, folder, { proving: true })).toBeGreaterThan(100)
})

it('those of any other policy are run whenever it is loaded', async () => {
  const folder = folderWith({ 'no-force-push.policy.ts': policyText('no-force-push') })
  expect(await examplesRun(join(folder, 'no-force-push.policy.ts'), folder, {})).toBe(1)
})
