import { chmodSync, chownSync, mkdirSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ensurePrivateFolder, ensureUnsharedFolder } from '../../src/files/private-folder.ts'
import { isOwnName } from '../../src/files/state/own-folder.ts'
import { folderWith } from '../support/workspace.ts'

const isRoot = process.getuid?.() === 0
const remedies = {
  elsewhere: 'go elsewhere',
  link: 'remove the link',
  noFolder: 'move it away',
  isOurs: (name: string) => name === 'ours',
}
const modeOf = (path: string) => statSync(path).mode & 0o7777
const refusal = (message: string, remedy: string): unknown =>
  expect.objectContaining({ code: 'unavailable', message: expect.stringContaining(message), remedy })

describe.each([
  { kind: 'private', ensure: ensurePrivateFolder },
  { kind: 'unshared', ensure: ensureUnsharedFolder },
])('a folder that is to be $kind', ({ ensure }) => {
  it('is created for its owner only, and accepted if it exists', () => {
    const folder = join(folderWith(), 'a', 'b')
    ensure(folder, remedies)
    ensure(folder, remedies)
    expect(modeOf(folder)).toBe(0o700)
  })

  it('is refused if it is a symbolic link, even to a valid one, or not a folder', () => {
    const folder = folderWith({ file: '' })
    mkdirSync(join(folder, 'good'), { mode: 0o700 })
    symlinkSync(join(folder, 'good'), join(folder, 'link'))
    symlinkSync(join(folder, 'nowhere'), join(folder, 'dangling'))
    for (const name of ['link', 'dangling']) {
      expect(() => ensure(join(folder, name), remedies)).toThrow(refusal('it is a symbolic link', 'remove the link'))
    }
    const file = join(folder, 'file')
    expect(() => ensure(file, remedies)).toThrow(refusal('it is not a folder', 'move it away'))
    expect(() => ensure(join(file, 'below'), remedies)).toThrow(refusal('cannot be created', 'go elsewhere'))
    expect(() => ensure(file, { elsewhere: 'go elsewhere', isOurs: () => true })).toThrow(
      refusal('it is not a folder', 'go elsewhere'),
    )
  })

  it.runIf(isRoot)('is refused if it belongs to another user (as root)', () => {
    const folder = join(folderWith(), 'theirs')
    mkdirSync(folder, { mode: 0o700 })
    chownSync(folder, 12_345, 12_345)
    expect(() => ensure(folder, remedies)).toThrow(refusal('it belongs to user id 12345', 'go elsewhere'))
  })
})

describe('a folder that other users can access', () => {
  it('is refused if it is a private one, and left unchanged', () => {
    const folder = join(folderWith(), 'open')
    mkdirSync(folder)
    for (const mode of [0o710, 0o701, 0o770, 0o777]) {
      chmodSync(folder, mode)
      expect(() => ensurePrivateFolder(folder, remedies)).toThrow(
        refusal('users other than its owner can access it', `run \`chmod 700 ${folder}\``),
      )
      expect(modeOf(folder)).toBe(mode)
    }
  })

  it('is to be closed if it holds only hookgate’s files, with a command to paste', () => {
    const folder = join(folderWith({ 'a b/ours': '' }), 'a b')
    chmodSync(folder, 0o755)
    expect(() => ensurePrivateFolder(folder, remedies)).toThrow(
      refusal('can access it', `run \`chmod 700 '${folder}'\``),
    )
  })

  it('is never to be closed if other software needs it', () => {
    const holding = folderWith({ ours: '', theirs: '' })
    const sticky = join(folderWith(), 'sticky')
    mkdirSync(sticky)
    chmodSync(holding, 0o755)
    chmodSync(sticky, 0o1777)
    for (const folder of [holding, sticky]) {
      expect(() => ensurePrivateFolder(folder, remedies)).toThrow(refusal('can access it', 'go elsewhere'))
    }
  })

  it.runIf(isRoot).each(['/', '/etc', '/mnt', '/var/log'])('nor is %s, empty or not (as root)', (folder) => {
    expect(() => ensurePrivateFolder(folder, { ...remedies, isOurs: isOwnName })).toThrow(
      refusal('can access it', 'go elsewhere'),
    )
  })

  it('may be readable if it is an unshared one, but not writable', () => {
    const folder = join(folderWith(), 'open')
    mkdirSync(folder)
    for (const [mode, after] of [
      [0o755, 0o755],
      [0o775, 0o755],
      [0o777, 0o755],
      [0o720, 0o700],
    ] as const) {
      chmodSync(folder, mode)
      ensureUnsharedFolder(folder, remedies)
      expect(modeOf(folder)).toBe(after)
    }
  })

  it('is refused if it is an unshared one that is meant for everybody', () => {
    const folder = join(folderWith(), 'shared')
    mkdirSync(folder)
    chmodSync(folder, 0o1777)
    expect(() => ensureUnsharedFolder(folder, remedies)).toThrow(refusal('shared between users', 'go elsewhere'))
    expect(modeOf(folder)).toBe(0o1777)
  })
})
