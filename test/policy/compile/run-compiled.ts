import ivm from 'isolated-vm'
import { existsSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { compiledLibrary } from '../../../src/policy/compile/compile-library.ts'
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

/** Runs modules in an isolate, as the sandbox does, and `body` with the exports of the last as `policy`. */
export function runIsolated(modules: readonly CompiledModule[], body: string): string {
  const isolate = new ivm.Isolate()
  try {
    const context = isolate.createContextSync()
    const run = (
      { code, file }: Pick<CompiledModule, 'code' | 'file'>,
      importOf: (specifier: string) => ivm.Module,
    ) => {
      const module = isolate.compileModuleSync(code, { filename: file })
      module.instantiateSync(context, importOf)
      module.evaluateSync()
      return module
    }
    const freeze = run({ code: 'export const freeze = () => {}', file: 'freeze' }, nothing)
    const runAll = (all: readonly CompiledModule[], library?: ivm.Module) => {
      const done: ivm.Module[] = []
      for (const one of all) {
        const own = (specifier: string) => done[one.imports[specifier] ?? -1] ?? library ?? freeze
        done.push(run(one, (specifier) => (specifier === 'hookgate:freeze' ? freeze : own(specifier))))
      }
      return done.at(-1)
    }
    const policy = runAll(modules, runAll(compiledLibrary().modules))
    if (policy === undefined) throw new Error('there is no module')
    const ask: ivm.Reference = context.evalClosureSync(`return (policy) => { ${body} }`, [], {
      result: { reference: true },
    })
    const said: unknown = ask.applySync(undefined, [policy.namespace.derefInto()])
    return typeof said === 'string' ? said : JSON.stringify(said)
  } finally {
    isolate.dispose()
  }
}

function nothing(): never {
  throw new Error('it imports nothing')
}
