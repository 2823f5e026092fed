import { type AnyNode, parse } from 'acorn'
import fc from 'fast-check'
import ivm from 'isolated-vm'
import { expect, it } from 'vitest'
import { compileWithFlaws } from '../../src/policy/compile/compile-policy.ts'
import { nodesOf } from '../../src/policy/compile/syntax/nodes.ts'
import { parseModule } from '../../src/policy/compile/syntax/parse-module.ts'

/**
 * What `source` becomes, names that nothing declares and all; `undefined` where it is refused. It is taken for instrumented,
 * so that a top level that keeps something is no reason to refuse it.
 */
function compiled(source: string, file: string): string | undefined {
  const read = (path: string) => (path === file ? source : 'export const e = 1')
  return compileWithFlaws(file, read, { folder: '/p', isInstrumented: true }).policy?.modules.at(-1)?.code
}

/**
 * Everything of some statements: what it is and where it stands. A last statement whose end was left out ends with the
 * semicolon that our line begins with.
 */
function placesOf(body: readonly AnyNode[], ourStart: number): readonly string[] {
  return body.flatMap((statement) =>
    [...nodesOf(statement)].map(({ node: { type, start, end } }) => {
      const isLast = end === body.at(-1)?.end && /Statement$|Declaration$/.test(type)
      return `${type} ${start}-${isLast && end <= ourStart + 1 ? 'end' : end}`
    }),
  )
}

const isolate = new ivm.Isolate()

/** INVARIANT: what is compiled is what its author wrote, where it was written, and one statement of ours that comes last. */
function expectContained(source: string, file: string): boolean {
  const code = compiled(source, file)
  if (code === undefined) return false
  const { body } = parse(code, { ecmaVersion: 'latest', sourceType: 'module' })
  const original = parseModule(source, file)
  if ('severity' in original) throw new Error(original.message)
  const ourStart = code.lastIndexOf('\n') + 1
  const ours = body.splice(original.ast.body.length)
  expect(ours.map(({ type }) => type).filter((type) => type !== 'EmptyStatement')).toEqual([
    'ImportDeclaration',
    'ExpressionStatement',
  ])
  expect(placesOf(body, ourStart)).toEqual(placesOf(original.ast.body, ourStart))
  expect(ours.at(-1)?.end).toBe(code.length)
  // The engine reads the same: it takes it, and asks for the same modules.
  const module = isolate.compileModuleSync(code)
  const asked = body.flatMap((one) => ('source' in one && one.source ? [String(one.source.value)] : []))
  expect(new Set(module.dependencySpecifiers)).toEqual(new Set([...asked, 'hookgate:freeze']))
  module.release()
  return true
}

const hostile = [
  '}); evil(); (() => {',
  '}; evil(); export const x = () => {',
  '} evil() {',
  '*/ evil() /*',
  '/* ',
  '`',
  '`${',
  '`${`}; evil(); ${`',
  'export default 1 } evil(); {',
  'export default 1 }; evil(); ({',
  '<!-- \nevil()',
  '--> evil()',
  'let a = 1\n--> evil()',
  'a<!--b',
  '\n#!/bin/sh\nexport default 1',
  'return\nevil()',
  'export default 1; return; evil()',
  'export default class { static { return } }',
  '"use strict"; with (evil) {}',
  'export { evil as default }; import { e as evil } from "./e.js" }; evil(); {',
  'import "./e.js" } evil() {',
  'import { "}; evil(); {" as e } from "./e.js"',
  'import { e as $library } from "./e.js"; import { e as $modules } from "./e.js"; export default $library }',
  '\\u0065xport default 1',
  'e\\u0078port default 1 }; evil(); {',
  'export default function () {} } evil() {',
  'export default /}/ }; evil(); {/',
  'export default 1 /}); evil(); (/ 1 }',
  '})();evil();(function(){',
  'export default 1 //\u2028}; evil(); {',
  'export default () => new.target',
  'new.target; export default 1',
  'export default arguments\nlet arguments',
  'await: evil(); export default 1',
  'yield\nevil()',
]

it.each(hostile)('a source that means to break out is refused: %j', (source) => {
  // With an export of its own, so that it is not refused for having none.
  for (const whole of /export default|as default/.test(source) ? [source] : [source, `${source}\nexport default 1`]) {
    expect(compiled(whole, '/p/a.js')).toBeUndefined()
    expect(compiled(whole, '/p/a.ts')).toBeUndefined()
  }
})

const odd = [
  'export default 1 //',
  'export default "}; evil(); {"',
  'export const a = "\u2028}; evil()"; export default 1',
  'export default `}; evil(); ${"}; evil(); {"}`',
  'export default /[/]}; evil(); {/',
  'let a = 1, b = 2; a\n++\nb\nexport default a /b/ 1',
  'let a = 1\nimport "./e.js"\n(evil); export default 1',
  'let a = evil\nexport {}\n(1); export default 1',
  'let a = evil\nexport * from "./e.js"\n`x`; export default 1',
  'export default function () {}\n(evil)',
  'export default class {}\n[evil]',
  'const $freeze = evil, $freeze$ = evil; export default 1',
  'const \\u{24}freeze = 1, $freeze$ = 2; export default $\\u0066reeze',
  'export default (() => { return; evil() })',
  'export {a as "}; evil(); {"}; const a = 1; export default 1',
  'export {a as "__proto__", a as "\\u2028*/"}; const a = 1; export default 1',
  'import * as e from "./e.js"; import { "e" as f } from "./e.js"; export { e as "*/" }; export default f',
  '#!}; evil(); {\nexport default 1',
  '#!# sourceURL=x*/\nexport/*}*/default/*{*/1/*',
  'a: { break a }\nexport default x => { }\n/evil/g',
  '/*\n*/export/*\u2029*/default\r\nfunction\r*\u2028(){}',
  'do ; while (0) export default 1',
  'if (0) ; else {}\nexport default {}',
].map((source) => (source.endsWith('1/*') ? `${source}*/` : source))

it.each(odd)('a source that is odd and no more stays where it was: %j', (source) => {
  expect(expectContained(source, '/p/a.js')).toBe(true)
})

it('no source that is put together of hostile parts becomes anything else than it was', { timeout: 120_000 }, () => {
  const parts = [
    ...[...hostile, ...odd].flatMap((source) => source.split(/(?<=[;{}\n/*`(])/)),
    ...'{ } ( ) ` ${ /* */ // <!-- --> ; / " \' a => ++ in = : ? , . ... #x @ \\u0024 $library $modules $d'.split(' '),
    '\n',
    '\u2028',
    ' ',
    'export default 1\n',
    'evil()',
    'export {}',
    'import "./e.js"',
    'class A {',
    'function f() {',
    'let ',
    'return ',
    'as any',
  ]
  let contained = 0
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...parts), { maxLength: 6 }),
      fc.constantFrom('\nexport default 1', '\nexport default () => 1', 'export default class {}', ''),
      fc.array(fc.constantFrom(...parts), { maxLength: 3 }),
      fc.constantFrom('/p/a.js', '/p/a.ts'),
      (before, middle, after, file) => {
        if (expectContained([...before, middle, ...after].join(''), file)) contained++
      },
    ),
    { numRuns: 20_000 },
  )
  // Else nothing would have been tried.
  expect(contained).toBeGreaterThan(200)
})

it('no text at all brings the compiler down', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), fc.constantFrom('/p/a.js', '/p/a.ts'), (source, file) => {
      expect([true, false]).toContain(expectContained(source, file))
    }),
    { numRuns: 1000 },
  )
})
