import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { folderWith, writeFiles } from './support/workspace.ts'

const script = fileURLToPath(new URL('../.ci/prepare.js', import.meta.url))

/** A package whose build writes one file. */
function packageFolder() {
  const build = `node -e "fs.writeFileSync('built', '')"`
  const folder = folderWith({ 'package.json': { json: { type: 'module', scripts: { build } } } })
  copyFileSync(script, join(folder, 'prepare.js'))
  return folder
}

/** Runs the script as npm's command does, with the Node that npm runs on. */
const prepared = (cwd: string, command: string, node: string) =>
  execFileSync(process.execPath, ['prepare.js'], {
    cwd,
    encoding: 'utf8',
    env: {
      PATH: process.env['PATH'],
      npm_command: command,
      npm_config_user_agent: `npm/11.0.0 node/v${node} linux x64`,
    },
  })

describe('npm’s prepare', () => {
  it('builds, and names the Node that runs hookgate, if the machine’s own is too old', () => {
    const folder = packageFolder()
    expect(prepared(folder, 'ci', '20.20.2')).toBe(
      "This machine's Node is 20.20.2: npm scripts and `npx hookgate` run on the Node 24 in node_modules.\n",
    )
    expect(existsSync(join(folder, 'built'))).toBe(true)
    expect(prepared(folder, 'ci', '24.1.0')).toBe('')
  })

  it('does not build again for `npx`, which links the folder', () => {
    const folder = packageFolder()
    writeFiles(folder, { 'dist/cli/bin.js': '' })
    expect(prepared(folder, 'exec', '20.20.2')).toBe('')
    expect(existsSync(join(folder, 'built'))).toBe(false)
  })
})
