import { onTestFinished } from 'vitest'
import type { CompiledPolicy, PolicyInput } from '../../src/model/policy.ts'
import { compiledLibrary } from '../../src/policy/compile/compile-library.ts'
import { compilePolicy } from '../../src/policy/compile/compile-policy.ts'
import { problemText } from '../../src/model/problem.ts'
import { PolicyIsolate } from '../../src/policy/sandbox/thread/isolate.ts'
import { policyLoad } from '../../src/policy/sandbox/wire/policy-load.ts'
import { type Asked, type Answered, asking, shellInput } from './isolates.ts'

/** The files of a policy by their names; the policy's own is the first. */
type Texts = Readonly<Record<string, string>>

function compiled(texts: Texts): CompiledPolicy {
  const [file = ''] = Object.keys(texts)
  const read = (path: string) => texts[path.replace('/policies/', '')]
  const result = compilePolicy(`/policies/${file}`, read, { folder: '/policies' })
  if ('digest' in result) return result
  throw new Error(result.map(problemText).join('\n'))
}

/** `line:column: message; remedy` of what keeps a policy from loading. */
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

/** An isolate with policies that were compiled as real ones are, that is gone when the test is. */
export function isolateFromTexts(...policies: readonly Texts[]) {
  const isolate = new PolicyIsolate(policyLoad(compiledLibrary().modules, policies.map(compiled)))
  onTestFinished(() => isolate.dispose())
  const ask = (indexes: readonly number[], asked: Asked = {}): readonly Answered[] => asking(isolate, indexes, asked)
  return { ask, quiet: { input: quietInput } }
}
