import { mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { folderWith } from '../support/workspace.ts'

const quickImports = fileURLToPath(new URL('../../src/cli/quick-imports.ts', import.meta.url))
const zod = fileURLToPath(new URL('../../node_modules/zod/', import.meta.url))

/** Runs a program in a temporary package with the import hook, and returns what it prints. */
function printedBy(files: Readonly<Record<string, string>>): string {
  const folder = folderWith({ 'package.json': { json: { type: 'module' } }, ...files })
  mkdirSync(join(folder, 'node_modules'), { recursive: true })
  symlinkSync(zod, join(folder, 'node_modules', 'zod'))
  const start = `import { quickImports } from ${JSON.stringify(quickImports)}\nquickImports()\nawait import('${folder}/main.js')`
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', start], { encoding: 'utf8' })
  return stdout || stderr
}

describe('quick imports', () => {
  it('skip zod’s unused locales, and nothing else of it', () => {
    const main = `import { z } from 'zod'
import module from 'node:module'
const issue = z.strictObject({ a: z.email() }).safeParse({ a: 1, b: 2 }).error.issues
console.log(JSON.stringify(issue.map(({ message }) => message)), typeof z.toJSONSchema, 'de' in z.locales, 'en' in z.locales)`
    expect(printedBy({ 'main.js': main })).toBe(
      `["Invalid input: expected string, received number","Unrecognized key: \\"b\\""] function false false\n`,
    )
  })

  it('leave other packages to Node: a CommonJS package still loads', () => {
    const main = `import { name } from 'other'\nconsole.log(name)`
    const files = {
      'main.js': main,
      'node_modules/other/package.json': '{"name":"other","exports":{"import":"./wrapper.mjs"}}',
      'node_modules/other/wrapper.mjs': `import common from './common.js'\nexport const { name } = common\n`,
      'node_modules/other/common.js': `exports.name = 'common'\n`,
    }
    expect(printedBy(files)).toBe('common\n')
  })

  it('skip the only list of locales that zod’s files import', () => {
    const lists = readdirSync(join(zod, 'v4'), { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('locales/index.js'),
    )
    expect(lists).toEqual(['locales/index.js'])
  })
})
