import { expect, it } from 'vitest'
import type { CompiledModule, CompiledPolicy } from '../../../../src/model/policy.ts'
import { makeDomain } from '../../../../src/policy/sandbox/host/domain.ts'
import { handLibrary, handPolicy, isolateOf } from '../../../support/isolates.ts'

const file = '/policies/words.ts'
const words = (word: string, at = file): CompiledModule => ({
  file: at,
  code: `export const word = '${word}'`,
  imports: {},
})

/** A policy that says the word of its first module. */
function saying(id: string, first: CompiledModule): CompiledPolicy {
  const { file: own, modules, digest } = handPolicy(id, 'return context(word)', "import { word } from './words.ts'")
  const last = modules.map(({ file: at, code }) => ({ file: at, code, imports: { './words.ts': 0 } }))
  return { file: own, modules: [first, ...last], digest }
}

it('a module that several policies are made of crosses to a thread once', () => {
  const shared = words('shared')
  const { text } = makeDomain(1, handLibrary, [saying('a', shared), saying('b', { ...shared })])
  expect(text.split('export const word')).toHaveLength(2)
})

it('modules of one file and another text, or the other way around, are two', () => {
  const all = [words('one'), words('two'), words('two', '/policies/other.ts')]
  const { text } = makeDomain(
    1,
    handLibrary,
    all.map((one, index) => saying(`p${index}`, one)),
  )
  expect(text.split('export const word')).toHaveLength(4)
})

it('each policy is given the modules that it is made of, in its own order', () => {
  const policies = ['one', 'two', 'one'].map((word, index) => saying(`p${index}`, words(word)))
  const said = isolateOf(...policies).ask([0, 1, 2])
  expect(said).toEqual(['one', 'two', 'one'].map((context) => [{ context }]))
})

it('a broken module is told of by each policy that is made of it, and by nobody else', () => {
  const broken = { ...words('x'), code: 'export const word = )' }
  const policies = [saying('a', broken), saying('b', words('fine', '/policies/fine.ts')), saying('c', { ...broken })]
  const { ask } = isolateOf(...policies)
  expect(ask([0, 1, 2])).toEqual([
    { failure: { code: 'policyThrew', message: expect.stringContaining('/policies/words.ts: ') } },
    [{ context: 'fine' }],
    { failure: { code: 'policyThrew', message: expect.stringContaining('/policies/words.ts: ') } },
  ])
})
