import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { isBuilt } from '../../build/sources.ts'

/** Builds the program before the first test, unless `dist` is of the sources as they are now: tests start it from there. */
export default function build(): void {
  if (isBuilt()) return
  const program = fileURLToPath(new URL('../../build/main.ts', import.meta.url))
  const { status } = spawnSync(process.execPath, [program, '--if-needed'], { stdio: 'inherit' })
  if (status !== 0) throw new Error('the build fails')
}
