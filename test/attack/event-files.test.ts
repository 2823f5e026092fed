import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { limits } from '../../src/model/limits.ts'
import { hookgate } from '../support/cli.ts'
import { deadPort } from '../support/listener.ts'
import { folderWith } from '../support/workspace.ts'
import { missing } from '../support/own-folder.ts'

// Anything that runs as the user may have put something at an event file's path: a broken tool, another version of
// hookgate, or a hook that wants events to overwrite another file.

const file = 'cline-hook-events.json'
const event = '{"hookName":"PostToolUse"}'

async function emitInto(folder: string) {
  const env = { HOME: folder, HOOKGATE_HOME: join(folder, 'gate') }
  return hookgate(['emit', '--port', `${await deadPort()}`, '--dir', folder], { stdin: event, env })
}

const asideIn = (folder: string) => readdirSync(folder).filter((name) => name.startsWith(`${file}.set-aside-`))
const contentIn = (folder: string): unknown => JSON.parse(readFileSync(join(folder, file), 'utf8'))

const inItsPlace: Readonly<Record<string, (path: string) => void>> = {
  'an object': (path) => writeFileSync(path, '{"events":[]}'),
  'a torn array': (path) => writeFileSync(path, '[\n{"n":1},\n{"n"'),
  'an empty file': (path) => writeFileSync(path, ''),
  'no text': (path) => writeFileSync(path, Buffer.from([0x5b, 0x22, 0xff, 0x22, 0x5d])),
  'two arrays': (path) => writeFileSync(path, '[1]\n[2]\n'),
  'an array behind a marker': (path) => writeFileSync(path, '\u0000[1]'),
  'more than it may hold': (path) => {
    writeFileSync(path, '[')
    truncateSync(path, limits.bridgeFileBytesMax + 1)
  },
  'a folder': (path) => mkdirSync(path),
  'a named pipe': (path) => execFileSync('mkfifo', [path]),
  'a link that leads nowhere': (path) => symlinkSync(missing, path),
  'a link to itself': (path) => symlinkSync(path, path),
  'a link to a device': (path) => symlinkSync('/dev/zero', path),
}

describe('what is found at the path of an event file', () => {
  it.each(Object.entries(inItsPlace))('is set aside unchanged and never lost: %s', async (_, put) => {
    const folder = folderWith()
    put(join(folder, file))
    const before = lstatSync(join(folder, file))
    const { stdout, stderr, exitCode } = await emitInto(folder)
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 0 })
    expect(contentIn(folder)).toEqual([JSON.parse(event)])
    const [aside = ''] = asideIn(folder)
    const { ino, size } = lstatSync(join(folder, aside))
    expect({ ino, size }).toEqual({ ino: before.ino, size: before.size })
    expect(stderr).toContain(`\`${file}\` was set aside as \`${aside}\``)
    expect(readFileSync(join(folder, 'cline-hook-events-errors.json'), 'utf8')).toContain(aside)
  })

  it('is not written through if it is a symbolic or hard link to an array elsewhere', async () => {
    const folder = folderWith({ 'elsewhere/symbolic.json': '[1]', 'elsewhere/hard.json': '[1]' })
    symlinkSync(join(folder, 'elsewhere', 'symbolic.json'), join(folder, file))
    await emitInto(folder)
    expect(readFileSync(join(folder, 'elsewhere', 'symbolic.json'), 'utf8')).toBe('[1]')
    expect(contentIn(folder)).toEqual([JSON.parse(event)])

    const other = folderWith()
    linkSync(join(folder, 'elsewhere', 'hard.json'), join(other, file))
    await emitInto(other)
    expect(readFileSync(join(folder, 'elsewhere', 'hard.json'), 'utf8')).toBe('[1]')
    expect(contentIn(other)).toEqual([1, JSON.parse(event)])
  })

  it('is set aside a limited number of times, after which the event waits in the queue', async () => {
    const folder = folderWith()
    for (let n = 0; n < limits.bridgeSetAsideMax; n += 1) writeFileSync(join(folder, `${file}.set-aside-${n}`), 'x')
    writeFileSync(join(folder, file), 'broken')
    const { stderr, exitCode } = await emitInto(folder)
    expect(exitCode).toBe(0)
    expect(stderr).toContain('the event is waiting')
    expect(readFileSync(join(folder, file), 'utf8')).toBe('broken')
    expect(asideIn(folder)).toHaveLength(limits.bridgeSetAsideMax)
  })

  it('may be nested to any depth', async () => {
    const folder = folderWith({ [file]: `${'['.repeat(100_000)}${']'.repeat(100_000)}` })
    await emitInto(folder)
    expect(readFileSync(join(folder, file), 'utf8')).toContain(event)
  })
})

describe('what is found at the paths of hookgate’s own files', () => {
  it('a link in place of the queue folder is set aside, and nothing is written to its target', async () => {
    const folder = folderWith()
    const elsewhere = folderWith()
    symlinkSync(elsewhere, join(folder, 'cline-hook-events.pending'))
    expect((await emitInto(folder)).exitCode).toBe(0)
    expect(readdirSync(elsewhere)).toEqual([])
    expect(contentIn(folder)).toHaveLength(1)
  })

  it('an invalid lock is set aside, and a link in its place is not followed', async () => {
    const folder = folderWith({ precious: 'precious' })
    mkdirSync(join(folder, 'cline-hook-events.pending'), { mode: 0o700 })
    symlinkSync(join(folder, 'precious'), join(folder, 'cline-hook-events.pending', 'lock'))
    expect((await emitInto(folder)).exitCode).toBe(0)
    expect(readFileSync(join(folder, 'precious'), 'utf8')).toBe('precious')
    expect(contentIn(folder)).toHaveLength(1)
  })

  it('a forged journal of the last writer cannot name files outside', async () => {
    const folder = folderWith({ precious: 'precious' })
    mkdirSync(join(folder, 'cline-hook-events.pending'), { mode: 0o700 })
    const intent = { names: ['../precious', join(folder, 'precious')], signature: '' }
    writeFileSync(join(folder, 'cline-hook-events.pending', 'last-commit'), JSON.stringify(intent))
    await emitInto(folder)
    expect(readFileSync(join(folder, 'precious'), 'utf8')).toBe('precious')
    expect(contentIn(folder)).toHaveLength(1)
  })

  it('a folder that is a link, or that users share, is refused with a remedy', async () => {
    const folder = folderWith()
    mkdirSync(join(folder, 'real'))
    symlinkSync(join(folder, 'real'), join(folder, 'link'))
    const linked = await emitInto(join(folder, 'link'))
    expect(linked.exitCode).toBe(1)
    expect(linked.stderr).toContain('it is a symbolic link; name another one with `--dir`')
    expect(readdirSync(join(folder, 'real'))).toEqual([])
    chmodSync(join(folder, 'real'), 0o1777)
    const shared = await emitInto(join(folder, 'real'))
    expect(shared.exitCode).toBe(1)
    expect(shared.stderr).toContain('shared between users')
  })
})
