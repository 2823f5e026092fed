import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { asNode } from './support/old-node.ts'
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
  const { scripts, engines, devDependencies } = JSON.parse(
    readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
  ) as {
    readonly scripts: { readonly preinstall: string; readonly postinstall: string }
    readonly engines: { readonly node: string }
    readonly devDependencies: Readonly<Record<string, string>>
  }
  const root = fileURLToPath(new URL('..', import.meta.url))
  const run = (line: string, env: Readonly<Record<string, string>> = {}, cwd = folderWith({})) => {
    const PATH = `${dirname(process.execPath)}:${process.env['PATH']}`
    return { cwd, ...spawnSync(line, { cwd, shell: true, encoding: 'utf8', env: { PATH, ...env } }) }
  }

  it('refuse a Node for which a package below was not made, as `engines` says it', () => {
    const check = (env: Readonly<Record<string, string>> = {}) => run(scripts.preinstall, env, root)
    expect(check()).toMatchObject({ status: 0, stderr: '' })
    const taken = ['20.0.0', '24.0.0', '24.14.9', '24.15.0', '24.21.0', '25.9.0', '26.0.0', '27.1.0'].filter(
      (version) => check({ NODE_OPTIONS: asNode(version).join(' ') }).status === 0,
    )
    expect(taken).toEqual(['24.15.0', '24.21.0', '26.0.0', '27.1.0'])
    expect(engines.node).toBe('^24.15.0 || >=26.0.0')
    expect(check({ NODE_OPTIONS: asNode('20.0.0').join(' ') }).stderr).toBe(
      'hookgate needs Node 24 (from 24.15) or Node 26 and newer, and this is Node 20.0.0: install one of them, put it first on the PATH, and run this again\n',
    )
    // npm prints the line itself beside what it says: a program in it would be all that a person sees.
    expect(scripts.preinstall).toBe('node .ci/check-node.cjs')
  })

  it('ask for no less of Node 24 than the packages that are built in', () => {
    const asked = Object.keys(devDependencies).map((name) => {
      const file = new URL(`../node_modules/${name}/package.json`, import.meta.url)
      const own = JSON.parse(readFileSync(file, 'utf8')) as { readonly engines?: { readonly node?: string } }
      return Number(/\^24\.(\d+)/.exec(own.engines?.node ?? '')?.[1] ?? 0)
    })
    expect(Math.max(...asked)).toBe(15)
  })

  it('record the Node that npm runs on, for a `PATH` that starts with an older one', () => {
    const { cwd, status } = run(scripts.postinstall)
    expect({ status, recorded: readFileSync(join(cwd, 'installed-with'), 'utf8') }).toEqual({
      status: 0,
      recorded: process.execPath,
    })
  })
})
