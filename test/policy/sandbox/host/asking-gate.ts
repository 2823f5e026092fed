/** A gate that is idle after one evaluation; with `waits`, it sends a message, and waits to be killed. */
import { startPolicyRunner } from '../../../../src/policy/sandbox/host/runner.ts'
import { PolicyCalls } from '../../../../src/model/policy-interest.ts'

const placement = process.argv[2] === 'caller' ? 'caller' : 'process'
const file = '/policies/silent.policy.js'
const code = 'export default { id: "silent", description: "d", on: "Stop", decide() {} }'
const library = [{ file: '/library.js', code: 'export {}', imports: {} }]
const runner = startPolicyRunner({ placement, library, threads: 2 })
const { id } = await runner.load([{ file, modules: [{ file, code, imports: {} }], digest: '' }], { isTrusted: true })
const event = { name: 'Stop', agent: 'cline', session: { id: 's' }, workspaceRoots: [], atMs: 0 }
const calls = new PolicyCalls([{ domain: id, policy: 0, facts: [], params: '{}' }])
await runner.evaluate({ calls, input: [JSON.stringify({ event })], atMs: 0, values: [], isTrusted: true })
if (process.argv[3] === 'waits') {
  process.send?.('evaluated')
  setInterval(() => {}, 1000)
} else process.disconnect?.()
