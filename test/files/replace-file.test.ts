import { execFile } from 'node:child_process'
import { chmodSync, chownSync, lstatSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { makeFile, replaceFile, writeNewFile } from '../../src/files/replace-file.ts'
import { folderWith } from '../support/workspace.ts'

const isRoot = process.getuid?.() === 0
const bytes = Buffer.from('new')
const moduleUrl = (name: string) => JSON.stringify(fileURLToPath(new URL(`../../src/files/${name}`, import.meta.url)))

/** Runs a program that cannot write files above one block: writes are cut short, as on an almost full disk. */
async function confined(program: string): Promise<string> {
  const argv = ['-c', 'ulimit -f 1; exec "$@"', 'sh', process.execPath, '--input-type=module', '-e', program]
  return (await promisify(execFile)('sh', argv)).stdout
}
const reporting = (work: string) => `try { ${work}; console.log('done') } catch (error) { console.log(error.code) }`

describe('replacing a file', () => {
  it('gives it the new content, for its owner only, and leaves nothing beside it', () => {
    const folder = folderWith({ file: 'old' })
    replaceFile(join(folder, 'file'), bytes)
    expect(readFileSync(join(folder, 'file'), 'utf8')).toBe('new')
    expect(statSync(join(folder, 'file')).mode & 0o777).toBe(0o600)
    expect(readdirSync(folder)).toEqual(['file'])
  })

  it('keeps the old one if only a part of the new can be written', async () => {
    const folder = folderWith({ file: 'old' })
    const work = `replaceFile(${JSON.stringify(join(folder, 'file'))}, Buffer.alloc(5000, 'x'))`
    expect(await confined(`import { replaceFile } from ${moduleUrl('replace-file.ts')}; ${reporting(work)}`)).toBe(
      'EFBIG\n',
    )
    expect(readFileSync(join(folder, 'file'), 'utf8')).toBe('old')
    expect(readdirSync(folder)).toEqual(['file'])
  })

  it('leaves nothing beside a file that cannot be replaced', () => {
    const folder = folderWith({ 'folder/x': '' })
    expect(() => replaceFile(join(folder, 'folder'), bytes)).toThrow(expect.objectContaining({ syscall: 'rename' }))
    expect(readdirSync(folder)).toEqual(['folder'])
  })

  it('replaces a link, and leaves its target alone', () => {
    const folder = folderWith({ precious: 'precious' })
    symlinkSync(join(folder, 'precious'), join(folder, 'link'))
    replaceFile(join(folder, 'link'), bytes)
    expect(lstatSync(join(folder, 'link')).isFile()).toBe(true)
    expect(readFileSync(join(folder, 'precious'), 'utf8')).toBe('precious')
  })

  it('sets the requested mode, whatever the umask', () => {
    const file = join(folderWith(), 'file')
    replaceFile(file, bytes, { mode: 0o666 })
    expect(statSync(file).mode & 0o777).toBe(0o666)
  })

  it.runIf(isRoot)('sets the requested owner (as root)', () => {
    const file = join(folderWith({ file: '' }), 'file')
    chownSync(file, 12_345, 12_346)
    const { uid, gid } = statSync(file)
    replaceFile(file, bytes, { mode: 0o640, owner: { uid, gid } })
    expect(statSync(file)).toMatchObject({ uid: 12_345, gid: 12_346, mode: 0o100640 })
  })
})

describe('creating a file', () => {
  it('leaves an existing one unchanged', () => {
    const folder = folderWith()
    expect(makeFile(join(folder, 'file'), Buffer.from('first'))).toBe(true)
    expect(makeFile(join(folder, 'file'), bytes)).toBe(false)
    expect(readFileSync(join(folder, 'file'), 'utf8')).toBe('first')
    expect(statSync(join(folder, 'file')).mode & 0o777).toBe(0o600)
    expect(readdirSync(folder)).toEqual(['file'])
  })

  it('of pieces writes them all, and replaces no other file', () => {
    const file = join(folderWith(), 'file')
    writeNewFile(file, [Buffer.from('a'), Buffer.from('b')], { flush: false })
    chmodSync(file, 0o640)
    expect(() => writeNewFile(file, [bytes])).toThrow(expect.objectContaining({ code: 'EEXIST' }))
    expect(readFileSync(file, 'utf8')).toBe('ab')
    expect(statSync(file).mode & 0o777).toBe(0o640)
  })

  it('of pieces that do not all fit leaves none', async () => {
    const folder = folderWith()
    const work = `writeNewFile(${JSON.stringify(join(folder, 'file'))}, [Buffer.alloc(300), Buffer.alloc(5000)])`
    expect(await confined(`import { writeNewFile } from ${moduleUrl('replace-file.ts')}; ${reporting(work)}`)).toBe(
      'EFBIG\n',
    )
    expect(readdirSync(folder)).toEqual([])
  })
})
