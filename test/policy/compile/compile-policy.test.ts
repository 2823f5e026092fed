import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { limits } from '../../../src/model/limits.ts'
import { folderWith } from '../../support/workspace.ts'
import { compileFile, compileTexts, modulesOf, problemsOf, runIsolated } from './run-compiled.ts'
import { policyModulesMax } from '../../../src/policy/compile/compile-policy.ts'
import { policyNamesMax } from '../../../src/policy/compile/syntax/parse-module.ts'

const last = '\nexport default 1'
const problemsIn = (source: string, file = 'a.js') => problemsOf(compileTexts({ [file]: source + last }))

describe('a compiled policy', () => {
  it('has the whole library', () => {
    const result = compileTexts({
      'a.ts': `import { definePolicy, deny, type Policy } from 'hookgate/policy'
        export default definePolicy({ id: 'a', description: 'A', on: 'PreToolUse', decide: () => deny('no') })`,
    })
    expect(runIsolated(modulesOf(result), 'return policy.default.id')).toBe('a')
    expect(runIsolated(modulesOf(result), 'return JSON.stringify(policy.default.decide())')).toBe(
      '{"effect":"deny","reason":"no"}',
    )
  })

  it.each([
    ['a function without a name', 'export default function () { return 7 }'],
    ['words on lines of their own', 'export\ndefault\nfunction\n() { return 7 }'],
    ['comments between the words', 'export/* export */default// 1\n/* 2 */function/* 3 */() { return 7 }'],
    ['a named function', 'export default function seven() { return 7 }'],
    ['what is hoisted', 'const f = later()\nexport default () => f\nfunction later() { return 7 }'],
    ['a name that is ours', 'const $freeze = 3, $freeze$ = 4\nexport default () => $freeze + $freeze$'],
    ['our name, escaped', 'const \\u0024freeze = 7\nexport default () => $freeze'],
    ['`this` of a module', 'export default () => (this === undefined ? 7 : 0)'],
    ['a script’s first line', '#!/usr/bin/env node\nexport default () => 7'],
    ['a byte order mark', '\ufeffexport default () => 7'],
    ['a last line that is a comment', 'export default () => 7 //'],
    ['a last statement without its end', 'export default () => 7'],
  ])('exports %s as it stands', (_, source) => {
    expect(runIsolated(modulesOf(compileTexts({ 'a.js': source })), 'return policy.default()')).toBe('7')
  })

  it('throws at the line and the column of its source', () => {
    const source = `#!/usr/bin/env node
import { deny } from 'hookgate/policy'; import { named } from './b.ts'
export default { decide(a: { b: string }) { const c = a satisfies object; named(); throw new Error(deny('no').reason) } }`
    const texts = { 'a.ts': source, 'b.ts': 'export function named(a?: 1) { if (a) throw new TypeError() }' }
    const modules = modulesOf(compileTexts(texts))
    const column = source.split('\n')[2]?.indexOf('new Error') ?? 0
    const stack = runIsolated(modules, 'try { policy.default.decide({}) } catch (error) { return error.stack }')
    expect(stack).toContain(`/policies/a.ts:3:${column + 1}`)
  })

  it('throws at its own file, whatever name a comment in it claims', () => {
    const modules = modulesOf(
      compileTexts({
        'a.js':
          '#!# sourceURL=/x.js\nexport default () => { throw new Error() }\n//# sourceURL=/x.js\n//@ sourceURL=/y.js',
      }),
    )
    const stack = runIsolated(modules, 'try { policy.default() } catch (error) { return error.stack }')
    expect(stack).toContain('/policies/a.js:2:')
    expect(stack).not.toMatch(/[xy]\.js/)
  })

  it('contains a module that is imported twice only once, and in the order in which Node runs them', () => {
    const modules = modulesOf(
      compileTexts({
        'a.js': "import './b.js'; import './c.js'; export default 1",
        'b.js': "import './d.js'",
        'c.js': "import './d.js'",
        'd.js': '',
      }),
    )
    expect(modules.map(({ file }) => file.slice(-4))).toEqual(['d.js', 'b.js', 'c.js', 'a.js'])
  })

  it('has neither of two different exports with the same name, and one of two identical ones', () => {
    const texts = {
      'a.js': "export * from './b.js'; export * from './c.js'; export * from './d.js'; export default 1",
      'b.js': 'export const one = 1, both = 1',
      'c.js': 'export const both = 2',
      'd.js': "export { one } from './b.js'",
    }
    expect(runIsolated(modulesOf(compileTexts(texts)), 'return String(Object.keys(policy))')).toBe('default,one')
    const asking = { 'e.js': "export { both as default } from './a.js'", ...texts }
    expect(problemsOf(compileTexts(asking))[0]).toContain('`./a.js` has several exports named `both`')
  })

  it('has a digest that changes only with its files and their names', () => {
    const digest = (texts: Record<string, string>) => {
      const result = compileTexts({ 'a.js': `import './${Object.keys(texts)[0]}'${last}`, ...texts })
      return 'digest' in result ? result.digest : ''
    }
    expect(digest({ 'b.js': '1' })).toBe(digest({ 'b.js': '1' }))
    expect(new Set([digest({ 'b.js': '1' }), digest({ 'b.js': '2' }), digest({ 'c.js': '1' })]).size).toBe(3)
  })
})

describe('what no policy may contain is refused with its place', () => {
  it.each([
    ['async function f() {}', '1:1'],
    ['const f = async () => 1', '1:11'],
    ['const o = { async m() {} }', '1:13'],
    ['class A {\n  static async *m() {}\n}', '2:3'],
    ["import('./b.js')", '1:1'],
    ['const u = import.meta.url', '1:11'],
    ['await 1', '1:1'],
    ['let a = 1; 2 <!--a', '1:14'],
    ['for await (const a of []) {}', '1:1'],
    ['{ await using a = null }', '1:3'],
    ['export let a = 1', '1:8'],
    ['export var a = 1', '1:8'],
    ['let a = 1; export { a }', '1:1'],
    ['export function f() {}\nfunction g() { f = 1 }', '2:16'],
    ["import 'node:fs'", '1:8'],
    ["import './%62.js'", '1:8'],
    ["import '../b.js'", '1:8'],
    ["import '/policies/b.js'", '1:8'],
    ["import './b.json'", '1:8'],
    ["import { a } from './a.js'", '1:19'],
    ["import { denied } from 'hookgate/policy'", '1:10'],
    ["import hookgate from 'hookgate/policy'", '1:8'],
    ["import { deny } from 'hookgate/policy' with { type: 'json' }", '1:47'],
    ['const a = ', '2:1'],
  ])('%s', (source, place) => {
    const [first] = problemsIn(source)
    expect(first).toContain(`a.js:${place}: `)
  })

  it.each([
    ['\tenum A { b }', '1:2'],
    ['const a = "😀漢"; enum A { b }', '1:18'],
    ['namespace A { export const b = 1 }', '1:1'],
    ['class A { constructor(private a: 1) {} }', '1:31'],
    ['let a: = 1', '1:8'],
  ])('in TypeScript: %s', (source, place) => {
    expect(problemsIn(source, 'a.ts')[0]).toContain(`a.ts:${place}: `)
  })

  it('every mistake is reported, each with a fitting remedy', () => {
    const texts = {
      'a.ts': `import { dney } from 'hookgate/policy'
        import './b'
        import './c.js'
        import { absent } from './b.ts'
        export let a`,
      'b.ts': 'export const present = 1',
      'c.ts': '',
    }
    expect(problemsOf(compileTexts(texts)).toSorted()).toEqual([
      'a.ts:1:10: `hookgate/policy` has no `dney`; did you mean `deny`?',
      'a.ts:2:16: `./b`: there is no such file; write `./b.ts`',
      'a.ts:3:16: `./c.js`: there is no such file; write `./c.ts`',
      'a.ts:4:18: `./b.ts` has no `absent`; it has `present` (a type is imported with `import type`)',
      'a.ts:5:16: a `let` variable cannot stand at the top level of a policy: it could keep something from one event to the next; declare it with `const`, or inside of `decide`',
    ])
  })

  it('a circular import is reported with its files', () => {
    const texts = { 'a.js': `import './b.js'${last}`, 'b.js': "import './c.js'", 'c.js': "import './b.js'" }
    expect(problemsOf(compileTexts(texts))).toEqual([
      'c.js:1:8: `./b.js`: imports go in a circle: b.js → c.js → b.js; move what both need into a file of its own',
    ])
  })

  it('a file that exports no policy', () => {
    expect(problemsOf(compileTexts({ 'a.js': '1' }))[0]).toContain('`export default definePolicy({…})`')
  })

  it('a missing file, and one that cannot be read', () => {
    expect(problemsOf(compileTexts({}, 'a.js'))).toEqual(['a.js:1:1: there is no such file'])
  })

  it('the target of a symbolic link outside of its folder', () => {
    const folder = folderWith({
      'in/a.js': `import { secret } from './link.js'${last}`,
      'out.js': 'export const secret = 1',
    })
    symlinkSync('../out.js', join(folder, 'in/link.js'))
    expect(problemsOf(compileFile(join(folder, 'in/a.js')))[0]).toContain('leads outside')
  })

  it('a link inside of the folder is accepted, as the module it leads to', () => {
    const folder = folderWith({ 'a.js': `import './link.js'; import './b.js'${last}`, 'b.js': '' })
    symlinkSync('b.js', join(folder, 'link.js'))
    expect(modulesOf(compileFile(join(folder, 'a.js')))).toHaveLength(2)
  })
})

describe('limits', () => {
  const [big, many] = ['x'.repeat(limits.policyFileBytesMax), policyModulesMax]
  const deep = (open: string, close: string, count: number) => `const x = ${open.repeat(count)}1${close.repeat(count)}`

  it('the size of a file, and of all files together, is limited', () => {
    expect(problemsIn(`/*${big}*/`)[0]).toContain('larger than')
    const files = Array.from({ length: 5 }, (_, at) => [`b${at}.js`, `/*${big.slice(999)}*/`] as const)
    const imports = files.map(([name]) => `import './${name}'`)
    expect(problemsOf(compileTexts({ 'a.js': imports.join('\n') + last, ...Object.fromEntries(files) }))).toEqual([
      expect.stringContaining('files are larger than'),
    ])
  })

  it('the number of files of a policy is limited', () => {
    const files = Array.from({ length: many }, (_, at) => [`b${at}.js`, ''] as const)
    const graph = (count: number) => ({
      'a.js':
        files
          .slice(0, count)
          .map(([name]) => `import './${name}'\n`)
          .join('') + last,
      ...Object.fromEntries(files),
    })
    expect(modulesOf(compileTexts(graph(many - 1)))).toHaveLength(many)
    expect(problemsOf(compileTexts(graph(many)))).toEqual([expect.stringContaining(`more than ${many} files`)])
  })

  it.each(['a.js', 'a.ts'])('the nesting of %s is limited, and extreme nesting does no harm', (file) => {
    expect(problemsIn(deep('[', ']', 400), file)).toEqual([])
    for (const source of [
      deep('[', ']', 600),
      deep('(', ')', 1e5),
      deep('a=>', '', 1e5),
      deep('-', '', 1e5),
      '{'.repeat(1e5),
    ]) {
      expect(problemsIn(source, file)).toEqual([expect.stringContaining('is nested too deeply')])
    }
    expect(problemsIn(`let a: ${'['.repeat(1e5)}`, 'a.ts')).toEqual([expect.stringContaining('is nested too deeply')])
    expect(problemsIn('const a = 1', file)).toEqual([])
  })

  it('the number of names that a file declares is limited', () => {
    const names = (count: number) =>
      `const f = () => { let ${Array.from({ length: count }, (_, at) => `a${at.toString(36)}`).join(',')} }`
    expect(problemsIn(names(policyNamesMax - 10))).toEqual([])
    expect(problemsIn(names(policyNamesMax + 10))).toEqual([expect.stringContaining('too many names')])
    expect(problemsIn(`function f() ${'{'.repeat(400)}${'var a;'.repeat(1000)}${'}'.repeat(400)}`)).toEqual([
      expect.stringContaining('too many names'),
    ])
  })

  it('a file of only mistakes gets some of them reported', () => {
    expect(problemsIn('import.meta;'.repeat(10_000))).toHaveLength(limits.policyProblemsMax)
    const imports = Array.from({ length: 5000 }, (_, at) => `import { a${at} } from './x${at}.js'`)
    expect(problemsIn(imports.join('\n'))).toHaveLength(limits.policyProblemsMax)
  })
})
