import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { entryFile } from '../../src/files/program-files.ts'
import { compileCache } from '../support/compile-cache.ts'
import { blocksOf, root } from './pages.ts'

interface Ended {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

/** A command of a page that takes longer is killed, and has no exit code. */
const runMs = 600_000

/** A machine as the pages assume it: a temporary home, and this repository's `hookgate` on the `PATH`. */
export interface World {
  readonly home: string
  /** A project with the files that the pages' rules and commands name. */
  readonly project: string
  run(script: string, cwd: string): Ended
  /** Writes the files of `project` into a folder. */
  copyInto(folder: string): void
  /** Creates a folder with these files, which can import `hookgate`. */
  projectWith(files: Readonly<Record<string, string>>): string
  close(): void
}

export function openWorld(): World {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'hookgate-docs-')))
  const home = join(folder, 'home')
  const bin = join(folder, 'bin')
  const project = join(folder, 'project')
  for (const path of [home, bin]) mkdirSync(path, { recursive: true })
  writeProgram(join(bin, 'hookgate'), `exec '${process.execPath}' '${entryFile('cli/bin')}' "$@"`)
  // As in a clone after an installation.
  writeProgram(join(bin, 'npm'), `test "$1" != run || exec '${process.execPath}' '${join(root, 'examples/demo.ts')}'`)
  const env = { HOME: home, PATH: [bin, process.env['PATH']].join(delimiter), TMPDIR: folder, ...compileCache }
  let projects = 0
  writeFiles(project, named)
  mkdirSync(join(project, '.hookgate/hooks'), { recursive: true })
  writeProgram(join(project, '.hookgate/hooks/no-force-push.sh'), 'exit 0')
  const run = (script: string, cwd: string): Ended => {
    const { status, stdout, stderr } = spawnSync('sh', ['-c', script], { cwd, env, encoding: 'utf8', timeout: runMs })
    return { status, stdout, stderr }
  }
  return {
    home,
    project,
    run,
    copyInto: (other) => cpSync(project, other, { recursive: true }),
    projectWith(files) {
      projects += 1
      const own = join(folder, `project-${projects}`)
      writeFiles(own, files)
      mkdirSync(join(own, 'node_modules'), { recursive: true })
      symlinkSync(root, join(own, 'node_modules/hookgate'))
      return own
    },
    close() {
      run('hookgate down', project)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const policy = blocksOf('README.md').find(({ language }) => language === 'ts')?.text ?? ''

/** The files that the rules of the pages name. */
const named = {
  '.hookgate/policies/no-js-in-ts-projects.policy.ts': policy,
  'policies/no-js-in-ts-projects.policy.ts': policy,
  'our-pack/pack.json': '{"description": "ours"}',
  'our-pack/no-js-in-ts-projects.policy.ts': policy,
}

function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
}

function writeProgram(file: string, line: string): void {
  writeFileSync(file, `#!/bin/sh\n${line}\n`)
  chmodSync(file, 0o755)
}
