import { parse, type Program } from 'acorn'
import fc from 'fast-check'
import { compileFunction } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { instrument } from '../../../src/policy/testing/coverage.ts'
import { runsOf } from '../../support/sample.ts'

const names = { hits: '$hits', holds: '$holds', present: '$present' }
const parsed = (text: string): Program => parse(text, { ecmaVersion: 'latest', sourceType: 'module' })

interface Ran {
  readonly value: unknown
  readonly log: readonly unknown[]
}

/** Runs a function's body with its counters, and with `log` to record the order of its effects. */
function run(body: string, hits: number[] = []): Ran {
  const log: unknown[] = []
  const holds = (n: number, value: unknown) => {
    hits[value ? n + 1 : n] = 1
    return value
  }
  const present = (n: number, value: unknown) => {
    hits[value === undefined || value === null ? n : n + 1] = 1
    return value
  }
  const note = (value: unknown) => {
    log.push(value)
    if (log.length > 500) throw new Error('too long')
    return value
  }
  try {
    const program = compileFunction(body, ['$hits', '$holds', '$present', 'log'])
    const value: unknown = Reflect.apply(program, undefined, [hits, holds, present, note])
    return { value, log }
  } catch (error) {
    return { value: String(error), log }
  }
}

/** Runs the function `f` of a source with some calls, and lists what none of them covered. */
function untaken(source: string, ...calls: readonly string[]): readonly string[] {
  const { code, points } = instrument(source, parsed(source), names, 0, new Set())
  const hits: number[] = []
  run(`${code}\n${calls.map((call) => `f(${call})`).join('\n')}`, hits)
  return points.flatMap((point, index) => {
    if (hits[index] === 1) return []
    return point.kind === 'line' ? [`line ${point.line}`] : [point.untaken]
  })
}

describe('instrumented code', () => {
  it.each([
    ['if', 'const f = (a) => { if (a) log(1) }', ['0', '1'], ['`a` always holds', '`a` never holds']],
    ['else', 'function f(a) { if (a) { log(1) } else log(2) }', ['0', '1'], ['`a` always holds', '`a` never holds']],
    ['?:', 'const f = (a) => a ? log(1) : log(2)', ['0', '1'], ['`a` always holds', '`a` never holds']],
    ['&&', 'const f = (a) => a && log(1)', ['0', '1'], ['`a` always holds', '`a` never holds']],
    ['||', 'const f = (a) => a || log(1)', ['0', '1'], ['`a` always holds', '`a` never holds']],
    ['??', 'const f = (a) => a ?? log(1)', ['null', '0'], ['`a` is never absent', '`a` is always absent']],
    ['?.', 'const f = (a) => a?.b.c', ['null', '{ b: {} }'], ['`a` is never absent', '`a` is always absent']],
    ['?.()', 'const f = (a) => a?.()', ['null', '() => 1'], ['`a` is never absent', '`a` is always absent']],
    [
      'for',
      'const f = (a) => { for (let i = 0; i < a; i++) log(i) }',
      ['0', '1'],
      ['the loop over `i < a` is never skipped', 'the loop over `i < a` is never entered'],
    ],
    [
      'for of',
      'const f = (a) => { x: for (const b of a) { continue x } }',
      ['[]', '[1]'],
      ['the loop over `a` is never skipped', 'the loop over `a` is never entered'],
    ],
    [
      'while',
      'const f = (a) => { while (a--) log(1) }',
      ['0', '1'],
      ['the loop over `a--` is never skipped', 'the loop over `a--` is never entered'],
    ],
  ])('reports both uncovered outcomes of %s', (_, source, [left = '', right = ''], [noRight, noLeft]) => {
    const branchesOf = (...calls: string[]) => untaken(source, ...calls).filter((what) => !what.startsWith('line'))
    expect(branchesOf(left)).toEqual([noLeft])
    expect(branchesOf(right)).toEqual([noRight])
    expect(branchesOf(left, right)).toEqual([])
  })

  it('reports each case, fallthroughs, and that no case matches', () => {
    const source = `const f = (a) => { switch (a) { case 1: case 2: log(2); break; case 3: log(3) } }`
    const [two, three] = ['the case `2` is never matched', 'the case `3` is never matched']
    const unmet = '`a` always matches one of the cases'
    expect(untaken(source, '1')).toEqual([unmet, three, 'line 1'])
    expect(untaken(source, '3')).toEqual([unmet, 'the case `1` is never matched', two, 'line 1', 'line 1'])
    expect(untaken(source, '2', '1', '3', '4')).toEqual([])
  })

  it('reports unused defaults, assignments that are never made, and errors that are never caught', () => {
    const source = 'const f = (a, b = 1) => { a ??= 2; try { a.b.c } catch {} }'
    expect(untaken(source, '{ b: {} }, 2').toSorted()).toEqual([
      '`a` is never assigned',
      'nothing is ever caught',
      'the default of `b` is never used',
    ])
    expect(untaken(source, '')).toEqual([])
  })

  it('reports lines that are never run, including the bodies of short functions', () => {
    const source = 'const g = (a) =>\n  a + 1\nfunction f(a) {\n  if (a)\n    return g(a)\n  return 0\n}'
    expect(untaken(source, '0').filter((what) => what.startsWith('line'))).toEqual(['line 2', 'line 5'])
    expect(untaken(source, '1').filter((what) => what.startsWith('line'))).toEqual(['line 6'])
  })

  it('does not expect a literal list to be empty', () => {
    const source =
      "const names = ['a']\nconst f = () => { for (const name of names) log(name); for (const b of [1]) log(b) }"
    expect(untaken(source, '')).toEqual([])
  })

  it('preserves methods and optional chains', () => {
    const body = `
      const o = { n: 1, m() { return this.n }, none: undefined }
      log(o?.m()); log(o.m?.()); log(o?.none?.deep.deeper); log((o?.none)?.x); log(o.none?.[log(9)]); log(delete o?.n)
      label: for (const a of [1, 2]) { for (const b of [1, 2]) { if (b > a) continue label; log([a, b]) } }
      do log(3); while (false)
      if (0) log(4); else if (1) for (;;) break; else log(5)
      let x
      x ||= 4
      const { y = x } = {}
      return [x, y, (x, y) && x, (() => ({}))(), x
        ? y : 0]`
    const source = `function f() {${body}}`
    const { code } = instrument(source, parsed(source), names, 0, new Set())
    const call = '\nf().forEach(log)'
    expect(run(code + call).log.map(String)).toEqual(run(source + call).log.map(String))
    expect(run(code + call).log).toContain(3)
  })

  const leaf = fc.constantFrom('a', 'b', '0', '1', 'null', 'undefined', "'x'", 'o', 'o.p', 'log(7)', '[]', '({ p: 1 })')
  const { expression } = fc.letrec<{ expression: string }>((tie) => {
    const e = tie('expression')
    const binary = fc.constantFrom('&&', '||', '+', '===', '<', ',')
    return {
      expression: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        leaf,
        fc.tuple(e, binary, e).map(([l, op, r]) => `(${l} ${op} ${r})`),
        fc.tuple(e, e).map(([l, r]) => `((${l}) ?? (${r}))`),
        fc.tuple(e, e, e).map(([t, l, r]) => `(${t} ? ${l} : ${r})`),
        e.map((x) => `(${x})?.p`),
        e.map((x) => `(${x})?.p?.q?.[log(3)]`),
        e.map((x) => `((c = ${x}) => c)()`),
        e.map((x) => `(() => ${x})()`),
        e.map((x) => `((a ??= ${x}), a)`),
        e.map((x) => `log(${x})`),
      ),
    }
  })
  const { statement } = fc.letrec<{ statement: string }>((tie) => {
    const s = tie('statement')
    const block = fc.array(s, { maxLength: 3 }).map((all) => `{\n${all.join('\n')}\n}`)
    const body = fc.oneof(s, block)
    return {
      statement: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        expression.map((x) => `log(${x})`),
        expression.map((x) => `b = ${x};`),
        fc.tuple(expression, body).map(([t, x]) => `if (${t}) ${x}`),
        fc.tuple(expression, block, body).map(([t, x, y]) => `if (${t}) ${x} else ${y}`),
        fc.tuple(expression, body).map(([t, x]) => `for (let i = 0; i < 2 && ${t}; i++) ${x}`),
        fc.tuple(expression, body).map(([t, x]) => `for (const k of [${t}, 2]) ${x}`),
        fc.tuple(expression, body).map(([t, x]) => `for (const k in ${t}) ${x}`),
        fc
          .tuple(expression, block)
          .map(([t, x]) => `n = 2\nwhile (n-- && ${t}) ${x}`)
          .map((text) => `{ let ${text} }`),
        body.map((x) => `do ${x.startsWith('{') ? x : `{ ${x} }`} while (0)`),
        fc
          .tuple(expression, expression, block, block, fc.boolean())
          .map(([d, t, x, y, falls]) => `switch (${d}) { case ${t}: ${x} ${falls ? '' : 'break;'} case 1: ${y} }`),
        fc.tuple(expression, block).map(([d, x]) => `switch (${d}) { case 0: case 'x': log(1); default: ${x} }`),
        fc.tuple(block, block).map(([x, y]) => `try ${x} catch ${y}`),
        block.map((x) => `out: ${x.replace(/\n\}$/, '\nif (a) break out\n}')}`),
        fc.tuple(expression, block).map(([t, x]) => `next: for (const k of [1, 2]) { if (${t}) continue next; ${x} }`),
        expression.map((x) => `return ${x}`),
      ),
    }
  })

  it('returns the same result, with the same effects in the same order', () => {
    fc.assert(
      fc.property(fc.array(statement, { minLength: 1, maxLength: 6 }), fc.constantFrom('0', '1', 'null'), (body, a) => {
        const source = `function f(a) { let b = 2; const o = { p: { q: [1] } };\n${body.join('\n')}\n}`
        fc.pre(isProgram(source))
        const { code } = instrument(source, parsed(source), names, 0, new Set())
        expect(isProgram(code)).toBe(true)
        const call = `\nreturn f(${a})`
        expect(comparable(run(code + call))).toEqual(comparable(run(source + call)))
      }),
      { numRuns: runsOf(500) },
    )
  })
})

const comparable = ({ value, log }: Ran) => [
  JSON.stringify(value) ?? 'undefined',
  log.map((one) => JSON.stringify(one) ?? 'undefined'),
]

function isProgram(text: string): boolean {
  try {
    parsed(text)
    return true
  } catch {
    return false
  }
}
