import { readFileSync } from 'node:fs'
import type { PlaceOf } from '../../../model/problem.ts'
import { parseModule } from './parse-module.ts'
import { placeInDefinition } from './place-in-definition.ts'

/** Returns a function that finds parts of a policy's definition in its file. The file is parsed lazily. */
export function placesIn(file: string): PlaceOf {
  let module: ReturnType<typeof parseModule> | undefined
  const start = { file, line: 1, column: 1 }
  return (path) => {
    try {
      module ??= parseModule(readFileSync(file, 'utf8'), file)
    } catch {
      // The file was deleted after it was compiled.
      return start
    }
    return ('severity' in module ? undefined : placeInDefinition(module, path)) ?? start
  }
}
