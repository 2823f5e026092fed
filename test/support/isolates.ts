import { onTestFinished } from 'vitest'
import type { CompiledModule, CompiledPolicy, Described, PolicyAnswer, PolicyInput } from '../../src/model/policy.ts'
import { moduleCode } from '../../src/policy/compile/syntax/module-code.ts'
import { parseModule } from '../../src/policy/compile/syntax/parse-module.ts'
import { PolicyIsolate } from '../../src/policy/sandbox/thread/isolate.ts'
import { policyLoad } from '../../src/policy/sandbox/wire/policy-load.ts'

/** A library like `hookgate/policy`, written by hand. */
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

/** A module of a policy as the compiler makes it, whatever stands at its top level. */
export function handModule(file: string, text: string, imports: CompiledModule['imports'] = {}): CompiledModule {
  const parsed = parseModule(text, '/policies/hand.js')
  // What cannot be parsed is left to the engine.
  return { file, code: 'severity' in parsed ? text : moduleCode(parsed), imports }
}

/** A policy whose `decide({ event, tool, facts, params })` has this body, after some code at its top level. */
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

export type Answered =
  | 0
  | readonly PolicyAnswer[]
  | { readonly failure: { readonly code: string; readonly message: string } }

export interface Asked {
  readonly input?: PolicyInput
  readonly atMs?: number
  readonly facts?: readonly number[]
  readonly params?: object
  readonly values?: readonly unknown[]
  readonly onMember?: () => void
}

/** Asks policies of an isolate, by their places. */
export function asking(isolate: PolicyIsolate, indexes: readonly number[], asked: Asked): readonly Answered[] {
  const { input = shellInput, atMs = 0, facts = [], params = {}, values = [], onMember } = asked
  const calls = JSON.stringify(indexes.map((index) => [index, facts, JSON.stringify(params)]))
  const given = `${atMs}\t${JSON.stringify(values)}`
  const question = { given, asked: calls, input: JSON.stringify(input), untilMs: Infinity }
  const [text = ''] = isolate.evaluate([question], onMember)
  return JSON.parse(text) as readonly Answered[]
}

/** An isolate that is gone when the test is. */
export function isolateOf(...policies: readonly CompiledPolicy[]) {
  const isolate = new PolicyIsolate(policyLoad(handLibrary, policies))
  onTestFinished(() => isolate.dispose())
  const ask = (indexes: readonly number[], asked: Asked = {}): readonly Answered[] => asking(isolate, indexes, asked)
  return { ask, describe: (): readonly Described[] => isolate.describe([...policies.keys()]), isolate }
}

/** What one policy answers, evaluated once. */
export function answerOf(policy: CompiledPolicy, asked: Asked = {}): Answered | undefined {
  return isolateOf(policy).ask([0], asked)[0]
}

/** The text that an expression comes to inside of a policy. */
export function inPolicy(expression: string, top = '', asked: Asked = {}): string {
  const answer = answerOf(handPolicy('probe', `return context(String(${expression}))`, top), asked)
  const [first] = typeof answer === 'object' && 'length' in answer ? answer : []
  return first !== undefined && 'context' in first ? first.context : JSON.stringify(answer)
}
