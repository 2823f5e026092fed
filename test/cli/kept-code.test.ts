import { chmodSync, existsSync, globSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadKept } from '../../src/cli/start/kept-code.ts'
import { entryFile } from '../../src/files/program-files.ts'
import { hookgate } from '../support/cli.ts'
import { folderWith } from '../support/workspace.ts'

const other = `exports.double = function double(n) { return n * 2 }`
const entry = `const { double } = require('./other-1a.cjs')
exports.answer = function answer() { return double(21) }`

/** A program of two files that has run once, with the file in which its code is kept. */
function ranOnce() {
  const folder = folderWith({ 'program-2b.cjs': entry, 'other-1a.cjs': other, 'state/x': '' })
  const program = join(folder, 'program-2b.cjs')
  const kept = join(folder, 'state', 'code', 'run.v8')
  const start = () => {
    const { exports, keep } = loadKept(program, kept)
    const answer = (exports as { readonly answer: () => number }).answer()
    keep()
    return answer
  }
  expect(start()).toBe(42)
  return { folder, kept, start }
}

const identity = (file: string) => statSync(file).ino

describe('the code that a command compiled', () => {
  it('is kept for this user alone, and left as it is by a start that needs nothing else', () => {
    const { kept, start } = ranOnce()
    expect(statSync(kept).mode & 0o777).toBe(0o600)
    const before = identity(kept)
    expect(start()).toBe(42)
    expect(identity(kept)).toBe(before)
  })

  it('is written anew if any byte of it was changed, which V8 would run', () => {
    const { kept, start } = ranOnce()
    const bytes = readFileSync(kept)
    const from = bytes.indexOf('\n') + 1
    for (let at = from; at < bytes.length; at += 97) {
      const changed = Buffer.from(bytes)
      changed[at] = (changed[at] ?? 0) ^ 0x55
      writeFileSync(kept, changed)
      const before = identity(kept)
      expect(start()).toBe(42)
      expect(identity(kept)).not.toBe(before)
    }
  })

  it.each([
    ['cut short', (bytes: Buffer) => bytes.subarray(0, bytes.length / 2)],
    ['empty', () => Buffer.alloc(0)],
    ['of another program', (bytes: Buffer) => Buffer.from(bytes.toString('latin1').replace('-2b', '-3c'), 'latin1')],
    ['of another Node', (bytes: Buffer) => Buffer.from(bytes.toString('latin1').replace(' v', ' w'), 'latin1')],
    ['without its head', (bytes: Buffer) => bytes.subarray(bytes.indexOf('\n'))],
  ])('is not used if the file is %s', (_, changed) => {
    const { kept, start } = ranOnce()
    writeFileSync(kept, changed(readFileSync(kept)))
    const before = identity(kept)
    expect(start()).toBe(42)
    expect(identity(kept)).not.toBe(before)
  })

  it.skipIf(process.platform === 'win32')('is not used if others could have written it', () => {
    const { kept, start } = ranOnce()
    chmodSync(kept, 0o666)
    const before = identity(kept)
    expect(start()).toBe(42)
    expect(identity(kept)).not.toBe(before)
  })

  it('keeps what an earlier run needed beside what this one needed', () => {
    const { folder, kept, start } = ranOnce()
    writeFileSync(
      join(folder, 'program-2b.cjs'),
      `exports.answer = () => 42 // of a run that needs no other file\n${' '.repeat(9)}`,
    )
    start()
    expect(readFileSync(kept, 'latin1').split('\n')[0]).toContain('other-1a.cjs')
  })

  it('is kept only where there is a folder for what hookgate keeps', () => {
    const folder = folderWith({ 'program-2b.cjs': 'exports.answer = () => 42' })
    loadKept(join(folder, 'program-2b.cjs'), join(folder, 'state', 'code', 'run.v8')).keep()
    expect(existsSync(join(folder, 'state'))).toBe(false)
  })

  it('is one file for each command, which a second start does not change', async () => {
    const folder = folderWith({ 'state/x': '' })
    const code = join(folder, 'state', 'code', 'packs.v8')
    const env = { HOOKGATE_HOME: join(folder, 'state'), NODE_COMPILE_CACHE: '' }
    const packs = () =>
      hookgate(['packs'], { bin: entryFile('cli/bin').replace('/src/', '/dist/').replace(/ts$/, 'js'), env })
    const first = await packs()
    const before = identity(code)
    expect(await packs()).toEqual(first)
    expect(identity(code)).toBe(before)
  })

  it('is not kept for a word that is no command', async () => {
    const folder = folderWith({ 'state/x': '' })
    const env = { HOOKGATE_HOME: join(folder, 'state'), NODE_COMPILE_CACHE: '' }
    const bin = entryFile('cli/bin').replace('/src/', '/dist/').replace(/ts$/, 'js')
    expect(await hookgate(['packz'], { bin, env })).toMatchObject({ exitCode: 1 })
    expect(existsSync(join(folder, 'state', 'code'))).toBe(false)
  })

  it('holds no `import()`, of which Node would warn wherever a command asks a person', () => {
    const folder = join(dirname(dirname(entryFile('cli/bin'))).replace(/src$/, 'dist'), 'program')
    const files = globSync('**/*.cjs', { cwd: folder })
    expect(files.length).toBeGreaterThan(50)
    expect(files.filter((file) => /\bimport\(["'`]/.test(readFileSync(join(folder, file), 'utf8')))).toEqual([])
  })
})
