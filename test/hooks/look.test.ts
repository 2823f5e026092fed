import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { look } from '../../src/hooks/start-failure.ts'
import { missing } from '../support/own-folder.ts'

let folder = ''
const write = (name: string, text: string, mode: number) => {
  writeFileSync(join(folder, name), text)
  chmodSync(join(folder, name), mode)
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'hookgate-look-'))
  mkdirSync(join(folder, 'bin'))
  mkdirSync(join(folder, 'sub', 'tool'), { recursive: true })
  write('script', '#! /usr/bin/env  python3 -u\nprint()\n', 0o755)
  write('crlf', '#!/bin/sh\r\necho\r\n', 0o755)
  write('plain', 'echo hello\n', 0o644)
  write('empty', '', 0o755)
  write(join('bin', 'tool'), '#!/bin/sh\n', 0o755)
})

describe('inspecting a program that did not start', () => {
  it('finds the interpreter of its shebang, with arguments', () => {
    expect(look('./script', folder, undefined)).toEqual({
      path: join(folder, 'script'),
      is: 'file',
      executable: true,
      interpreter: '/usr/bin/env  python3 -u',
    })
  })

  it('keeps the CR that breaks a shebang', () => {
    expect(look(join(folder, 'crlf'), '/', undefined).interpreter).toBe('/bin/sh\r')
  })

  it('reports a missing execute bit and a missing shebang', () => {
    expect(look('./plain', folder, undefined)).toMatchObject({ is: 'file', executable: false, interpreter: undefined })
    expect(look('./empty', folder, undefined)).toMatchObject({ is: 'file', executable: true, interpreter: undefined })
  })

  it('recognises a folder and a missing file', () => {
    expect(look('./bin', folder, undefined)).toMatchObject({ is: 'folder' })
    expect(look('./nothing', folder, undefined)).toMatchObject({ is: 'missing' })
    expect(look(folder, '/', undefined)).toMatchObject({ is: 'folder', path: folder })
  })

  it('searches PATH for a bare name, ignoring folders', () => {
    expect(look('tool', folder, `${missing}:sub:bin`)).toMatchObject({ is: 'file', path: join(folder, 'bin', 'tool') })
    expect(look('tool', folder, 'sub')).toMatchObject({ is: 'folder' })
    expect(look('tool', folder, '')).toMatchObject({ is: 'missing', path: 'tool' })
    expect(look('tool', folder, undefined)).toMatchObject({ is: 'missing' })
  })
})
