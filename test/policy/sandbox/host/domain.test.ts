import { expect, it } from 'vitest'
import type { CompiledModule, CompiledPolicy } from '../../../../src/model/policy.ts'
import { makeDomain } from '../../../../src/policy/sandbox/host/job.ts'
import { handLibrary, handPolicy, isolateOf } from '../../../support/isolates.ts'

const file = '/policies/words.ts'
const words = (word: string, at = file): CompiledModule => ({
  file: at,
  code: `export const word = '${word}'`,
  imports: {},
})

/** Builds a policy that returns the word of its first module as context. */
function policyWith(id: string, first: CompiledModule): CompiledPolicy {
  const { file: own, modules, digest } = handPolicy(id, 'return context(word)', "import { word } from './words.ts'")
  const last = modules.map(({ file: at, code }) => ({ file: at, code, imports: { './words.ts': 0 } }))
  return { file: own, modules: [first, ...last], digest }
}

it('a module that several policies share is sent to a thread once', () => {
  const shared = words('shared')
  const { text } = makeDomain(1, handLibrary, [policyWith('a', shared), policyWith('b', { ...shared })])
  expect(text.split('export const word')).toHaveLength(2)
})

it('modules that share only the file, or only the text, are distinct', () => {
  const all = [words('one'), words('two'), words('two', '/policies/other.ts')]
  const { text } = makeDomain(
    1,
    handLibrary,
    all.map((one, index) => policyWith(`p${index}`, one)),
  )
  expect(text.split('export const word')).toHaveLength(4)
})

it('each policy gets its own modules, in its own order', () => {
  const policies = ['one', 'two', 'one'].map((word, index) => policyWith(`p${index}`, words(word)))
  const answers = isolateOf(...policies).ask([0, 1, 2])
  expect(answers).toEqual(['one', 'two', 'one'].map((context) => [{ context }]))
})

it('a broken module is reported by each policy that uses it, and by no other', () => {
  const broken = { ...words('x'), code: 'export const word = )' }
  const policies = [
    policyWith('a', broken),
    policyWith('b', words('fine', '/policies/fine.ts')),
    policyWith('c', { ...broken }),
  ]
  const { ask } = isolateOf(...policies)
  expect(ask([0, 1, 2])).toEqual([
    { failure: { code: 'policyThrew', message: expect.stringContaining('/policies/words.ts: ') } },
    [{ context: 'fine' }],
    { failure: { code: 'policyThrew', message: expect.stringContaining('/policies/words.ts: ') } },
  ])
})
