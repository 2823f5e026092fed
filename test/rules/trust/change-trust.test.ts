import { type ChildProcess, execFile } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { entryFile } from '../../../src/files/program-files.ts'
import { tryLock } from '../../../src/files/lock.ts'
import { listTrust } from '../../../src/rules/index.ts'
import { hookgate } from '../../support/cli.ts'
import { folderWith } from '../../support/workspace.ts'

const bin = entryFile('cli/bin')
const names = (count: number) => Array.from({ length: count }, (_, index) => `w${index}`)

/** Lists the files that a process has open. */
function opened(pid: number | undefined): string[] {
  return readdirSync(`/proc/${pid}/fd`).flatMap((name) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${name}`)
    } catch {
      // It was closed meanwhile.
      return []
    }
  })
}

/** Creates a user with workspaces, each with its own hook. */
function user(count: number) {
  const guard = { script: '#!/bin/sh\nexit 0\n' }
  const folder = folderWith({
    'home/x': '',
    ...Object.fromEntries(names(count).map((name) => [`${name}/.clinerules/hooks/PreToolUse`, guard])),
  })
  const home = join(folder, 'home')
  return {
    configFolder: join(home, '.config/hookgate'),
    trustFile: join(home, '.config/hookgate/trust.json'),
    home,
    at: (name: string) => join(folder, name),
    trust: (name: string, onStart?: (child: ChildProcess) => void) =>
      hookgate(['trust'], { env: { HOME: home }, cwd: join(folder, name), ...(onStart && { onStart }) }),
    trusted: () =>
      listTrust({ home, env: {} })
        .map(({ root }) => root.slice(folder.length + 1))
        .toSorted(),
  }
}

describe('hookgate trust', () => {
  it('keeps the former pins where only a part can be written, and says so', async () => {
    const { trust, trusted, trustFile, configFolder, home, at } = user(6)
    // In sequence, so that the former content is known.
    // oxlint-disable-next-line no-await-in-loop
    for (const name of names(5)) expect(await trust(name)).toMatchObject({ exitCode: 0 })
    const before = readFileSync(trustFile, 'utf8')
    expect(before.length).toBeGreaterThan(1024)

    // One block can be written, as on a disk that is almost full.
    const argv = ['-c', 'ulimit -f 1; exec "$@"', 'sh', process.execPath, bin, 'trust']
    const confined = promisify(execFile)('sh', argv, { cwd: at('w5'), env: { ...process.env, HOME: home } })
    await expect(confined).rejects.toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(
        /the trust file cannot be written, and is unchanged: EFBIG.*; check that you can write/,
      ),
    })
    expect(readFileSync(trustFile, 'utf8')).toBe(before)
    expect(readdirSync(configFolder).toSorted()).toEqual(['trust.json', 'trust.json.lock'])

    expect(await trust('w5')).toMatchObject({ exitCode: 0 })
    expect(trusted()).toEqual(names(6))
  })

  it('pins several workspaces that are trusted concurrently', async () => {
    const { trust, trusted, trustFile, configFolder } = user(6)
    const ended = await Promise.all(names(6).map((name) => trust(name)))
    expect(ended.map(({ exitCode, stderr }) => [exitCode, stderr])).toEqual(names(6).map(() => [0, '']))
    expect(trusted()).toEqual(names(6))
    for (const file of [trustFile, `${trustFile}.lock`]) expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(statSync(configFolder).mode & 0o777).toBe(0o700)
  })

  it('waits for another process that is changing the pins', async () => {
    const { trust, trusted, trustFile, configFolder } = user(2)
    await trust('w0')
    const lock = tryLock(`${trustFile}.lock`)
    expect(lock).toBeDefined()
    let pid: number | undefined
    const waiting = trust('w1', (child) => (pid = child.pid))
    await expect.poll(() => opened(pid), { timeout: 120_000 }).toContain(`${trustFile}.lock`)
    expect(trusted()).toEqual(['w0'])
    lock?.release()
    expect(await waiting).toMatchObject({ exitCode: 0 })
    expect(trusted()).toEqual(['w0', 'w1'])
    expect(readdirSync(configFolder).toSorted()).toEqual(['trust.json', 'trust.json.lock'])
  })

  it('changes nothing without its lock', async () => {
    const { trust, trusted, trustFile } = user(2)
    await trust('w0')
    rmSync(`${trustFile}.lock`)
    mkdirSync(`${trustFile}.lock`)
    const { exitCode, stderr } = await trust('w1')
    expect(exitCode).toBe(1)
    expect(stderr).toMatch(
      /the trust file cannot be written, and is unchanged: .*trust\.json\.lock: it cannot be locked/,
    )
    expect(trusted()).toEqual(['w0'])
  })
})
