import { readdirSync, readFileSync } from 'node:fs'
import { onTestFinished } from 'vitest'
import type { CompiledModule, CompiledPolicy, PolicyCall, PolicyRequest } from '../../../src/model/policy.ts'
import {
  type PolicyRunner,
  type PolicyRunnerOptions,
  startPolicyRunner,
} from '../../../src/policy/sandbox/host/runner.ts'
import { PolicyCalls } from '../../../src/model/policy-interest.ts'

/** Stands in for the library `hookgate/policy`, as far as these tests need it. */
export const library: readonly CompiledModule[] = [{ file: '/hookgate/policy.js', code: 'export {}', imports: {} }]

/** Builds a policy from the body of its `decide` and the code before it. */
export function policyOf(decide: string, before = ''): CompiledPolicy {
  const file = '/policies/written.policy.js'
  const code = `${before}\nexport default { id: 'written', description: 'written for a test', on: 'PreToolUse', decide({ event, tool, facts, params }) { ${decide} } }`
  return { file, modules: [{ file, code, imports: {} }], digest: '0'.repeat(64) }
}

/** Returns the prompt of the event as context. */
export const echoesPrompt = policyOf('return { context: event.prompt }')
/** Abstains. */
export const silent = policyOf('')
/** Cannot be interrupted. */
export const hangs = policyOf('Array.prototype.every.call({ length: 2 ** 53 - 1 }, () => true)')
/** Aborts its process: it allocates within one call of the engine. */
export const aborts = policyOf('"a".repeat(2 ** 28).split("")')

export function callsTo(domain: number, policies: readonly number[]): readonly PolicyCall[] {
  return policies.map((policy) => ({ domain, policy, facts: [], params: '{}' }))
}

/** Builds a request whose event has this prompt. */
export function requestOf(calls: readonly PolicyCall[], prompt = 'hello'): PolicyRequest {
  const event = {
    name: 'PreToolUse',
    agent: 'claude-code',
    session: { id: 's' },
    workspaceRoots: ['/w'],
    atMs: 0,
    prompt,
  }
  return { calls: new PolicyCalls(calls), input: [JSON.stringify({ event })], atMs: 0, values: [], isTrusted: true }
}

/** No test of what policies do to each other is one of how long an agent waits. */
const waits = { waitMsMax: 300_000, answerMsMax: 300_000 }

/** Starts a runner that is closed when the test is over, and trusts what it loads. */
export function runnerAt(placement: PolicyRunnerOptions['placement'], threads = 2): PolicyRunner {
  const runner = startPolicyRunner({ placement, library, threads, waits })
  onTestFinished(() => runner.close())
  return { ...runner, load: (policies) => runner.load(policies, { isTrusted: true }) }
}

/** Lists the sandbox processes that a process has started. */
export function sandboxPids(parent = process.pid): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => isSandboxOf(pid, parent))
}

function isSandboxOf(pid: number, parent: number): boolean {
  try {
    const [, , state, ppid] = /^(\d+) \(.*\) (\S) (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
    const isSandbox = readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('sandbox-main')
    return isSandbox && state !== 'Z' && Number(ppid) === parent
  } catch {
    return false
  }
}

/** Returns the outcome of each call: the texts of its contexts, or the code of its failure. */
export function outcomesOf(results: Awaited<ReturnType<PolicyRunner['evaluate']>>): readonly string[] {
  return results.map((result) => {
    if ('failure' in result) return result.failure.code
    return result.answers.map((answer) => ('context' in answer ? answer.context : JSON.stringify(answer))).join()
  })
}
