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

/** Runs a program where no file may be larger than a block: a write takes what fits in, as on a disk that is almost full. */
async function confined(program: string): Promise<string> {
  const argv = ['-c', 'ulimit -f 1; exec "$@"', 'sh', process.execPath, '--input-type=module', '-e', program]
  return (await promisify(execFile)('sh', argv)).stdout
}
const telling = (work: string) => `try { ${work}; console.log('done') } catch (error) { console.log(error.code) }`

describe('a file that is replaced', () => {
  it('has the new content, for its owner only, and nothing is left beside it', () => {
    const folder = folderWith({ file: 'old' })
    replaceFile(join(folder, 'file'), bytes)
    expect(readFileSync(join(folder, 'file'), 'utf8')).toBe('new')
    expect(statSync(join(folder, 'file')).mode & 0o777).toBe(0o600)
    expect(readdirSync(folder)).toEqual(['file'])
  })

  it('keeps the old one where only a part of the new can be written', async () => {
    const folder = folderWith({ file: 'old' })
    const work = `replaceFile(${JSON.stringify(join(folder, 'file'))}, Buffer.alloc(5000, 'x'))`
    expect(await confined(`import { replaceFile } from ${moduleUrl('replace-file.ts')}; ${telling(work)}`)).toBe(
      'EFBIG\n',
    )
    expect(readFileSync(join(folder, 'file'), 'utf8')).toBe('old')
    expect(readdirSync(folder)).toEqual(['file'])
  })

  it('leaves nothing beside what cannot be replaced', () => {
    const folder = folderWith({ 'folder/x': '' })
    expect(() => replaceFile(join(folder, 'folder'), bytes)).toThrow(expect.objectContaining({ syscall: 'rename' }))
    expect(readdirSync(folder)).toEqual(['folder'])
  })

  it('may be a link, and what that leads to is left alone', () => {
    const folder = folderWith({ precious: 'precious' })
    symlinkSync(join(folder, 'precious'), join(folder, 'link'))
    replaceFile(join(folder, 'link'), bytes)
    expect(lstatSync(join(folder, 'link')).isFile()).toBe(true)
    expect(readFileSync(join(folder, 'precious'), 'utf8')).toBe('precious')
  })

  it('has the mode that was asked for, whatever the umask says', () => {
    const file = join(folderWith(), 'file')
    replaceFile(file, bytes, { mode: 0o666 })
    expect(statSync(file).mode & 0o777).toBe(0o666)
  })

  it.runIf(isRoot)('has the owner that was asked for', () => {
    const file = join(folderWith({ file: '' }), 'file')
    chownSync(file, 12_345, 12_346)
    const { uid, gid } = statSync(file)
    replaceFile(file, bytes, { mode: 0o640, owner: { uid, gid } })
    expect(statSync(file)).toMatchObject({ uid: 12_345, gid: 12_346, mode: 0o100640 })
  })
})

describe('a file that is made', () => {
  it('is left as it is where there is one', () => {
    const folder = folderWith()
    expect(makeFile(join(folder, 'file'), Buffer.from('first'))).toBe(true)
    expect(makeFile(join(folder, 'file'), bytes)).toBe(false)
    expect(readFileSync(join(folder, 'file'), 'utf8')).toBe('first')
    expect(statSync(join(folder, 'file')).mode & 0o777).toBe(0o600)
    expect(readdirSync(folder)).toEqual(['file'])
  })

  it('of pieces holds them all, and takes nobody’s place', () => {
    const file = join(folderWith(), 'file')
    writeNewFile(file, [Buffer.from('a'), Buffer.from('b')], { flush: false })
    chmodSync(file, 0o640)
    expect(() => writeNewFile(file, [bytes])).toThrow(expect.objectContaining({ code: 'EEXIST' }))
    expect(readFileSync(file, 'utf8')).toBe('ab')
    expect(statSync(file).mode & 0o777).toBe(0o640)
  })

  it('of pieces that do not all fit is none', async () => {
    const folder = folderWith()
    const work = `writeNewFile(${JSON.stringify(join(folder, 'file'))}, [Buffer.alloc(300), Buffer.alloc(5000)])`
    expect(await confined(`import { writeNewFile } from ${moduleUrl('replace-file.ts')}; ${telling(work)}`)).toBe(
      'EFBIG\n',
    )
    expect(readdirSync(folder)).toEqual([])
  })
})
