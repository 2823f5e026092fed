// `npm run build`: writes `dist`, all of it or, if a step fails, without the mark that it is whole.
import { spawnSync } from 'node:child_process'
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { digest, markBuilt, root } from './sources.ts'

const dist = join(root, 'dist')
const from = digest()

rmSync(dist, { recursive: true, force: true })
run('node_modules/typescript/bin/tsc', '-p', 'src')
run('dist/policy/build-shipped.js')
const schema = join(dist, 'hooks.schema.json')
writeFileSync(`${schema}.part`, run('dist/cli/bin.js', 'schema'))
renameSync(`${schema}.part`, schema)
markBuilt(from)

/** Runs a program of Node in the root, and ends the build if that fails. @returns its output */
function run(program: string, ...args: readonly string[]): Buffer {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, program), ...args], { cwd: root })
  if (status === 0) return stdout
  process.stderr.write(Buffer.concat([stdout, stderr]))
  process.exit(1)
}
