import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { env } from 'node:process'
import { writeFiles } from '../support/workspace.ts'

/** True where `npm run agents` has mounts of its own, so that nothing of the machine is changed. */
export const canAdminister = env['HOOKGATE_AGENTS_ALONE'] === '1'

/** Calls while `/etc` has some files more, for this process and those that it starts. */
export async function withManaged<T>(files: Parameters<typeof writeFiles>[1], call: () => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'hookgate-etc-'))
  const copy = join(folder, 'etc')
  // Some files of it only root may read.
  spawnSync('cp', ['-a', '/etc', copy])
  writeFiles(copy, files)
  mounted('mount', ['--bind', copy, '/etc'])
  try {
    return await call()
  } finally {
    mounted('umount', ['--lazy', '/etc'])
    rmSync(folder, { recursive: true, force: true })
  }
}

function mounted(program: string, words: readonly string[]): void {
  const { status, stderr } = spawnSync(program, words, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program} ${words.join(' ')}: ${stderr}`)
}
