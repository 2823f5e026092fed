import fc from 'fast-check'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { folderWith } from '../../support/workspace.ts'
import { compileFile, modulesOf, nativeImport, runHere } from './run-compiled.ts'

/** A statement of a module; `$` is a number of its own, `%` an earlier module, `&` a name which that one exports. */
interface Form {
  readonly text: string
  /** Names it exports, for later modules to take. */
  readonly exports: readonly string[]
  /** What only one statement of a module may do. */
  readonly once?: string
}

const form = (text: string, exports: readonly string[] = [], once?: string): Form =>
  once === undefined ? { text, exports } : { text, exports, once }
const asDefault = (text: string) => form(text, ['default'], 'default')

const forms: readonly Form[] = [
  form('export const a$ = $', ['a$']),
  form('export const { b$, c$: [d$ = 4, ...e$] } = { b$: $, c$: [undefined, 2] }', ['b$', 'd$', 'e$']),
  form('export function f$() { return typeof g$ }\nexport class g$ { static v = $ }', ['f$', 'g$']),
  form("const h$ = 'h'; export { h$, h$ as i$, h$ as 'odd name $' }", ['h$', 'i$', 'odd name $']),
  form('const p$ = $; export { p$ as __proto__ }', ['__proto__'], '__proto__'),
  form('export const same = $', ['same'], 'same'),
  form('export {}'),
  asDefault('export default $ + 2'),
  asDefault("export default function () { return 'd' }\n(1)"),
  asDefault('export default class { static v = 2 }\n;[1]'),
  asDefault('export default function * () { yield 1 }'),
  asDefault("export default\n/* c\n */ ['x']"),
  asDefault('export/**/default/re/.source'),
  asDefault('export default(a => a)(3)'),
  asDefault('export default function named() { return typeof named }\n`x`'),
  asDefault("export\ndefault\nfunction\n() { return 'lines' }"),
  asDefault('const z$ = 1; export { z$ as default }'),
]
const importing: readonly Form[] = [
  form("import './%'"),
  form("import * as n$ from './%'\nexport const s$ = Object.keys(n$).join()", ['s$']),
  form("export * from './%'"),
  form("export * as t$ from './%'", ['t$']),
  form("import { '&' as u$ } from './%'\nexport { u$ }", ['u$']),
  form("import * as v$ from './%'\nexport { v$ as w$ }", ['w$']),
  form("export { '&' as x$ } from './%'", ['x$']),
  form("import { '&' as y$ } from './%'; export const j$ = typeof y$", ['j$']),
]

interface Choice {
  readonly pick: number
  readonly target: number
  readonly name: number
  /** Whether lines stand before and behind it that end and begin a statement only because of it. */
  readonly bare: boolean
}
const choice = fc.record<Choice>({ pick: fc.nat(999), target: fc.nat(99), name: fc.nat(99), bare: fc.boolean() })

/** Modules that import only those before them; the last is the entry. */
function graphOf(modules: readonly (readonly Choice[])[]): Record<string, string> {
  const exported: string[][] = []
  let count = 0
  return Object.fromEntries(
    modules.map((choices, index) => {
      const done = new Set<string>()
      const names: string[] = []
      const lines = [`globalThis.order.push(${index})`]
      const all = index === 0 ? forms : [...forms, ...importing, ...importing]
      const last = index === modules.length - 1
      for (const { pick, target, name, bare } of choices) {
        const { text, exports, once } = all[pick % all.length] ?? form('')
        const from = target % Math.max(index, 1)
        const offered = exported[from] ?? []
        const taken = offered[name % Math.max(offered.length, 1)]
        if ((once !== undefined && done.has(once)) || (text.includes('&') && taken === undefined)) continue
        if (once !== undefined) done.add(once)
        const number = String(++count)
        const numbered = (one: string) => one.replaceAll('$', number)
        const written = numbered(text)
          .replaceAll('%', `m${from}.mjs`)
          .replaceAll('&', taken ?? '')
        // What follows must not be taken for a part of what stands before it.
        const alone = /^(?:import|export [{*])/.test(written) && !written.includes('const')
        lines.push(bare && alone ? `var q${number} = 1\n${written}\n(2)` : written)
        names.push(...exports.map(numbered))
      }
      if (last && !done.has('default')) lines.push('export default 1')
      exported.push(names)
      return [`m${index}.mjs`, lines.join('\n')]
    }),
  )
}

/** What a module's exports are, as far as it can be seen from outside. */
function seen(value: unknown): unknown {
  if (typeof value === 'function') {
    if ('v' in value) return ['class', value.v]
    const result = (value as () => unknown)()
    return typeof result === 'object' && result !== null && 'next' in result ? ['generator'] : ['function', result]
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.keys(value).map((name) => [name, seen(Reflect.get(value, name))])
}

it('modules export what they export in Node, and run in the same order, however they import each other', async () => {
  const run = { order: [] as number[] }
  Object.assign(globalThis, run)
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(choice, { maxLength: 7 }), { minLength: 1, maxLength: 6 }), async (modules) => {
      run.order.splice(0)
      const texts = graphOf(modules)
      const entry = join(folderWith(texts), `m${modules.length - 1}.mjs`)
      const compiled = modulesOf(compileFile(entry))
      const theirs = await nativeImport(pathToFileURL(entry).href)
      const theirOrder = run.order.splice(0)
      const ours = await runHere(compiled)
      expect(seen(ours)).toEqual(seen(theirs))
      expect(run.order.splice(0)).toEqual(theirOrder)
    }),
    { numRuns: 150 },
  )
})
