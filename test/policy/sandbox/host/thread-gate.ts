/** A gate with the placement `thread`, one of whose policies cannot be interrupted: it has to be killed from outside. */
import { startPolicyRunner } from '../../../../src/policy/sandbox/host/runner.ts'
import { PolicyCalls } from '../../../../src/model/policy-calls.ts'

const file = '/policies/written.policy.js'
const policyOf = (decide: string) => ({
  file,
  digest: '',
  modules: [
    {
      file,
      code: `export default { id: "p", description: "d", on: "Stop", ${decide} }`,
      imports: {},
    },
  ],
})
const library = [{ file: '/library.js', code: 'export {}', imports: {} }]
const runner = startPolicyRunner({ placement: 'thread', library, threads: 2 })
const { id } = await runner.load([
  policyOf('decide() { return { context: "answered" } }'),
  policyOf('decide() { Array.prototype.every.call({ length: 2 ** 53 - 1 }, () => true) }'),
])
const event = { name: 'Stop', agent: 'cline', session: { id: 's' }, workspaceRoots: [], atMs: 0 }
const input = JSON.stringify({ event })
const ask = (...policies: number[]) =>
  runner.evaluate({
    calls: new PolicyCalls(policies.map((policy) => ({ domain: id, policy, facts: [], params: '{}' }))),
    input: [input],
    atMs: 0,
    values: [],
    isTrusted: true,
  })
const outcomes = [await ask(0, 1, 0), await ask(0)]
await runner.close()
process.send?.(
  outcomes.map((results) => results.map((result) => ('failure' in result ? result.failure.code : 'answered'))),
)
