import { onTestFinished } from 'vitest'
import type { CompiledPolicy, PolicyInput } from '../../src/model/policy.ts'
import { compiledLibrary } from '../../src/policy/compile/compile-library.ts'
import { compilePolicy } from '../../src/policy/compile/compile-policy.ts'
import { problemText } from '../../src/model/errors.ts'
import { PolicyIsolate } from '../../src/policy/sandbox/thread/isolate.ts'
import { policyLoad } from '../../src/policy/sandbox/wire/frames.ts'
import { type EvaluationInput, type PolicyAnswers, evaluateIn, shellInput } from './isolates.ts'

/** The files of a policy by their names; the policy's own is the first. */
type Texts = Readonly<Record<string, string>>

function compiled(texts: Texts): CompiledPolicy {
  const [file = ''] = Object.keys(texts)
  const read = (path: string) => texts[path.replace('/policies/', '')]
  const result = compilePolicy(`/policies/${file}`, read, { folder: '/policies' })
  if ('digest' in result) return result
  throw new Error(result.map(problemText).join('\n'))
}

/** Lists `line:column: message; remedy` of the problems with which a policy does not load. */
export function refusalsOf(texts: Texts): readonly string[] {
  const [file = ''] = Object.keys(texts)
  const read = (path: string) => texts[path.replace('/policies/', '')]
  const result = compilePolicy(`/policies/${file}`, read, { folder: '/policies' })
  return 'digest' in result ? [] : result.map((one) => problemText(one).replace('/policies/', ''))
}

const quietInput: PolicyInput = {
  ...shellInput,
  tool: { kind: 'shell', name: 'quiet', input: { command: 'ls' }, paths: [] },
}

/** Opens an isolate with really compiled policies, until the test ends. */
export function isolateFromTexts(...policies: readonly Texts[]) {
  const isolate = new PolicyIsolate(policyLoad(compiledLibrary().modules, policies.map(compiled)))
  onTestFinished(() => isolate.dispose())
  const ask = (indexes: readonly number[], input: EvaluationInput = {}): readonly PolicyAnswers[] =>
    evaluateIn(isolate, indexes, input)
  return { ask, quiet: { input: quietInput } }
}
