import { readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { HookgateError } from '../../../model/errors.ts'
import type { CompiledModule } from '../../../model/policy.ts'
import { problemText } from '../../problem.ts'
import { factoryOf } from './factory.ts'
import { exportsOf } from './linked-exports.ts'
import { interfaceOf } from './module-interface.ts'
import { parseModule } from './parse-module.ts'

interface Library {
  readonly module: CompiledModule
  readonly names: ReadonlySet<string>
}

let compiled: Library | undefined

/** `hookgate/policy`, made into a factory like every module of a policy. */
export function compileLibrary(): CompiledModule {
  return library().module
}

/** What a policy can import from it. */
export function libraryNames(): ReadonlySet<string> {
  return library().names
}

function library(): Library {
  compiled ??= compile()
  return compiled
}

function compile(): Library {
  const file = fileURLToPath(new URL(`../../../policy${extname(import.meta.url)}`, import.meta.url))
  const parsed = parseModule(readFileSync(file, 'utf8'), file)
  if ('severity' in parsed) throw new HookgateError('internal', problemText(parsed))
  const { exports } = exportsOf(interfaceOf(parsed), file, [])
  const module = factoryOf(parsed, interfaceOf(parsed), [], exports)
  return { module, names: new Set(exports.map(({ as }) => as)) }
}
