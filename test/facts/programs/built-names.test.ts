import { globSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { runInThisContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { namesModule } from '../../../build/families.ts'
import { families } from '../../../src/facts/programs/families.ts'
import { namedFamilies } from '../../../src/facts/programs/family-names.ts'

const Built = z.array(
  z.object({ names: z.array(z.string()), load: z.custom<() => unknown>((load) => typeof load === 'function') }),
)
/** The module as a function of what loads its files. */
const Module = z.custom<(require: (path: string) => unknown) => unknown>((made) => typeof made === 'function')

const folder = fileURLToPath(new URL('../../../src/facts/programs/', import.meta.url))

/** Runs the module that the build puts in. @param required gets the paths of the files that it loads */
async function builtFamilies(required: string[]) {
  const paths = globSync('families/**/*.ts', { cwd: folder })
  const files = new Map<string, unknown>(
    await Promise.all(
      paths.map(async (path) => [`./${path}`, await import(pathToFileURL(`${folder}${path}`).href)] as const),
    ),
  )
  const text = (await namesModule()).replace('export const namedFamilies =', 'return')
  const made = Module.parse(runInThisContext(`(require) => { ${text} }`))((path) => {
    required.push(path)
    return files.get(path)
  })
  return Built.parse(made)
}

describe('the names of programs in the built program', () => {
  it('lead to the family that the source has under the same names', async () => {
    const built = await builtFamilies([])
    expect(built.map(({ names }) => names)).toEqual(namedFamilies.map(({ names }) => names))
    for (const [at, { load }] of built.entries()) expect(load()).toBe(families[at])
  })

  it('are there before any family is loaded, and each family is loaded alone', async () => {
    const required: string[] = []
    const built = await builtFamilies(required)
    expect(required).toEqual([])
    built.find(({ names }) => names.includes('terraform'))?.load()
    expect(required).toEqual(['./families/terraform.ts'])
  })
})
