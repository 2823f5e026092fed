import { getQuickJS, shouldInterruptAfterDeadline } from 'quickjs-emscripten'
import type { Candidate } from '../support/candidate.ts'
import { decideSource } from './rules.ts'

/** QuickJS compiled to WebAssembly, in the caller's thread; its context is kept, with limits like the gate's. */
export async function quickjs(rules: number): Promise<Candidate> {
  const runtime = (await getQuickJS()).newRuntime()
  runtime.setMemoryLimit(64 * 1024 * 1024)
  const context = runtime.newContext()
  const decide = context.unwrapResult(context.evalCode(decideSource(rules)))
  return {
    name: '`quickjs-emscripten`',
    kind: 'sandboxed',
    decide({ json }) {
      runtime.setInterruptHandler(shouldInterruptAfterDeadline(Date.now() + 100))
      const argument = context.newString(json)
      const result = context.unwrapResult(context.callFunction(decide, context.undefined, argument))
      const decision = context.getString(result)
      result.dispose()
      argument.dispose()
      return decision === 'deny' ? 'deny' : 'abstain'
    },
    close() {
      decide.dispose()
      context.dispose()
      runtime.dispose()
    },
  }
}
