import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeDisk } from '../../src/files/disk.ts'
import { folderWith, writeFiles } from '../support/workspace.ts'

describe('the hash of a file', () => {
  it('is that of the content read, even if the file was replaced since', () => {
    const folder = folderWith({ 'a.txt': 'one', 'same.txt': 'one' })
    const file = join(folder, 'a.txt')
    const disk = makeDisk()
    disk.read(file, 100)
    writeFiles(folder, { 'a.txt': 'two' })
    expect(disk.sha256(file)).toBe(disk.sha256(join(folder, 'same.txt')))
    expect(disk.sha256(file)).not.toBe(makeDisk().sha256(file))
  })

  it('is undefined if two reads differ', () => {
    const folder = folderWith({ 'a.txt': 'one' })
    const file = join(folder, 'a.txt')
    const disk = makeDisk()
    disk.read(file, 100)
    disk.read(file, 100)
    expect(disk.sha256(file)).toBe(makeDisk().sha256(file))
    writeFiles(folder, { 'a.txt': 'two' })
    disk.read(file, 100)
    expect(disk.sha256(file)).toEqual({ kind: 'unreadable', why: 'it changed while it was read' })
  })
})
