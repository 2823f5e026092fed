import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { entryFile } from '../../src/files/program-files.ts'
import { openStepDatabase } from '../../src/past/database.ts'
import { askHook } from '../support/ask-hook.ts'
import { residentUser } from '../support/resident.ts'
import { canMount, smallDisk } from '../support/small-disk.ts'
import { claudeShell } from '../support/wire.ts'
import { folderWith } from '../support/workspace.ts'

const bin = entryFile('cli/bin')

/** Runs a command that can write no byte to any file, unless `room`. */
function hookgate(root: string, args: readonly string[], { room = false, input = '' } = {}) {
  const limit = room ? ':' : 'ulimit -f 0'
  const argv = ['-c', `${limit}; exec "$@"`, 'sh', process.execPath, bin, ...args]
  const env = { PATH: process.env['PATH'], HOME: root, HOOKGATE_HOME: join(root, 'own') }
  const { status, stderr } = spawnSync('/bin/sh', argv, { encoding: 'utf8', cwd: root, env, input })
  return { status, stderr }
}

describe.skipIf(process.platform === 'win32')('on a disk that is full', () => {
  it.each(['policy', 'hook'])('a new %s leaves no partial file, which would make every event refused', (what) => {
    const root = folderWith()
    const { status, stderr } = hookgate(root, ['new', what, 'guard'])
    expect(status).toBe(1)
    expect(stderr).toMatch(/guard.*: it cannot be written \(EFBIG\); the file size limit is too low/)
    expect(readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())).toEqual([])
  })

  it.each(['claude-code', 'gemini-cli'])('enabling %s names the file, what to do, and changes nothing', (agent) => {
    const root = folderWith()
    const { status, stderr } = hookgate(root, ['enable', agent])
    expect(status).toBe(1)
    expect(stderr).toMatch(/^hookgate: \/.*: it cannot be written \(EFBIG\); .*nothing was changed\n$/)
    expect([existsSync(join(root, '.claude')), existsSync(join(root, '.gemini'))]).toEqual([false, false])
  })

  it('disabling names the copy that it could not make, and leaves the settings as they are', () => {
    const root = folderWith()
    expect(hookgate(root, ['enable', 'gemini-cli'], { room: true })).toEqual({ status: 0, stderr: '' })
    const settings = join(root, '.gemini/settings.json')
    const before = readFileSync(settings, 'utf8')
    const { status, stderr } = hookgate(root, ['disable', 'gemini-cli'])
    expect(status).toBe(1)
    expect(stderr).toMatch(/own\/backups\/.*settings\.json: it cannot be written \(EFBIG\)/)
    expect(readFileSync(settings, 'utf8')).toBe(before)
    expect(existsSync(join(root, 'own/backups'))).toBe(false)
  })

  it('an event that could not be stored is reported with the folder', () => {
    const root = folderWith()
    const input = JSON.stringify({ hookName: 'PreToolUse', taskId: '1' })
    const { status, stderr } = hookgate(root, ['emit', '--port', '9'], { input })
    expect(status).toBe(1)
    expect(stderr).toContain(`the event could not be kept in ${join(root, '.cline/hook-events')}: EFBIG`)
  })
})

describe.runIf(canMount)('`log` on a disk that is full', () => {
  it('says that nothing can be recorded, as the gate knows or by the free space, until there is room (as root)', async () => {
    const disk = smallDisk()
    const user = residentUser({}, { HOOKGATE_HOME: disk })
    const saidBy = async (...argv: string[]) => (await user.cli(argv)).stderr
    await user.cli(['up'])
    await askHook(user.places)
    await expect.poll(async () => (await user.cli(['log'])).stdout).toMatch(/^\d\d-\d\d /)
    expect(await saidBy('log')).toBe('')
    const rest = join(disk, 'rest')
    spawnSync('sh', ['-c', 'cat /dev/zero > "$0"', rest])
    expect(await saidBy('log')).toContain(`nothing can be recorded now: the disk of ${disk} is full; no answer depends`)
    await expect
      .poll(async () => {
        await askHook(user.places)
        return saidBy('log', '--json')
      })
      .toContain('hookgate: nothing can be recorded now: database or disk is full; ')
    await user.cli(['down'])
    expect(await saidBy('log')).toContain(`nothing can be recorded now: the disk of ${disk} is full; `)
    expect(await saidBy('stats')).toContain('nothing can be recorded now')
    rmSync(rest)
    expect(await saidBy('log')).not.toContain('nothing can be recorded now')
  })

  it('does not advise to move the file of earlier calls away that has no room (as root)', () => {
    const disk = smallDisk()
    spawnSync('sh', ['-c', 'cat /dev/zero > "$0"', join(disk, 'rest')])
    expect(() => openStepDatabase(join(disk, 'past.db'))).toThrow(
      expect.objectContaining({ remedy: 'free some space, or make its folder writable' }),
    )
  })

  it('does not advise to move a record away that cannot be opened for want of room (as root)', async () => {
    const disk = smallDisk()
    const user = residentUser({}, { HOOKGATE_HOME: disk })
    await user.cli(['run', '--agent', 'claude-code'], { stdin: JSON.stringify(claudeShell('ls', user.folder)) })
    const rest = join(disk, 'rest')
    spawnSync('sh', ['-c', 'cat /dev/zero > "$0"', rest])
    const { stderr, exitCode } = await user.cli(['log'])
    expect(exitCode).toBe(1)
    expect(stderr).toMatch(/: the record cannot be read: .*; its disk may be full, so that nothing can be recorded: /)
    rmSync(rest)
    expect((await user.cli(['log'])).stdout).toMatch(/passed +shell +ls$/m)
  })
})
