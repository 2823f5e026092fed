import { onTestFinished, vi } from 'vitest'
import type { CompiledModule, CompiledPolicy, Described, PolicyAnswer, PolicyInput } from '../../src/model/policy.ts'
import { encodeInput } from '../../src/policy/sandbox/encoded-input.ts'
import { moduleCode, parseModule } from '../../src/policy/compile/syntax/parse-module.ts'
import { PolicyIsolate } from '../../src/policy/sandbox/thread/isolate.ts'
import { cpuMsHere, policyLoad } from '../../src/policy/sandbox/wire/frames.ts'

/** A minimal `hookgate/policy`. */
export const handLibrary: readonly CompiledModule[] = [
  {
    file: '/hookgate/policy.js',
    code: `
export const definePolicy = (policy) => Object.freeze({ ...policy })
export const allow = (reason) => Object.freeze(reason === undefined ? { effect: 'allow' } : { effect: 'allow', reason })
export const ask = (reason) => Object.freeze({ effect: 'ask', reason })
export const deny = (reason) => Object.freeze({ effect: 'deny', reason })
export const context = (context) => Object.freeze({ context })
export const rewrite = (rewrite) => Object.freeze({ rewrite })`,
    imports: {},
  },
]

/** Compiles a module without checking its top level. */
export function handModule(file: string, text: string, imports: CompiledModule['imports'] = {}): CompiledModule {
  const parsed = parseModule(text, '/policies/hand.js')
  // Code that does not parse is left to V8.
  return { file, code: 'severity' in parsed ? text : moduleCode(parsed), imports }
}

/** Builds a policy whose `decide({ event, tool, facts, params })` has this body, with code at its top level. */
export function handPolicy(id: string, decide: string, top = '', more = ''): CompiledPolicy {
  const file = `/policies/${id}.policy.ts`
  const text = `import * as library from 'hookgate/policy'; const $library = { ...library }, { definePolicy, allow, ask, deny, context, rewrite } = library; ${top}
export default definePolicy({ id: '${id}', description: 'a test', on: 'PreToolUse', ${more}
decide(asked) { const { event, tool, facts, params } = asked; ${decide} } })`
  return { file, modules: [handModule(file, text)], digest: id }
}

export const shellInput: PolicyInput = {
  event: { name: 'PreToolUse', agent: 'cline', session: { id: 's', cwd: '/w' }, workspaceRoots: ['/w'], atMs: 0 },
  tool: { kind: 'shell', name: 'execute_command', input: { command: 'ls' }, paths: [] },
  same: { command: 'command' },
}

export type PolicyAnswers =
  | 0
  | readonly PolicyAnswer[]
  | { readonly failure: { readonly code: string; readonly message: string } }

export interface EvaluationInput {
  readonly input?: PolicyInput
  readonly atMs?: number
  readonly facts?: readonly number[]
  readonly params?: object
  readonly values?: readonly unknown[]
  readonly onMember?: () => void
}

/** Evaluates policies of an isolate, by their indexes. */
export function evaluateIn(
  isolate: PolicyIsolate,
  indexes: readonly number[],
  options: EvaluationInput,
): readonly PolicyAnswers[] {
  const { input = shellInput, atMs = 0, facts = [], params = {}, values = [], onMember } = options
  const calls = JSON.stringify(indexes.map((index) => [index, facts, JSON.stringify(params)]))
  const given = `${atMs}\t${JSON.stringify(values)}`
  const question = { given, asked: calls, input: encodeInput(input), untilMs: Infinity }
  const [text = ''] = isolate.evaluate([question], onMember)
  return JSON.parse(answersIn(text)) as readonly PolicyAnswers[]
}

/** Cuts off the times of policies, which stand behind the answers. */
export const answersIn = (text: string): string => text.slice(0, text.lastIndexOf('\t'))

/** Opens an isolate with these policies, until the test ends. */
export function isolateOf(...policies: readonly CompiledPolicy[]) {
  const isolate = new PolicyIsolate(policyLoad(handLibrary, policies))
  onTestFinished(() => isolate.dispose())
  const ask = (indexes: readonly number[], options: EvaluationInput = {}): readonly PolicyAnswers[] =>
    evaluateIn(isolate, indexes, options)
  return { ask, describe: (): readonly Described[] => isolate.describe([...policies.keys()]), isolate }
}

/**
 * Has the clock go on as fast as this thread gets processor time, until the test ends: on a busy machine, the time that an
 * agent waits is over long before a policy has used what it is allowed.
 */
export function countProcessorTime(): void {
  const startedMs = performance.now() - cpuMsHere()
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => startedMs + cpuMsHere())
  onTestFinished(() => clock.mockRestore())
}

/** Evaluates one policy once, in a new isolate. */
export function answerOf(policy: CompiledPolicy, options: EvaluationInput = {}): PolicyAnswers | undefined {
  return isolateOf(policy).ask([0], options)[0]
}

/** Evaluates an expression inside of a policy, as text. */
export function inPolicy(expression: string, top = '', options: EvaluationInput = {}): string {
  const answer = answerOf(handPolicy('probe', `return context(String(${expression}))`, top), options)
  const [first] = typeof answer === 'object' && 'length' in answer ? answer : []
  return first !== undefined && 'context' in first ? first.context : JSON.stringify(answer)
}
