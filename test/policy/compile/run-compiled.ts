import ivm from 'isolated-vm'
import { existsSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { compiledLibrary } from '../../../src/policy/compile/compile-library.ts'
import { compilePolicy } from '../../../src/policy/compile/compile-policy.ts'
import { type Problem, problemText } from '../../../src/model/errors.ts'
import type { CompiledModule } from '../../../src/model/policy.ts'

const readFrom = (path: string) => (existsSync(path) ? readFileSync(path, 'utf8') : undefined)

/** Compiles texts that exist only in the test, not on disk. */
export function compileTexts(texts: Readonly<Record<string, string>>, file = Object.keys(texts)[0] ?? '') {
  return compilePolicy(`/policies/${file}`, (path) => texts[path.replace('/policies/', '')], { folder: '/policies' })
}

export function compileFile(file: string, folder = dirname(file)) {
  return compilePolicy(file, readFrom, { folder })
}

/** Formats each problem as `line:column: message; remedy`; there are none if it compiles. */
export function problemsOf(result: ReturnType<typeof compilePolicy>): readonly string[] {
  if ('modules' in result) return []
  return result.map((problem: Problem) => problemText(problem).replace('/policies/', ''))
}

export function modulesOf(result: ReturnType<typeof compilePolicy>): readonly CompiledModule[] {
  if ('modules' in result) return result.modules
  throw new Error(problemsOf(result).join('\n'))
}

/** Runs modules in an isolate, as the sandbox does, then `body` with the last module's exports as `policy`. */
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
    const result: unknown = ask.applySync(undefined, [policy.namespace.derefInto()])
    return typeof result === 'string' ? result : JSON.stringify(result)
  } finally {
    isolate.dispose()
  }
}

function nothing(): never {
  throw new Error('it imports nothing')
}
