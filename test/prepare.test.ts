import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { asOldNode } from './support/old-node.ts'
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
      "This machine's Node is 20.20.2: npm scripts and `hookgate` run on the Node 24 in node_modules.\n",
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

describe('npm’s other scripts', () => {
  const { scripts } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    readonly scripts: { readonly preinstall: string; readonly postinstall: string }
  }
  const run = (line: string, env: Readonly<Record<string, string>> = {}) => {
    const cwd = folderWith({})
    const PATH = `${dirname(process.execPath)}:${process.env['PATH']}`
    return { cwd, ...spawnSync(line, { cwd, shell: true, encoding: 'utf8', env: { PATH, ...env } }) }
  }

  it('refuse an old Node, on which a package below would fail with errors of its compiler', () => {
    expect(run(scripts.preinstall)).toMatchObject({ status: 0, stderr: '' })
    expect(run(scripts.preinstall, { NODE_OPTIONS: asOldNode.join(' ') })).toMatchObject({
      status: 1,
      stderr: 'hookgate needs Node 24 or newer, and this is Node 20.0.0\n',
    })
  })

  it('record the Node that npm runs on, for a `PATH` that starts with an older one', () => {
    const { cwd, status } = run(scripts.postinstall)
    expect({ status, recorded: readFileSync(join(cwd, 'installed-with'), 'utf8') }).toEqual({
      status: 0,
      recorded: process.execPath,
    })
  })
})
