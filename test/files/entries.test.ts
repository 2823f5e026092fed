import { spawnSync } from 'node:child_process'
import { mkdirSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { makeFolders } from '../../src/files/entries.ts'
import { folderWith } from '../support/workspace.ts'

describe('making folders', () => {
  it('creates the parents as well, and returns the topmost that was missing', () => {
    const folder = folderWith()
    expect(makeFolders(join(folder, 'a', 'b', 'c'), 0o700)).toBe(join(folder, 'a'))
    expect(statSync(join(folder, 'a', 'b')).mode & 0o777).toBe(0o700)
    expect(makeFolders(join(folder, 'a', 'b', 'd'))).toBe(join(folder, 'a', 'b', 'd'))
    expect(makeFolders(join(folder, 'a', 'b'))).toBeUndefined()
    expect(makeFolders('/')).toBeUndefined()
  })

  it('follows a link to a folder, and throws the system’s error if something else is in the way', () => {
    const folder = folderWith({ file: '' })
    mkdirSync(join(folder, 'there'))
    symlinkSync(join(folder, 'there'), join(folder, 'link'))
    symlinkSync(join(folder, 'nowhere'), join(folder, 'dangling'))
    expect(makeFolders(join(folder, 'link', 'a'))).toBe(join(folder, 'link', 'a'))
    expect(() => makeFolders(join(folder, 'file'))).toThrow('EEXIST')
    expect(() => makeFolders(join(folder, 'file', 'a'))).toThrow('ENOTDIR')
    expect(() => makeFolders(join(folder, 'dangling', 'a'))).toThrow('EEXIST')
  })

  it.runIf(process.platform === 'linux')('terminates where the system creates none and reports it as missing', () => {
    const file = fileURLToPath(new URL('../../src/files/entries.ts', import.meta.url))
    const code = `import(${JSON.stringify(file)}).then(({ makeFolders }) => makeFolders('/proc/none/below'))`
    const { signal, stderr } = spawnSync(process.execPath, ['-e', code], { timeout: 120_000, killSignal: 'SIGKILL' })
    expect([signal, stderr.toString()]).toEqual([null, expect.stringContaining('ENOENT')])
  })
})
