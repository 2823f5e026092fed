import ivm from 'isolated-vm'
import { existsSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { constants, runInThisContext } from 'node:vm'
import { compileLibrary } from '../../../src/policy/compile/library/compile-library.ts'
import { compilePolicy } from '../../../src/policy/compile/compile-policy.ts'
import { type Problem, problemText } from '../../../src/model/problem.ts'
import type { CompiledModule } from '../../../src/model/policy.ts'

const readFrom = (path: string) => (existsSync(path) ? readFileSync(path, 'utf8') : undefined)

/** Compiles texts that stand nowhere but in the test. */
export function compileTexts(texts: Readonly<Record<string, string>>, file = Object.keys(texts)[0] ?? '') {
  return compilePolicy(`/policies/${file}`, (path) => texts[path.replace('/policies/', '')], { folder: '/policies' })
}

export function compileFile(file: string, folder = dirname(file)) {
  return compilePolicy(file, readFrom, { folder })
}

/** `line:column: message; remedy` of each problem; nothing of what compiles. */
export function problemsOf(result: ReturnType<typeof compilePolicy>): readonly string[] {
  if ('modules' in result) return []
  return result.map((problem: Problem) => problemText(problem).replace('/policies/', ''))
}

export function modulesOf(result: ReturnType<typeof compilePolicy>): readonly CompiledModule[] {
  if ('modules' in result) return result.modules
  throw new Error(problemsOf(result).join('\n'))
}

/** Node's own `import`, past vitest's. */
export const nativeImport = runInThisContext('(url) => import(url)', {
  importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
}) as (url: string) => Promise<Record<string, unknown>>

type Factory = (library: object, modules: readonly object[]) => object

/** Runs factories in this process, each a module of its own, and returns the exports of the last. */
export async function runHere(modules: readonly CompiledModule[]): Promise<object> {
  const exports: object[] = []
  const factoryOf = async ({ code }: CompiledModule) =>
    (await nativeImport(`data:text/javascript,${encodeURIComponent(code)}`))['default'] as Factory
  const library = (await factoryOf(compileLibrary()))({}, [])
  for (const module of modules) {
    const taken = module.imports.map((at) => exports[at] ?? {})
    // oxlint-disable-next-line no-await-in-loop -- each is given what came before it
    exports.push((await factoryOf(module))(library, taken))
  }
  return exports.at(-1) ?? {}
}

/** Runs factories in an isolate, as the sandbox does, and `body` with the exports of the last as `policy`. */
export function runIsolated(modules: readonly CompiledModule[], body: string): string {
  const isolate = new ivm.Isolate()
  try {
    const context = isolate.createContextSync()
    for (const [index, { code, file }] of [compileLibrary(), ...modules].entries()) {
      const module = isolate.compileModuleSync(code, { filename: file, lineOffset: -1 })
      module.instantiateSync(context, () => {
        throw new Error('a factory imports nothing')
      })
      module.evaluateSync()
      const factory = module.namespace.getSync('default', { reference: true })
      context.global.setSync(`factory${index}`, factory.derefInto())
    }
    const steps = modules.map(({ imports }, index) => {
      const taken = imports.map((at) => `all[${at}]`).join()
      return `all.push(factory${index + 1}(library, [${taken}]))`
    })
    const program = `const library = factory0({}, []), all = []; ${steps.join(';')}; const policy = all.at(-1); ${body}`
    return String(context.evalClosureSync(program))
  } finally {
    isolate.dispose()
  }
}
