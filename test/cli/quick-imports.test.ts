import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { folderWith } from '../support/workspace.ts'

const quickImports = fileURLToPath(new URL('../../src/cli/start/quick-imports.ts', import.meta.url))

/** Runs a program in a temporary package with the import hook, and returns what it prints. */
function printedBy(files: Readonly<Record<string, string>>): string {
  const folder = folderWith({ 'package.json': { json: { type: 'module' } }, ...files })
  const start = `import { quickImports } from ${JSON.stringify(quickImports)}\nquickImports()\nawait import('${folder}/main.js')`
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', start], { encoding: 'utf8' })
  return stdout || stderr
}

describe('quick imports', () => {
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
})
