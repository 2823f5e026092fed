import { describe, expect, it } from 'vitest'
import { isolateFromTexts, refusalsOf } from '../support/compiled-isolates.ts'

/** Builds a policy from its top level and the body of its `decide`. */
const policy = (top: string, decide: string) => `
import { context, definePolicy, deny, mapOf, readOptions, setOf, tableOf } from 'hookgate/policy'
${top}
export default definePolicy({ id: 'keeps', description: 'a test', on: 'PreToolUse', list: [1, { deep: [] }],
  decide(input) { const { event, tool, facts, params, shell } = input; ${decide} } })
`

/**
 * Builds code that tries to keep state in something constant: it answers what was kept, then keeps more. An exception is
 * answered as its message, which must be the same every time too.
 */
const kept = (where: string) => `let was; try { was = String(${where}) } catch (e) { was = e.message }
  try { ${where} = (Number(${where}) || 0) + 1 } catch {} return deny(was)`
const guarded = (read: string, write: string) =>
  `let was; try { was = String(${read}) } catch (e) { was = e.message } try { ${write} } catch {} return deny(was)`

const ways: readonly (readonly [name: string, top: string, decide: string])[] = [
  ['a property of a function declaration', 'function f() {}', kept('f.kept')],
  ['a property of an arrow function', 'const f = () => 0', kept('f.kept')],
  ['a property of `prototype`', 'function f() {}', kept('f.prototype.kept')],
  ['`prototype` itself', 'function f() {}', kept('f.prototype')],
  ["a generator's `prototype`", 'function* g() {}', kept('g.prototype.kept')],
  ['the name of a function', 'const f = () => 0', kept('f.name')],
  ['the length of a function', 'const f = (a, b) => 0', kept('f.length')],
  ['`caller`', 'function f() { return f.caller }', guarded('f()', 'f.caller = 1')],
  ['`arguments` of a function', 'function f() { return arguments }', guarded('f.arguments', 'f(1); f.arguments = 1')],
  [
    'the arguments of a call',
    'function f(a) { arguments[0] = (a ?? 0) + 1; return arguments[0] }',
    'return deny(String(f()))',
  ],
  ['`callee`', 'function f() { return arguments.callee }', guarded('f().kept', 'f().kept = 1')],
  ['a default parameter', 'const f = (list = []) => list', guarded('f().length', 'f().push(1)')],
  [
    'a default parameter of a constant',
    'const base = [], f = (list = base) => list',
    guarded('f().length', 'f().push(1)'),
  ],
  ['a list', 'const list = [], same = { list }', guarded('list.length', 'same.list.push(1)')],
  ['the length of a list', 'const list = [1, 2], same = { list }', guarded('list.length', 'same.list.length = 0')],
  ['a list within a list', 'const list = [[[]]]', guarded('list[0][0].length', 'list.at(0).at(0).push(1)')],
  [
    'sorting a list',
    'const list = [3, 1, 2], same = { list }',
    guarded('list', 'Array.prototype.sort.call(same.list)'),
  ],
  ['a list that was spread', 'const inner = [], list = [...[inner]]', guarded('list[0].length', 'list.at(0).push(1)')],
  ['an object', 'const box = {}', guarded('box.kept', 'Object.assign(box, { kept: 1 })')],
  [
    '`Object.defineProperty`',
    'const box = {}',
    guarded('box.kept', "Object.defineProperty(box, 'kept', { value: 1 })"),
  ],
  ['`Reflect.set`', 'const box = { kept: 0 }', guarded('box.kept', "Reflect.set(box, 'kept', 1)")],
  ['`Reflect.set` from elsewhere', 'const box = { kept: 0 }', guarded('box.kept', "Reflect.set({}, 'kept', 1, box)")],
  ['`Object.setPrototypeOf`', 'const box = {}', guarded('box.kept', 'Object.setPrototypeOf(box, { kept: 1 })')],
  ['`__proto__`', 'const box = {}', guarded('box.kept', 'box.__proto__ = { kept: 1 }')],
  ['`__defineGetter__`', 'const box = {}', guarded('box.kept', "box.__defineGetter__('kept', () => 1)")],
  ['an overridable method', 'const box = {}', guarded('box', "box.toString = () => 'kept'")],
  ['a symbol for a key', 'const box = {}', guarded("box[Symbol.for('k')]", "box[Symbol.for('k')] = 1")],
  [
    'the registry of symbols',
    '',
    "const s = Symbol.for('k' + (tool.path ?? '')); return deny(String(Symbol.keyFor(s)))",
  ],
  ['`this` of `decide`', '', guarded('this.kept', 'this.kept = 1')],
  ['what the definition holds', '', guarded('this.list[1].deep.length', 'this.list[1].deep.push(1)')],
  ['`this` of a method', 'const o = { m() { return this } }', guarded('o.m().kept', 'o.m().kept = 1')],
  ['a closure made in a call', 'const f = () => { let n = 0; return () => n++ }', 'return deny(String(f()()))'],
  ['a closure stored on a function', 'const f = () => 0', guarded('f.next?.()', 'let n = 0; f.next = () => n++')],
  [
    'a generator',
    'function* g() { let n = 0; for (;;) yield n++ }',
    'const it = g(); it.next(); return deny(String(it.next().value))',
  ],
  [
    'a WeakMap over a constant',
    'const key = {}',
    'const map = new WeakMap(), was = map.has(key); map.set(key, 1); return deny(String(was))',
  ],
  ['a WeakRef', '', guarded('typeof WeakRef', '')],
  ['a Proxy around a constant', 'const box = { n: 0 }', guarded('box.n', 'new Proxy(box, {}).n = 1')],
  [
    'a Proxy with traps',
    'const box = { n: 0 }',
    'const p = new Proxy(box, { get: () => 1 }); let w; try { w = p.n } catch (e) { w = e.message } return deny(String(w))',
  ],
  ['`lastIndex`', 'const r = /l/', guarded('r.lastIndex', 'r.lastIndex = 1')],
  [
    'matching',
    'const r = /l(.)/',
    guarded(
      '`${r.lastIndex}${r.exec("alb")}${"xl1".replace(r, "")}${"al".search(r)}${"alb".split(r)}`',
      'r.exec("lll"); r.test("x"); "l".match(r); [..."l".matchAll(new RegExp(r, "g"))]',
    ),
  ],
  ['`compile`', 'const r = /l/', guarded('r.source', "r.compile('kept')")],
  [
    '`compile` by its prototype',
    'const r = /l/',
    guarded('r.source', "Object.getPrototypeOf(r).compile.call(r, 'kept')"),
  ],
  [
    '`RegExp.$1`',
    'const r = /(.)/',
    guarded('`${RegExp.$1}${RegExp.lastMatch}${RegExp.input}${RegExp["$_"]}`', 'r.exec("x"); RegExp.input = "y"'),
  ],
  ['`RegExp.$1` of a class', '', guarded('(class extends RegExp {}).$1', '/(.)/.exec("x")')],
  ['a regular expression in a call', '', 'const r = /l/g, was = r.lastIndex; r.exec("lll"); return deny(String(was))'],
  ['a regular expression made of a text', "const r = new RegExp('l')", guarded('r.lastIndex', 'r.lastIndex = 5')],
  ['a template object', 'const tag = (s) => s, get = () => tag`x`', guarded('get().kept', 'get().kept = 1')],
  [
    "a template object's `raw`",
    'const tag = (s) => s, get = () => tag`x`',
    guarded('get().raw.kept', 'get().raw.kept = 1'),
  ],
  ['`captureStackTrace`', 'const box = {}', guarded('box.stack', 'Error.captureStackTrace(box)')],
  [
    'the cause of an error',
    'const box = {}',
    'const e = new Error("m", { cause: box }), was = e.cause.kept; try { e.cause.kept = 1 } catch {} return deny(String(was))',
  ],
  [
    'private fields',
    'const box = {}',
    guarded('has(box)', 'class G { constructor(o) { return o } } class S extends G { #m = 1 } new S(box)').replace(
      'has(box)',
      '(() => { class S { #m; static has(o) { return #m in o } } return S.has(box) })()',
    ),
  ],
  ['a class made in a call', '', guarded('(() => { class C { static n = 0 } return C.n++ })()', '')],
  [
    '`Object.groupBy` of constants',
    'const list = [{ a: 1 }]',
    guarded('list[0].kept', 'Object.groupBy(list, (one) => one.a)[1][0].kept = 1'),
  ],
  ['a reviver', 'const box = {}', guarded('box.kept', "JSON.parse('[1]', function () { box.kept = 1; return this })")],
  [
    '`toJSON`',
    'const box = { n: [] }',
    guarded('box.n.length', 'JSON.stringify({ toJSON() { return box.n.push(1) } })'),
  ],
  [
    '`setOf`',
    "const set = setOf(['a'])",
    guarded(
      '`${set.has("b")}${set.members}`',
      "set.members.push('b'); set.add?.('b'); Set.prototype.add.call(set, 'b')",
    ),
  ],
  [
    '`mapOf`',
    "const map = mapOf([['a', { n: [] }]])",
    guarded(
      '`${map.get("a").n.length}${map.has("b")}`',
      "map.get('a').n.push(1); map.entries.push(['b', 1]); Map.prototype.set.call(map, 'b', 1)",
    ),
  ],
  ["a property of `setOf`'s `has`", "const set = setOf('a b')", kept('set.has.kept')],
  ['the module of exports', 'export const box = { n: [] }', guarded('box.n.length', 'box.n.push(1)')],
  [
    'a function that is returned by one',
    'const f = () => 0, o = { f, g: { f } }',
    guarded('o.g.f.kept', 'o.g.f.kept = 1'),
  ],
  [
    'an iterator of a constant',
    'const list = [1, 2]',
    'const it = list.values(); it.next(); return deny(String(it.next().value))',
  ],
  [
    'what the library returns',
    '',
    guarded('readOptions([{ value: "-x" }]).value("x").kept', 'readOptions([{ value: "-x" }]).value("x").kept = 1'),
  ],
  ['many texts', '', 'const s = "x".repeat(1000) + tool.name; return deny(String(s.length))'],
  [
    'what throws halfway',
    'const box = { n: [] }',
    'try { (() => { box.n.push(1); throw 1 })() } catch {} return deny(String(box.n.length))',
  ],
  [
    'a recursion that runs out',
    'const box = { n: [] }, f = (n) => f(n + 1)',
    'try { f(0) } catch (e) { try { box.n.push(1) } catch {} } return deny(String(box.n.length))',
  ],
  ['`this` of a simple call', 'function f() { return this }', guarded('f()', 'f().kept = 1')],
  ['a label', '', 'let n = 0; out: for (;;) { n++; break out } return deny(String(n))'],
  [
    'a setter that is added later',
    'const box = { n: 0 }',
    guarded('box.n', "Object.defineProperty(box, 'n', { set() {}, get: () => 1 })"),
  ],
  ['the clock', '', 'return deny(String(Date.now()))'],
]

describe('a module, which is run once, keeps no state', () => {
  it.each(ways)('by %s', (_, top, decide) => {
    const texts = { 'keeps.policy.js': policy(top, decide) }
    const { ask } = isolateFromTexts(texts, texts)
    const [first, second, other] = ask([0, 0, 1])
    const [third] = ask([0])
    expect(first).toEqual([expect.objectContaining({ effect: 'deny' })])
    expect([second, other, third]).toEqual([first, first, first])
  })

  it('and builds a table once: the next evaluation gets the same one', () => {
    const made =
      "import { definePolicy, deny } from 'hookgate/policy'\nexport const make = () => [String(new Error().stack)]"
    const texts = {
      'p.policy.js': `import { definePolicy, deny, tableOf } from 'hookgate/policy'; import { make } from './made.js'
        const made = tableOf(make)
        export default definePolicy({ id: 'p', description: 'd', on: 'PreToolUse', decide: () => deny(made[0]) })`,
      'made.js': made,
    }
    const { ask } = isolateFromTexts(texts)
    expect(ask([0])).toEqual(ask([0]))
  })
})

describe('the entries of a table keep no state', () => {
  const withTable = (make: string, decide: string, args = '') => ({
    'p.policy.js': `import { definePolicy, deny, tableOf } from 'hookgate/policy'; import { box, make } from './made.js'
      const own = { list: [] }
      const table = tableOf(make${args})
      export default definePolicy({ id: 'p', description: 'd', on: 'PreToolUse', decide(input) { ${decide} } })`,
    'made.js': `export const box = { list: [] }\nexport const make = (given) => { ${make} }`,
  })
  const atMs = (ms: number) => ({ atMs: ms })

  it('not the time of the event for which it was built', () => {
    const texts = withTable('return [Date.now(), new Date().getTime()]', 'return deny(`${table} ${Date.now()}`)')
    const { ask } = isolateFromTexts(texts)
    expect(ask([0], atMs(5000))).toEqual([[{ effect: 'deny', reason: '0,0 5000' }]])
    expect(ask([0], atMs(7000))).toEqual([[{ effect: 'deny', reason: '0,0 7000' }]])
  })

  it('nor does it stop the clock for others when building it throws', () => {
    const readsClock = policy('', 'return deny(String(Date.now()))')
    const { ask } = isolateFromTexts(withTable('throw new Error("no")', ''), { 'keeps.policy.js': readsClock })
    const [failed, beside] = ask([0, 1], atMs(5000))
    expect(failed).toHaveProperty('failure.code', 'policyThrew')
    expect(beside).toEqual([{ effect: 'deny', reason: '5000' }])
  })

  it('not by changing its module, which is frozen before', () => {
    const texts = withTable('try { box.list.push(1) } catch { return "frozen" } return "open"', 'return deny(table)')
    expect(isolateFromTexts(texts).ask([0])).toEqual([[{ effect: 'deny', reason: 'frozen' }]])
  })

  it.each([
    ['a function', 'let n = 0; return () => n++'],
    ['a function somewhere', 'let n = 0; return [{ a: { next: () => n++ } }]'],
    ['a symbol', 'return [Symbol("a")]'],
    ['a regular expression that keeps where it was', 'return { r: /a/g }'],
    ['a circle', 'const a = []; a.push(a); return a'],
  ])('not %s: that is refused', (_, make) => {
    const [answer] = isolateFromTexts(withTable(make, 'return deny("kept")')).ask([0])
    expect(answer).toHaveProperty('failure.code', 'policyThrew')
  })

  it.each([
    ['a Map', 'return { m: new Map([["a", 1]]) }', 'table.m instanceof Map'],
    ['a Date', 'return new Date(5)', 'table instanceof Date'],
    ['a generator', 'return (function* () { let n = 0; for (;;) yield n++ })()', 'typeof table.next'],
    ['a prototype', 'return Object.create({ next: () => 1 })', 'typeof table.next'],
    ['an accessor', 'let n = 0; return { get a() { return n++ } }', '`${table.a}${table.a}${table.a}`'],
    ['a Proxy', 'let n = 0; return new Proxy({ a: 1 }, { get: () => n++ })', '`${table.a}${table.a}`'],
    ['a list with parts', 'const l = [1]; l.next = () => 1; return l', 'typeof table.next'],
    ['a symbol for a key', 'return { [Symbol.iterator]: () => 1 }', 'typeof table[Symbol.iterator]'],
    ['the very object', 'return given ?? box', 'table === box'],
    [
      'a changeable copy',
      'return { list: [[]] }',
      '[Object.isFrozen(table), Object.isFrozen(table.list), Object.isFrozen(table.list[0])].includes(false)',
    ],
  ])('not %s, of which only data is copied', (_, make, read) => {
    const { ask } = isolateFromTexts(withTable(make, `return deny(String(${read}))`))
    const [[first], [second]] = [ask([0]), ask([0])]
    expect(second).toEqual(first)
    expect(JSON.stringify(first)).toMatch(/"reason":"(?:false|undefined|000|00)"/)
  })
})

describe('a module that could keep state does not load', () => {
  const tops: readonly (readonly [name: string, top: string])[] = [
    ['a variable', 'let n = 0'],
    ['a `var`', 'var n = 0'],
    ['a function that is given another value', 'function cell() {} const set = () => { cell = 1 }'],
    ['one that is given it by taking apart', 'function cell() {} const set = () => { [cell] = [1] }'],
    ['one that is given it by a loop', 'function cell() {} const set = () => { for (cell of [1]); }'],
    ['one that is counted up', 'function cell() {} const set = () => cell++'],
    ['one in parentheses', 'function cell() {} const set = () => { ({ a: (cell) } = { a: 1 }) }'],
    ['a class', 'class C { static n = 0 }'],
    ['a class as an expression', 'const C = class { static n = 0 }'],
    ['a set', 'const seen = new Set()'],
    ['a map in an object', 'const box = { seen: new Map() }'],
    ['a date', 'const date = new Date(0)'],
    ['a call of its own', 'const next = (() => { let n = 0; return () => n++ })()'],
    ['a call of a function that makes functions', 'const make = (list) => () => list.length, f = make([])'],
    ['a call of a generator', 'function* g() { yield 1 } const it = g()'],
    ['a call of a method', 'const o = { make() { let n = 0; return () => n++ } }, f = o.make()'],
    ['a call by `call`', 'const f = function () { return [] }, g = f.call()'],
    ['a call by a tag', 'const tag = () => { let n = 0; return () => n++ }, f = tag`x`'],
    [
      'a call by `map` of something that only has that name',
      'const o = { map() { let n = 0; return () => n++ } }, f = o.map(String)',
    ],
    ['a call by an item', 'const f = [1].map(() => { let n = 0; return () => n++ })'],
    ['a call by an item that remembers it', 'const f = [[]].map((list) => () => list.length)'],
    ['a call by converting', 'const o = { toString() { o.f = 1; return "" } }, text = `${o}`'],
    ['the same by a quoted name', 'const o = { "valueOf"() { return 1 } }, n = +o'],
    ['a call by a name that is computed', 'const o = { ["to" + "String"]() { return "" } }'],
    ['an accessor', 'const o = { get a() { return 1 } }'],
    ['a setter', 'const o = { set a(to) {} }'],
    ['a prototype', 'const o = { __proto__: { cell: [] } }'],
    ['`super`', 'const f = { m() { return super.cell } }.m'],
    ['`super` in an arrow function', 'const f = { m() { return () => super.cell } }.m'],
    ['`super` in a key of a class', 'const f = { m() { return class { [super.cell]() {} } } }.m'],
    ['an iterator', 'const it = [1, 2].values()'],
    ['what is found', "const found = 'a'.matchAll(/a/g)"],
    ['a regular expression with `g`', 'const r = /a/g'],
    ['one with `y`', 'const r = /a/y'],
    ['one made with `g`', "const r = new RegExp('a', 'g')"],
    ['one made with flags from elsewhere', "const flags = 'g', r = new RegExp('a', flags)"],
    ['one made with what is spread', "const r = new RegExp(...['a', 'g'])"],
    ['one made by another `RegExp`', 'function RegExp() {} const r = new RegExp("a")'],
    ['another `Object`', 'const Object = { freeze() { return [] } }, f = Object.freeze([])'],
    ['another `String`', 'const String = { raw() { return [] } }, f = String.raw`x`'],
    ['a block', '{ let n = 0 }'],
    ['a statement', 'if (true) { var n = 0 }'],
    ['an assignment', 'const o = {}; o.a = 1'],
    ['an assignment in an expression', 'const o = {}, a = (o.b = 1)'],
    ['`delete`', 'const o = { a: 1 }, b = delete o.a'],
    ['`this`', 'const self = this'],
    ['a global object', 'const all = globalThis'],
    ['a default that is called', 'const { a = new Set() } = {}'],
    ['a table of a function of its own', 'const box = {}, make = () => { box.f = 1 }, t = tableOf(make)'],
    ['a table of what is written there', 'const t = tableOf(() => 1)'],
    ['a table that is given its own', 'import { make } from "./other.js"; const box = {}, t = tableOf(make, box)'],
    ['a table that is given a function', 'import { make } from "./other.js"; const t = tableOf(make, [() => 1])'],
    ['an imported function that is called', 'import { make } from "./other.js"; const f = make()'],
    ['a changed module', 'import { list } from "./changing.js"; export const all = list'],
  ]

  it.each(tops)('%s', (_, top) => {
    const texts = {
      'p.policy.js': policy(top, 'return deny("x")'),
      'other.js': 'export const make = () => { let n = 0; return () => n++ }',
      'changing.js': 'export const list = [new Set()]',
    }
    const problems = refusalsOf(texts)
    expect(problems).not.toEqual([])
    for (const one of problems)
      expect(one).toMatch(/^(?:p\.policy|changing)\.js:\d+:\d+: .+ cannot stand at the top .+; .+/)
  })

  it('and neither does a policy that imports it, whose problem names the place in the module', () => {
    const texts = {
      'p.policy.js': policy('import { n } from "./a.js"', 'return deny(String(n()))'),
      'a.js': 'import { words } from "./b.js"\nlet count = 0\nexport const n = () => count++ + words.length',
      'b.js': 'export const words = ["a"]',
    }
    expect(refusalsOf(texts)).toEqual([
      'a.js:2:1: a `let` variable cannot stand at the top level of a policy: it could keep something from one event to the next; declare it with `const`, or inside of `decide`',
    ])
  })

  it('and one that changes a list in place fails when it does', () => {
    const texts = { 'p.policy.js': policy('const seen = []', 'seen.push(tool.name); return deny(String(seen.length))') }
    const [first, second] = isolateFromTexts(texts).ask([0, 0])
    expect(first).toMatchObject({
      failure: { code: 'policyThrew', message: expect.stringContaining('not extensible') },
    })
    expect(second).toEqual(first)
  })
})

describe('an evaluation that is interrupted', () => {
  it('leaves no state in its module', () => {
    const texts = {
      'p.policy.js': policy(
        `const box = { list: [] }, f = () => 0`,
        `if (tool.name === 'execute_command') { try { box.list.push(1) } catch {} try { f.kept = 1 } catch {} for (;;); }
         return deny(box.list.length + String(f.kept))`,
      ),
    }
    const { ask, quiet } = isolateFromTexts(texts)
    expect(ask([0])[0]).toHaveProperty('failure.code', 'policyTimeout')
    expect(ask([0], quiet)).toEqual([[{ effect: 'deny', reason: '0undefined' }]])
  })

  it('while a table is built makes it be rebuilt, and what was built by then is frozen', () => {
    const texts = {
      'p.policy.js': `import { definePolicy, deny, tableOf } from 'hookgate/policy'; import { box } from './box.js'; import { make } from './made.js'
        const table = tableOf(make)
        export default definePolicy({ id: 'p', description: 'd', on: 'PreToolUse', decide: () => deny(String(box.list.length)) })`,
      'made.js':
        'import { box } from "./box.js"\nexport const make = () => { try { box.list.push(1) } catch {} for (;;); }',
      'box.js': 'export const box = { list: [] }',
    }
    const reads = {
      'q.policy.js': `import { definePolicy, deny } from 'hookgate/policy'; import { box } from './box.js'
        export default definePolicy({ id: 'q', description: 'd', on: 'PreToolUse', decide: () => deny(String(box.list.length)) })`,
      'box.js': texts['box.js'],
    }
    const { ask } = isolateFromTexts(texts, reads)
    const [cut, beside] = ask([0, 1])
    expect(cut).toHaveProperty('failure.code', 'policyTimeout')
    expect(beside).toEqual([{ effect: 'deny', reason: '0' }])
    expect(ask([0])[0]).toHaveProperty('failure.code', 'policyTimeout')
  })
})
