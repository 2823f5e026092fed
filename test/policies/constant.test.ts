import { globSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { compileWithFlaws } from '../../src/policy/compile/compile-policy.ts'
import type { ReadModules } from '../../src/policy/compile/read-module.ts'

const packs = fileURLToPath(new URL('../../policies', import.meta.url))

it('no file of the shipped policies is run for every event: with their tables that would take milliseconds', () => {
  const afresh = new Set<string>()
  const read: ReadModules = new Map()
  const files = globSync('*/*.policy.ts', { cwd: packs })
  for (const file of files) {
    const folder = join(packs, file.split(sep)[0] ?? '')
    const { policy } = compileWithFlaws(join(packs, file), (path) => readFileSync(path, 'utf8'), { folder, read })
    for (const { file: module, runs } of policy?.modules ?? []) {
      if (runs !== 'once') afresh.add(`${module}:${runs.line}:${runs.column}: ${runs.why}`)
    }
    expect([file, policy?.modules.length]).not.toContain(undefined)
  }
  expect(files.length).toBeGreaterThan(90)
  expect([...afresh]).toEqual([])
})
