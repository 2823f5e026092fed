// `npm run build [-- --if-needed]`: writes `dist`, all of it or, if a step fails, without the mark that it is whole.
import { spawn, spawnSync } from 'node:child_process'
import { cpSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tryLock } from '../src/files/lock.ts'
import { bundle } from './bundle.ts'
import { complete } from './declarations.ts'
import { digest, isBuilt, markBuilt, root } from './sources.ts'

const dist = join(root, 'dist')
/** What the compiler remembers and writes: most builds follow a small change, and check only what it reaches. */
const types = join(root, 'node_modules', '.cache', 'hookgate-types')
const lockWaitMs = 1_800_000

// Two test runs in one checkout may both find that it is not built. The lock ends with its holder, so a slow build is
// waited for: on a busy machine one takes many minutes.
const lock = tryLock(join(root, 'node_modules', '.hookgate-build.lock'), lockWaitMs)
if (lock === undefined) fail('another build does not end')
if (!process.argv.includes('--if-needed') || !isBuilt()) await build()
lock.release()

async function build(): Promise<void> {
  const from = digest()
  rmSync(dist, { recursive: true, force: true })
  // Checks the types, and writes the declarations.
  const isTyped = checked()
  await bundle()
  run('dist/policy/build-shipped.js')
  for (const [name, ...args] of [['hooks'], ['decision', 'decision']]) {
    const schema = join(dist, `${name}.schema.json`)
    writeFileSync(`${schema}.part`, run('dist/cli/bin.js', 'schema', ...args))
    renameSync(`${schema}.part`, schema)
  }
  if (!(await isTyped)) process.exit(1)
  cpSync(types, dist, { recursive: true, filter: (path) => !path.endsWith('.tsbuildinfo') })
  complete(dist, ['library/index.d.ts', 'library/policy.d.ts', 'library/testing.d.ts'], ['acorn', 'zod'])
  markBuilt(from)
}

async function checked(): Promise<boolean> {
  const projects = ['build/tsconfig.types.json', 'src/ui/page'].map((project, at) => {
    const remembered = ['--incremental', '--tsBuildInfoFile', join(types, `${at}.tsbuildinfo`)]
    const tsc = spawn(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', project, ...remembered], {
      cwd: root,
      stdio: 'inherit',
    })
    // A build that has failed leaves no compiler behind.
    process.once('exit', () => tsc.kill())
    return new Promise<boolean>((resolve) => tsc.on('close', (code) => resolve(code === 0)))
  })
  return (await Promise.all(projects)).every(Boolean)
}

/** Runs a program of Node in the root, and ends the build if that fails. @returns its output */
function run(program: string, ...args: readonly string[]): Buffer {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, program), ...args], { cwd: root })
  return status === 0 ? stdout : fail(`${stdout.toString()}${stderr.toString()}`)
}

function fail(why: string): never {
  process.stderr.write(`${why}\n`)
  process.exit(1)
}
