import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { limits } from '../../../../src/model/limits.ts'
import { encodeInput } from '../../../../src/policy/sandbox/encoded-input.ts'
import type { PolicyIsolate } from '../../../../src/policy/sandbox/thread/isolate.ts'
import type { DomainQuestion } from '../../../../src/policy/sandbox/thread/event-queue.ts'
import {
  answerOf,
  answersIn,
  countProcessorTime,
  handModule,
  handPolicy,
  isolateOf,
  shellInput,
} from '../../../support/isolates.ts'
import { policySourceCpuMs } from '../../../../src/policy/sandbox/thread/isolate.ts'

const quiet = handPolicy('quiet', '')
const denies = handPolicy('denies', 'return deny(`no ${tool.command}`)')
const loops = handPolicy('loops', 'for (;;);')
const grows = handPolicy('grows', "const text = 'x'.repeat(1e6), all = []; for (;;) all.push(JSON.stringify(text))")
/** An event so large that memory is exhausted before CPU time. */
const large = { ...shellInput, event: { ...shellInput.event, prompt: 'x'.repeat(15e6) } }
const no = [{ effect: 'deny', reason: 'no ls' }]
const failing = (code: string) => ({ failure: { code, message: expect.any(String) } })

describe('the definitions of policies', () => {
  it('are returned without `decide`, or with the reason why there is none', () => {
    const broken = { ...quiet, modules: [handModule('/policies/broken.policy.ts', 'export default )')] }
    const described = isolateOf(quiet, broken, handPolicy('throws', '', '\nnull.x')).describe()
    expect(described[0]).toEqual({ definition: '{"id":"quiet","description":"a test","on":"PreToolUse"}' })
    expect(described[1]).toEqual(failing('policyThrew'))
    expect(JSON.stringify(described[1])).toContain('broken.policy.ts')
    expect(JSON.stringify(described[2])).toContain('/policies/throws.policy.ts:2:6: TypeError: Cannot read')
  })

  it.each([
    ['export {}', 'does not export a policy'],
    ['export default 1', 'does not export a policy'],
    ['export default {}', 'no function `decide`'],
    ['export default { get decide() {} }', '`decide` is an accessor'],
    ['export default { decide() {}, params: { a: () => 1 } }', '`a` in its definition is a function'],
    ['export default { decide() {}, a: NaN }', '`a` in its definition is `NaN`'],
    ['for (;;);', 'CPU time'],
  ])('a module with `%s` fails alone: %s', (body, why) => {
    const file = '/policies/odd.policy.ts'
    const odd = { file, modules: [handModule(file, body)], digest: '' }
    const described = isolateOf(odd, quiet).describe()
    expect(JSON.stringify(described[0])).toContain(why)
    expect(described[1]).toHaveProperty('definition')
  })
})

describe('evaluating policies', () => {
  it('answers in the order of the calls, each policy as often as it is called', () => {
    expect(isolateOf(quiet, denies).ask([1, 0, 1])).toEqual([no, 0, no])
  })

  it('passes facts by their declared names and positions, and params unchanged', () => {
    const facts = 'facts: { a: { exists: "a" }, __proto__x: { exists: "b" }, c: { exists: "c" } },'
    const policy = handPolicy('facts', 'return context(JSON.stringify([facts, "c" in facts, params]))', '', facts)
    const answer = answerOf(policy, { facts: [1, 0, -1], values: [{ deep: [1] }, true], params: { max: 2 } })
    expect(answer).toEqual([{ context: '[{"a":true,"__proto__x":{"deep":[1]}},true,{"max":2}]' }])
  })

  it('fills in values shared with the input, and its own', () => {
    const input = {
      ...shellInput,
      tool: {
        kind: 'write' as const,
        name: 'w',
        input: { text: 'T', constructor: 'C' },
        paths: ['/a'],
        path: '/a',
      },
      same: { content: 'text', url: 'toString' },
    }
    const policy = handPolicy('tool', 'return context(JSON.stringify(tool))')
    expect(answerOf(policy, { input })).toEqual([
      {
        context:
          '{"kind":"write","name":"w","input":{"text":"T","constructor":"C"},"paths":["/a"],"path":"/a","content":"T"}',
      },
    ])
  })

  it.each([
    ['PreToolUse', '{"kind":"other","name":"","input":{},"paths":[]}'],
    ['SessionStart', 'undefined'],
  ] as const)('where %s comes without a tool, the tool is %s', (name, tool) => {
    const policy = handPolicy('tool', 'return context(String(JSON.stringify(tool)))')
    expect(answerOf(policy, { input: { event: { ...shellInput.event, name } } })).toEqual([{ context: tool }])
  })

  it('gives modules the exports of those before them', () => {
    const file = '/policies/two.policy.ts'
    const text =
      "import { context } from 'hookgate/policy'; import { word } from './word.ts'; export default { decide: () => context(word) }"
    const own = handModule(file, text, { './word.ts': 0 })
    const modules = [handModule('/policies/word.ts', "export const word = 'from the other file'"), own]
    expect(answerOf({ file, modules, digest: '' })).toEqual([{ context: 'from the other file' }])
  })

  it('places an error in the file, line and column that threw it, the library aside', () => {
    const policy = handPolicy('throws', '\n  params.a.b')
    expect(answerOf(policy)).toEqual({
      failure: {
        code: 'policyThrew',
        message: "/policies/throws.policy.ts:4:12: TypeError: Cannot read properties of undefined (reading 'b')",
      },
    })
    const inLibrary = handPolicy('library', '\n  $library.definePolicy.call.apply(null)')
    expect(JSON.stringify(answerOf(inLibrary))).toContain('/policies/library.policy.ts:4:')
  })

  it('fails only the policy that has a mistake', () => {
    const broken = { ...quiet, modules: [handModule('/policies/broken.policy.ts', 'export default )')] }
    expect(isolateOf(broken, denies).ask([0, 1])).toEqual([failing('policyThrew'), no])
  })

  it('rejects a malformed question at once', () => {
    expect(() =>
      isolateOf(quiet).isolate.evaluate([{ given: '0\t[]', asked: '[[', input: ['{}'], untilMs: Infinity }]),
    ).toThrow('JSON')
  })
})

describe('evaluating several events together', () => {
  const question = (prompt: string, policies: readonly number[], atMs = 0) => ({
    given: `${atMs}\t["a fact"]`,
    asked: JSON.stringify(policies.map((index) => [index, index === 0 ? [0] : [], '{}'])),
    input: encodeInput({ ...shellInput, event: { ...shellInput.event, prompt } }),
    untilMs: Infinity,
  })
  const says = handPolicy('says', 'return context(event.prompt + facts.f + Date.now())', '', "facts: { f: 'env' },")
  const loopsAt = handPolicy('loops', "if (event.prompt === 'loop') for (;;);")
  const fills = handPolicy('fills', 'return context("x".repeat(event.prompt === "much" ? 2e6 : 1))')
  const alone = (isolate: PolicyIsolate, questions: readonly DomainQuestion[]) =>
    questions.flatMap((one) => isolate.evaluate([one]))

  it('answers each as if it were alone, even with line ends and tabs in it', () => {
    const { isolate } = isolateOf(says, denies)
    const questions = ['one', 'two\n\tthree', '', 'four\u2028', 'five '.repeat(200), 'six'].map((prompt, at) =>
      question(prompt, [0, 1, 0], at),
    )
    const together = isolate.evaluate(questions).map(answersIn)
    expect(together).toEqual(alone(isolate, questions).map(answersIn))
    expect(together[1]).toContain(String.raw`two\n\tthreea fact1`)
  })

  it.each([
    ['takes too much time', 'loop', failing('policyTimeout')],
    ['returns too much', 'much', failing('policyThrew')],
  ])('costs no event its answer if one of them %s', (_, prompt, failed) => {
    countProcessorTime()
    const { isolate } = isolateOf(says, loopsAt, fills)
    const policies = [0, 1, 2]
    const answers = isolate
      .evaluate(['a', prompt, 'b'].map((one) => question(one, policies)))
      .map((text): unknown => JSON.parse(answersIn(text)))
    expect(answers[0]).toEqual([[{ context: 'aa fact0' }], 0, [{ context: 'x' }]])
    expect(answers[1]).toContainEqual(failed)
    expect(answers[2]).toEqual([[{ context: 'ba fact0' }], 0, [{ context: 'x' }]])
  })
})

describe('a policy that exceeds a limit', () => {
  it('fails alone for its CPU time, and the host learns of every policy that is retried alone', () => {
    countProcessorTime()
    const { ask, describe: load } = isolateOf(denies, loops, quiet)
    load()
    let members = 0
    expect(ask([0, 1, 2], { onMember: () => (members += 1) })).toEqual([no, failing('policyTimeout'), 0])
    expect(members).toBe(3)
    expect(ask([0])).toEqual([no])
  })

  it('fails alone for its memory, and the others answer on a new isolate', () => {
    countProcessorTime()
    const { ask } = isolateOf(denies, grows, quiet)
    expect(ask([0, 1, 2], { input: large })).toEqual([no, failing('policyOutOfMemory'), 0])
    expect(ask([1, 0], { input: large })).toEqual([failing('policyOutOfMemory'), no])
  })

  it('may take more time on a large event', () => {
    const content = 'x'.repeat(limits.eventBytesMax - 1000)
    const tool = { kind: 'write' as const, name: 'w', input: { content }, paths: [] }
    const input = { ...shellInput, tool, same: { content: 'content' } }
    const policy = handPolicy('long', 'return context(String(tool.content.length))')
    expect(answerOf(policy, { input })).toEqual([{ context: String(content.length) }])
  })

  it('is not blamed for what others used before it', () => {
    countProcessorTime()
    const busy = handPolicy('busy', 'for (let i = 0, n = 0; i < 1e6; i++) n += i')
    const policies = Array.from({ length: 100 }, () => busy)
    expect(isolateOf(...policies).ask([...policies.keys()])).toEqual(policies.map(() => 0))
  })

  it('ends the evaluation of its source if that has used its time, or returned too much', () => {
    countProcessorTime()
    const many = Array.from({ length: 2 * (policySourceCpuMs / limits.policyCpuMs) }, () => loops)
    const { ask: askSlow, describe: load } = isolateOf(...many, denies)
    load()
    const slow = askSlow([...many.keys(), many.length])
    expect(slow[0]).toEqual(failing('policyTimeout'))
    expect(slow.at(-1)).toEqual({
      failure: {
        code: 'exhausted',
        message: expect.stringContaining('was not evaluated: earlier policies took more than'),
      },
    })
    const verbose = handPolicy('verbose', `return context('x'.repeat(${limits.policyAnswerCharactersMax / 2}))`)
    for (const among of [
      [verbose, denies],
      [verbose, loops, denies],
    ]) {
      const { ask } = isolateOf(...among)
      const answers = ask([...Array.from({ length: 12 }, () => 0), ...among.slice(1).map((_, at) => at + 1)])
      expect(answers.filter((one) => Array.isArray(one))).toHaveLength(8)
      expect(answers.at(-1)).toEqual({
        failure: {
          code: 'exhausted',
          message: expect.stringContaining('denies.policy.ts: was not evaluated: '),
        },
      })
    }
  })

  it('leaves memory for later policies if its own cannot be collected', () => {
    const leaks = handPolicy('leaks', "Symbol.for(tool.command + 'x'.repeat(2e6)); return deny('no ls')")
    const { ask } = isolateOf(leaks, quiet)
    for (let call = 0; call < 200; call += 1) {
      const input = {
        ...shellInput,
        tool: { kind: 'shell' as const, name: 'x', input: {}, paths: [], command: `${call}` },
        same: {},
      }
      expect(ask([0, 1], { input })).toEqual([no, 0])
    }
  })

  // The last one: the clock of the thread is set ahead, and would have gone back for those after it.
  it('is not blamed for the time of others: a policy that was not evaluated, or barely, has used none', () => {
    const startedMs = performance.now()
    vi.useFakeTimers({ toFake: ['performance'] })
    onTestFinished(() => void vi.useRealTimers())
    // It starts at 0 otherwise, and no clock of a thread goes back.
    vi.advanceTimersByTime(startedMs)
    const cpuMsAt: number[] = []
    // Pretends that the first has used the whole time limit, and the second one more millisecond.
    const onMember = () => {
      vi.advanceTimersByTime([0, limits.policyAnswerMsMax, 1][cpuMsAt.length] ?? 0)
      cpuMsAt.push(process.cpuUsage().user / 1000)
    }
    const { ask, describe: load } = isolateOf(loops, denies)
    load()
    const outcomes = ask([0, 0, 1], { onMember })
    const [, second = 0, third = 0] = cpuMsAt
    // On a busy machine, the loop that is to end after a millisecond may be ended late, when it has used all of its own.
    const isOverdue = third - second > limits.policyCpuMs / 2
    const unfinished = {
      code: 'exhausted',
      message: expect.stringContaining('loops.policy.ts: did not get the CPU time'),
    }
    expect(outcomes).toEqual([
      failing('policyTimeout'),
      isOverdue ? expect.anything() : { failure: unfinished },
      { failure: { code: 'exhausted', message: expect.stringContaining('denies.policy.ts: was not evaluated') } },
    ])
  })
})
