import { chmodSync, chownSync, mkdirSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ensurePrivateFolder } from '../../src/server/private-folder.ts'
import { folderWith } from '../support/workspace.ts'

const isRoot = process.getuid?.() === 0

describe('the folder of a gate', () => {
  it('is made for its owner only, and is fine when it is there', () => {
    const folder = join(folderWith(), 'a', 'b')
    ensurePrivateFolder(folder)
    ensurePrivateFolder(folder)
    expect(statSync(folder).mode & 0o777).toBe(0o700)
  })

  it('is refused where others can get at it', () => {
    const folder = join(folderWith(), 'open')
    mkdirSync(folder)
    for (const mode of [0o710, 0o701, 0o770, 0o777, 0o1777]) {
      chmodSync(folder, mode)
      expect(() => ensurePrivateFolder(folder)).toThrow(
        expect.objectContaining({ code: 'unavailable', remedy: `run \`chmod 700 ${folder}\`` }),
      )
    }
  })

  it('is refused where it is a symbolic link, even to a good one, or no folder', () => {
    const folder = folderWith({ file: '' })
    mkdirSync(join(folder, 'good'), { mode: 0o700 })
    symlinkSync(join(folder, 'good'), join(folder, 'link'))
    symlinkSync(join(folder, 'nowhere'), join(folder, 'dangling'))
    for (const name of ['link', 'dangling']) {
      expect(() => ensurePrivateFolder(join(folder, name))).toThrow('it is a symbolic link')
    }
    expect(() => ensurePrivateFolder(join(folder, 'file'))).toThrow('it is no folder')
    expect(() => ensurePrivateFolder(join(folder, 'file', 'below'))).toThrow(
      expect.objectContaining({
        message: expect.stringContaining('cannot be made'),
        remedy: expect.stringContaining('HOOKGATE_HOME'),
      }),
    )
  })

  it.runIf(isRoot)('is refused where it belongs to somebody else', () => {
    const folder = join(folderWith(), 'theirs')
    mkdirSync(folder, { mode: 0o700 })
    chownSync(folder, 12_345, 12_345)
    expect(() => ensurePrivateFolder(folder)).toThrow('it belongs to the user with the id 12345')
  })
})
