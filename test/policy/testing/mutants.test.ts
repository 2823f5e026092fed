import { parse, type Program } from 'acorn'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { stripTypes } from '../../../src/policy/compile/syntax/strip-types.ts'
import { descriptionNodes } from '../../../src/policy/testing/description-nodes.ts'
import { applyEdit } from '../../../src/policy/testing/mutants/values.ts'
import { mutantsOf } from '../../../src/policy/testing/mutants/index.ts'

const parsed = (text: string): Program => parse(text, { ecmaVersion: 'latest', sourceType: 'module' })

function mutants(source: string) {
  const tree = parsed(source)
  return mutantsOf(source, tree, descriptionNodes(tree))
}

/** Returns the texts of all mutants of a source. */
const changed = (source: string) => mutants(source).map((mutant) => applyEdit(source, mutant))

describe('mutants', () => {
  it.each([
    ['comparisons', 'f(a === b)', ['f(a !== b)']],
    [
      'boundaries',
      'f(a < b, c >= d)',
      ['f(a <= b, c >= d)', 'f(a >= b, c >= d)', 'f(a < b, c > d)', 'f(a < b, c < d)'],
    ],
    ['comparisons behind a comment', 'f(a /* < */ < b)', ['f(a /* < */ <= b)', 'f(a /* < */ >= b)']],
    ['`in`', "f('a' in b)", ["f(!('a' in b))", "f('' in b)"]],
    ['negations', 'f(!a)', ['f(a)']],
    ['`if`', 'if (a) b', ['if (true) b', 'if (false) b']],
    ['`?:`', 'f(a ? b : c)', ['f(true ? b : c)', 'f(false ? b : c)']],
    ['loops', 'while (a) b', ['while (false) b']],
    ['`&&`', 'f(a && b)', ['f((a))', 'f((b))', 'f(a || b)']],
    ['`||`', 'f(a || b)', ['f((a))', 'f((b))', 'f(a && b)']],
    ['`??`', 'f(a ?? b)', ['f((a))', 'f((b))']],
    ['`?.`', 'f(a?.b, a?.[b])', ['f(a.b, a?.[b])', 'f(a?.b, a[b])']],
    ['defaults', 'const g = ({ a = b }) => { a }', ['const g = ({ a }) => { a }']],
    [
      'methods',
      'f(a.startsWith(b), c.some(d))',
      ['f(a.endsWith(b), c.some(d))', 'f(a.includes(b), c.some(d))', 'f(a.startsWith(b), c.every(d))'],
    ],
    [
      'methods that change little',
      'f((a).trim(), b?.toLowerCase())',
      ['f((a), b?.toLowerCase())', 'f((a).trim(), b.toLowerCase())', 'f((a).trim(), b)'],
    ],
    ['numbers', 'f(a - 0)', ['f(a + 0)', 'f(a - 1)', 'f(a - (-1))']],
    ['truth values', 'f(true, false)', ['f(false, false)', 'f(true, true)']],
    ['texts that are compared with', "f(a === 'b', 'c')", ["f(a !== 'b', 'c')", "f(a === '', 'c')"]],
    [
      'texts that are searched for',
      "f(a.has('b'), ['c', `d`])",
      ["f(a.has(''), ['c', `d`])", "f(a.has('b'), ['', `d`])", "f(a.has('b'), ['c', ''])"],
    ],
    ['texts of a case', "switch (a) { case 'b': c }", ["switch (a) { case '': c }"]],
    ['regular expressions', 'f(/^a+/i.test(b))', ['f(/a+/i.test(b))', 'f(/^a*/i.test(b))', 'f(/^a+/.test(b))']],
    ['a pattern that would be a comment', 'f(/^/)', ['f(/(?:)/)']],
    ['what is returned', 'const g = () => { return a }', ['const g = () => { return undefined }']],
    [
      'the result of a predicate',
      'f(a.filter((b) => b.c))',
      ['f(a.filter((b) => undefined))', 'f(a.filter((b) => true))', 'f(a.filter((b) => false))'],
    ],
    ['statements', 'a.push(b)', [';']],
    [
      'effects that are written out',
      "f({ effect: 'deny', reason: 'x' })",
      ["f({ effect: 'ask', reason: 'x' })", "f({ effect: 'allow', reason: 'x' })"],
    ],
  ])('are made of %s', (_, source, wanted) => {
    const tidy = (texts: readonly string[]) => texts.toSorted()
    // A lone statement is dropped too, but here statements only surround the expression under test.
    const whole = source.startsWith('f(') ? [...wanted, ';'] : wanted
    expect(tidy(changed(source))).toEqual(tidy(whole))
  })

  it('are made of every answer, whatever name its function was imported by', () => {
    const source =
      "import { deny as no, context } from 'hookgate/policy'\nconst f = (a) => a(no('x'), [context('y')])\n"
    expect(mutants(source).map(({ was, now, replacement }) => [was, now, replacement])).toEqual([
      ["a(no('x'), [context('y')])", 'undefined', 'undefined'],
      ["no('x')", 'nothing', 'undefined'],
      ["no('x')", "ask('x')", "({ effect: 'ask', reason: ['x'][0] })"],
      ["no('x')", "allow('x')", "({ effect: 'allow', reason: ['x'][0] })"],
      ["context('y')", 'nothing', '...[]'],
    ])
  })

  it('are not made of functions that only share the name of an answer', () => {
    expect(changed("const deny = () => {}\nlet x\nx = deny('x')\n")).toEqual(['const deny = () => {}\nlet x\n;\n'])
  })

  it('leave alone a policy’s metadata, and what only its examples use', () => {
    const source = `import { definePolicy } from 'hookgate/policy'
const base = { tool: 'write', facts: { on: true } }
const cases = [{ name: 'a', given: base, want: ['x', 1 + 2 === 3] }]
const used = [true]
export default definePolicy({
  id: 'a-b', description: 'x' + 'y', on: ['PreToolUse'], tool: ['shell'], onFailure: 'ask',
  facts: { on: { exists: 'a' } },
  params: { most: { type: 'number', minimum: 1, default: 7 } },
  decide: () => { used },
  examples: cases,
})`
    expect(mutants(source).map(({ was, now }) => [was, now])).toEqual([
      ['true', 'false'],
      ['7', '8'],
      ['7', '6'],
    ])
  })

  it('name the example that would notice', () => {
    expect(
      mutants('const g = (a, b) => { if (a.n < b) { return } }').map(({ was, now, hint }) => [was, now, hint]),
    ).toEqual([
      ['a.n < b', 'true', 'an example in which `a.n < b` does not hold'],
      ['a.n < b', 'false', 'an example in which `a.n < b` holds'],
      ['<', '<=', 'an example in which `a.n` is exactly `b`'],
      ['<', '>=', 'an example in which `a.n < b` decides'],
    ])
  })

  it('are distinct texts that parse, for files of this project', () => {
    const src = fileURLToPath(new URL('../../../src/policy', import.meta.url))
    const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
    let made = 0
    for (const file of files.filter((_, index) => index % 4 === 0)) {
      const source = stripTypes(readFileSync(join(src, file), 'utf8'), file)
      if (typeof source !== 'string') throw new Error(file)
      const texts = new Set(changed(source).slice(0, 100))
      made += texts.size
      expect(texts.has(source)).toBe(false)
      for (const text of texts) expect(() => parsed(text)).not.toThrow()
    }
    expect(made).toBeGreaterThan(0)
  })
})
