import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { limits } from '../../../src/model/limits.ts'
import { answerOf, handModule, handPolicy, isolateOf, shellInput } from '../../support/isolates.ts'

const quiet = handPolicy('quiet', '')
const denies = handPolicy('denies', 'return deny(`no ${tool.command}`)')
const loops = handPolicy('loops', 'for (;;);')
const grows = handPolicy('grows', "const text = 'x'.repeat(1e6), all = []; for (;;) all.push(JSON.stringify(text))")
/** An event so large that memory is exhausted before the CPU time that it may take. */
const large = { ...shellInput, event: { ...shellInput.event, prompt: 'x'.repeat(15e6) } }
const no = [{ effect: 'deny', reason: 'no ls' }]
const failing = (code: string) => ({ failure: { code, message: expect.any(String) } })

describe('what policies say of themselves', () => {
  it('tells each definition without `decide`, or why there is none', () => {
    const broken = { ...quiet, modules: [handModule('/policies/broken.policy.ts', 'return )')] }
    const described = isolateOf(quiet, broken, handPolicy('throws', '', '\nnull.x')).describe()
    expect(described[0]).toEqual({ definition: '{"id":"quiet","description":"a test","on":"PreToolUse"}' })
    expect(described[1]).toEqual(failing('policyThrew'))
    expect(JSON.stringify(described[1])).toContain('broken.policy.ts')
    expect(JSON.stringify(described[2])).toContain('/policies/throws.policy.ts:2:6: TypeError: Cannot read')
  })

  it.each([
    ['return {}', 'exports no policy'],
    ['return { default: 1 }', 'exports no policy'],
    ['return { default: {} }', 'no function `decide`'],
    ['return { default: { get decide() {} } }', '`decide` is an accessor'],
    ['return { default: { decide() {}, params: { a: () => 1 } } }', '`a` in its definition is a function'],
    ['return { default: { decide() {}, a: NaN } }', '`a` in its definition is `NaN`'],
    ['for (;;);', 'CPU time'],
  ])('a module that says `%s` fails alone: %s', (body, why) => {
    const file = '/policies/odd.policy.ts'
    const odd = { file, modules: [handModule(file, body)], digest: '' }
    const described = isolateOf(odd, quiet).describe()
    expect(JSON.stringify(described[0])).toContain(why)
    expect(described[1]).toHaveProperty('definition')
  })
})

describe('asking policies', () => {
  it('answers in the order of the calls, the same policy as often as it is called', () => {
    expect(isolateOf(quiet, denies).ask([1, 0, 1])).toEqual([no, 0, no])
  })

  it('gives facts by their declared names and positions, and params whole', () => {
    const facts = 'facts: { a: { exists: "a" }, __proto__x: { exists: "b" }, c: { exists: "c" } },'
    const policy = handPolicy('facts', 'return context(JSON.stringify([facts, "c" in facts, params]))', '', facts)
    const answer = answerOf(policy, { facts: [1, 0, -1], values: [{ deep: [1] }, true], params: { max: 2 } })
    expect(answer).toEqual([{ context: '[{"a":true,"__proto__x":{"deep":[1]}},true,{"max":2}]' }])
  })

  it('fills in what is the same as a key of the input, and what is its own', () => {
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
    const own = handModule(file, 'return { default: { decide: () => $library.context($modules[0].word) } }', [0])
    const modules = [handModule('/policies/word.ts', "return { word: 'from the other file' }"), own]
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

  it('keeps a policy with a mistake from nobody but itself', () => {
    const broken = { ...quiet, modules: [handModule('/policies/broken.policy.ts', 'return )')] }
    expect(isolateOf(broken, denies).ask([0, 1])).toEqual([failing('policyThrew'), no])
  })

  it('says at once when what it is asked is no question', () => {
    expect(() => isolateOf(quiet).isolate.evaluate('{', '{}')).toThrow('JSON')
  })
})

describe('what takes too much', () => {
  it('fails alone for its CPU time, and the host hears of every policy that is asked alone', () => {
    const { ask } = isolateOf(denies, loops, quiet)
    let members = 0
    expect(ask([0, 1, 2], { onMember: () => (members += 1) })).toEqual([no, failing('policyTimeout'), 0])
    expect(members).toBe(3)
    expect(ask([0])).toEqual([no])
  })

  it('fails alone for its memory, and the rest answers on a new isolate', () => {
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

  it('is not taken for guilty of what others used before it', () => {
    const busy = handPolicy('busy', 'for (let i = 0, n = 0; i < 1e6; i++) n += i')
    const policies = Array.from({ length: 100 }, () => busy)
    expect(isolateOf(...policies).ask([...policies.keys()])).toEqual(policies.map(() => 0))
  })

  it('blames nobody for the time that others took: who was not asked, or hardly was, has had no time of its own', () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    onTestFinished(() => void vi.useRealTimers())
    let members = 0
    // As if the first had taken all the time there is, and the second one more millisecond.
    const onMember = () => void vi.advanceTimersByTime([0, limits.policyAnswerMsMax, 1][members++] ?? 0)
    expect(isolateOf(loops, denies).ask([0, 0, 1], { onMember })).toEqual([
      failing('policyTimeout'),
      {
        failure: { code: 'exhausted', message: expect.stringContaining('loops.policy.ts: was not given the CPU time') },
      },
      { failure: { code: 'exhausted', message: expect.stringContaining('denies.policy.ts: was not asked') } },
    ])
  })

  it('leaves room for those that come after what cannot be collected', () => {
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
})
