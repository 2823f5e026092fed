import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { compiledLibrary } from '../../../../src/policy/compile/compile-library.ts'
import { compilePolicy } from '../../../../src/policy/compile/compile-policy.ts'
import type { DomainQuestion } from '../../../../src/policy/sandbox/thread/event-queue.ts'
import { PolicyIsolate } from '../../../../src/policy/sandbox/thread/isolate.ts'
import { policyLoad } from '../../../../src/policy/sandbox/wire/frames.ts'
import { realmText, policyParamsRememberedMax } from '../../../../src/policy/sandbox/realm/realm.ts'
import { answersIn, handPolicy, isolateOf, shellInput } from '../../../support/isolates.ts'
import { folderWith } from '../../../support/workspace.ts'

const policyText = `import { definePolicy, deny, type PolicyTool } from 'hookgate/policy'
import { isForced } from './forced.ts'

export default definePolicy({
  id: 'no-force-push',
  description: 'Keeps pushes from being forced',
  on: 'PreToolUse',
  params: { word: { type: 'string', default: '--force' } },
  decide({ tool, params }) {
    const command: string = tool.command!
    if (command === 'fail') throw new TypeError('on demand')
    if (isForced(command, params.word)) return deny('a forced push loses work')
  },
})
`

it('evaluates compiled TypeScript, with errors at their place in the source', () => {
  const forced = 'export const isForced = (command: string, word: string): boolean => command.includes(word)\n'
  const folder = folderWith({ 'a.policy.ts': policyText, 'forced.ts': forced })
  const file = join(folder, 'a.policy.ts')
  const compiled = compilePolicy(file, (path) => readFileSync(path, 'utf8'), { folder })
  if (!('digest' in compiled)) throw new Error(JSON.stringify(compiled))
  const isolate = new PolicyIsolate(policyLoad(compiledLibrary().modules, [compiled]))
  const answerTo = (command: string): unknown => {
    const input = { ...shellInput, tool: { ...shellInput.tool, input: { command } } }
    const call = JSON.stringify([[0, [], '{"word":"--force"}']])
    const question: DomainQuestion = { given: '0\t[]', asked: call, input: [JSON.stringify(input)], untilMs: Infinity }
    const [text = ''] = isolate.evaluate([question])
    return JSON.parse(answersIn(text))
  }
  expect(JSON.stringify(isolate.describe([0]))).toContain('no-force-push')
  expect(answerTo('git push')).toEqual([0])
  expect(answerTo('git push --force')).toEqual([[{ effect: 'deny', reason: 'a forced push loses work' }]])
  expect(answerTo('fail')).toEqual([
    { failure: { code: 'policyThrew', message: `${file}:11:35: TypeError: on demand` } },
  ])
  isolate.dispose()
})

it('is one self-contained text', () => {
  expect(realmText).not.toMatch(/\b(import|require|__vite|process)\b/)
})

it('caches params by their text, up to its limit', () => {
  const { ask } = isolateOf(handPolicy('params', 'return context(String(params.n))'))
  for (let n = 0; n < policyParamsRememberedMax + 10; n += 1) ask([0], { params: { n } })
  expect(ask([0, 0], { params: { n: 0 } })).toEqual([[{ context: '0' }], [{ context: '0' }]])
})

it('accepts params, facts and inputs named like inherited properties', () => {
  const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty']
  const text = `{${names.map((name) => `"${name}":{"a":1}`).join(',')}}`
  const own: unknown = JSON.parse(text)
  const facts = `facts: JSON.parse('${text}'),`
  const policy = handPolicy('names', 'return context(JSON.stringify([params, facts, tool.input]))', '', facts)
  const input = JSON.parse(JSON.stringify(shellInput).replace('{"command":"ls"}', text)) as typeof shellInput
  const answer = isolateOf(policy).ask([0], { input, params: own as object, facts: [0, 0, 0, 0], values: [{ a: 1 }] })
  expect(answer).toEqual([[{ context: `[${text},${text},${text}]` }]])
})
