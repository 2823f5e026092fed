import { readFileSync } from 'node:fs'
import type { PlaceOf } from '../../../model/problem.ts'
import { parseModule } from './parse-module.ts'
import { placeInDefinition } from './place-in-definition.ts'

/** Where a part of what a policy says of itself stands in its file, which is parsed only if that is asked. */
export function placesIn(file: string): PlaceOf {
  let module: ReturnType<typeof parseModule> | undefined
  const start = { file, line: 1, column: 1 }
  return (path) => {
    try {
      module ??= parseModule(readFileSync(file, 'utf8'), file)
    } catch {
      // It has vanished since it was compiled.
      return start
    }
    return ('severity' in module ? undefined : placeInDefinition(module, path)) ?? start
  }
}
