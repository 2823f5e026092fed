import { globSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { compileWithFlaws } from '../../src/policy/compile/compile-policy.ts'
import type { ReadModules } from '../../src/policy/compile/read-module.ts'

const packs = fileURLToPath(new URL('../../policies', import.meta.url))

it('every shipped policy compiles: the top level of its files cannot keep state', () => {
  const read: ReadModules = new Map()
  const files = globSync('*/*.policy.ts', { cwd: packs })
  const problems = files.flatMap((file) => {
    const folder = join(packs, file.split(sep)[0] ?? '')
    return compileWithFlaws(join(packs, file), (path) => readFileSync(path, 'utf8'), { folder, read }).problems
  })
  expect(files.length).toBeGreaterThan(90)
  expect(problems).toEqual([])
})
