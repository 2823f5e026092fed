import { describe, expect, it } from 'vitest'
import { refusalsOf } from '../support/compiled-isolates.ts'
import { handPolicy, isolateOf } from '../support/isolates.ts'

/** Ways to keep state that keep a policy from loading: code at the top level, and the problem reported. */
const refused: readonly (readonly [name: string, top: string, place: string, problem: string])[] = [
  ['a module-level variable', 'let count = 0', '2:1', 'a `let` variable'],
  ['a closure', 'const next = (() => { let n = 0; return () => n++ })()', '2:14', 'a call'],
  ['a static field', 'class Counter { static n = 0 }', '2:1', 'a class'],
  ['`lastIndex`', 'const regex = /l/g', '2:15', 'a regular expression with the flag `g` or `y`'],
  ['a WeakMap over an intrinsic', 'const kept = new WeakMap()', '2:14', '`new WeakMap`'],
  ['a WeakSet over the library', 'const kept = new WeakSet()', '2:14', '`new WeakSet`'],
  ['private fields', 'class Stamp { #mark = 1; static has(o) { return #mark in o } }', '2:1', 'a class'],
]

/** Ways to keep state: code at the top level, then code that answers what was kept and keeps something new. */
const ways: readonly (readonly [name: string, top: string, decide: string])[] = [
  [
    '`lastIndex` of a literal inside',
    '',
    'const r = /l/g; const l = r.lastIndex; r.exec("lll"); return deny(String(l))',
  ],
  [
    'the legacy statics of RegExp',
    '',
    'const was = `${RegExp.$1}${RegExp.lastMatch}`; /(.+)/.exec("x"); return deny(was)',
  ],
  ['an intrinsic', '', 'const was = String([].kept); try { Array.prototype.kept = 1 } catch {} return deny(was)'],
  ['`this` of decide', '', 'const was = String(this?.kept); try { this.kept = 1 } catch {} return deny(was)'],
  [
    'a symbol on an intrinsic',
    '',
    'const s = Symbol.for("k"), was = String(Map[s]); try { Map[s] = 1 } catch {} return deny(was)',
  ],
  [
    'a template object',
    'const tag = (s) => s',
    'const t = tag`x`, was = String(t.kept); try { t.kept = 1 } catch {} return deny(was)',
  ],
  ['the params', '', 'const was = String(params.kept); try { params.kept = 1 } catch {} return deny(was)'],
  ['the facts', '', 'const was = String(facts.kept); try { facts.kept = 1 } catch {} return deny(was)'],
  [
    'the accessor of `stack`',
    '',
    'const { get } = Object.getOwnPropertyDescriptor(new Error(""), "stack"); const was = String(get.kept); try { get.kept = 1 } catch {} return deny(was)',
  ],
  [
    'the prototype of promises',
    '',
    'const p = Object.getPrototypeOf((async () => {})()); const was = String(p.kept); try { p.kept = 1 } catch {} return deny(was)',
  ],
]

describe('a policy that could keep state at its top level does not load', () => {
  it.each(refused)('%s', (_, top, place, problem) => {
    const text = `import { definePolicy, deny } from 'hookgate/policy'
${top}
export default definePolicy({ id: 'keeps', description: 'a test', on: 'PreToolUse', decide: () => deny('no') })`
    const [first = '', ...more] = refusalsOf({ 'keeps.policy.js': text })
    const cannot = 'cannot stand at the top level of a policy: it could keep something from one event to the next'
    expect(first).toMatch(new RegExp(`^keeps\\.policy\\.js:${place}: `))
    expect(first).toContain(`: ${problem} ${cannot}; `)
    expect(more).toEqual([])
  })
})

describe('a policy learns nothing of its previous evaluation', () => {
  it.each(ways)('by %s', (_, top, decide) => {
    const { ask } = isolateOf(handPolicy('keeps', decide, top), handPolicy('other', decide, top))
    const [first, second, other] = ask([0, 0, 1])
    const [third] = ask([0])
    expect(first).toEqual([expect.objectContaining({ effect: 'deny' })])
    expect([second, other, third]).toEqual([first, first, first])
  })

  // V8 lets a class add private fields to frozen objects. Only that class can read them, and every evaluation creates its
  // own.
  it.each([
    'Object.prototype',
    'Map',
    'deny',
    '$library',
    'event',
    'params',
    'tool.input',
    'globalThis',
    '[].values().__proto__',
  ])('by private fields stamped onto `%s`', (target) => {
    const stamp =
      'class Give { constructor(o) { return o } } class Stamp extends Give { #mark = 1; static has(o) { return #mark in o } }'
    const decide = `${stamp} const was = Stamp.has(${target}); try { new Stamp(${target}) } catch {} return deny(String(was))`
    const { ask } = isolateOf(handPolicy('stamps', decide), handPolicy('other', decide))
    const no = [{ effect: 'deny', reason: 'false' }]
    expect([ask([0, 0, 1]), ask([1, 0])]).toEqual([
      [no, no, no],
      [no, no],
    ])
  })

  it('by the place of an error, which hookgate adds to the failure', () => {
    const plants = handPolicy(
      'plants',
      `const site = { getFileName: () => '/policies/reads.policy.ts', getLineNumber: () => 7, getColumnNumber: () => 7 }
       try { Error.prepareStackTrace(Object.prototype, [site]) } catch {}`,
    )
    const reads = handPolicy('reads', 'throw Object.prototype')
    const { ask } = isolateOf(plants, reads)
    const [before] = ask([1])
    expect(ask([0, 1])[1]).toEqual(before)
    expect(ask([1])[0]).toEqual(before)
  })

  it('by an evaluation that was interrupted', () => {
    const cut = handPolicy('cut', 'try { Map.kept = 1 } catch {} for (;;);')
    const reads = handPolicy('reads', 'return deny(String(Map.kept))')
    const { ask } = isolateOf(cut, reads)
    // Evaluates one at a time: on a busy machine, the first may leave the second no time.
    expect(ask([0])[0]).toHaveProperty('failure')
    expect(ask([1])).toEqual([[{ effect: 'deny', reason: 'undefined' }]])
  })

  it('by how full the heap is: running out of memory cannot be caught', () => {
    const probe = handPolicy(
      'probe',
      'return deny(["ArrayBuffer", "DataView", "Uint8Array"].map((n) => typeof globalThis[n]).join())',
    )
    expect(isolateOf(probe).ask([0])).toEqual([[{ effect: 'deny', reason: 'undefined,undefined,undefined' }]])
  })
})
