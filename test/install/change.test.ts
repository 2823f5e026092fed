import { chmodSync, chownSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { backUp, readRecord, settingsBackupsMax } from '../../src/install/files/own-state.ts'
import { carryOut, changesNothing, type FileChange } from '../../src/install/files/change.ts'
import { diffText } from '../../src/install/preview.ts'
import { lookAt, type SettingsFormat } from '../../src/install/files/settings-file.ts'
import { placesOf } from '../../src/files/state/places.ts'
import { folderWith } from '../support/workspace.ts'

function changing(file: string, after: string | undefined, more: Partial<FileChange> = {}): FileChange {
  const looked = lookAt(file, undefined)
  return {
    file,
    looked,
    within: undefined,
    after: after === undefined ? undefined : Buffer.from(after),
    format: 'own',
    mode: looked.present?.mode ?? 0o644,
    record: undefined,
    foldersToRemove: [],
    worthKeeping: true,
    ...more,
  }
}
const placesIn = (folder: string) =>
  placesOf({ env: { HOOKGATE_HOME: join(folder, 'state') }, platform: 'linux', uid: process.getuid?.(), home: folder })

describe('a change of a user’s file', () => {
  it('keeps its mode, leaves no other file beside it, and keeps a backup that only the user can read', () => {
    const folder = folderWith({ 'agent/settings.json': 'old' })
    const file = join(folder, 'agent/settings.json')
    chmodSync(file, 0o640)
    const { backup } = carryOut(placesIn(folder), changing(file, 'new'))
    expect(readFileSync(file, 'utf8')).toBe('new')
    expect(statSync(file).mode & 0o777).toBe(0o640)
    expect(readdirSync(join(folder, 'agent'))).toEqual(['settings.json'])
    expect(readFileSync(backup ?? '', 'utf8')).toBe('old')
    expect(statSync(backup ?? '').mode & 0o777).toBe(0o600)
  })

  it.runIf(process.getuid?.() === 0)('keeps its owner, even if root makes it (as root)', () => {
    const folder = folderWith({ 'settings.json': 'old' })
    const file = join(folder, 'settings.json')
    chownSync(file, 12_345, 12_346)
    carryOut(placesIn(folder), changing(file, 'new'))
    expect(statSync(file)).toMatchObject({ uid: 12_345, gid: 12_346 })
  })

  it.each<[SettingsFormat, string]>([
    ['json', '{"a": 1,}'],
    ['json', '{"a": 1 /* x */}'],
    ['json', '{"a": 1, "a": 2}'],
    ['commentedJson', '{"a": 1 // x }'],
    ['commentedJson', '{\n  // x\n  "a": 1,\n}\n'],
    ['commentedJson', '[1]'],
    ['toml', '[[hooks]]\nevent = \n'],
    ['toml', 'a = 1\na = 2\n'],
  ])('is abandoned where a file of %s could not be read any more: %j', (format, after) => {
    const folder = folderWith({ 'settings.json': 'old' })
    const file = join(folder, 'settings.json')
    expect(() => carryOut(placesIn(folder), changing(file, after, { format }))).toThrow('nothing was changed')
    expect(readFileSync(file, 'utf8')).toBe('old')
    expect(() => carryOut(placesIn(folder), changing(file, after, { format: 'own' }))).not.toThrow()
  })

  it('is abandoned where another program has changed the file since it was read', () => {
    const folder = folderWith({ 'settings.json': 'old' })
    const file = join(folder, 'settings.json')
    const change = changing(file, 'new')
    writeFileSync(file, 'theirs')
    expect(() => carryOut(placesIn(folder), change)).toThrow('it was changed just now by another program')
    expect(readFileSync(file, 'utf8')).toBe('theirs')
  })

  it('is abandoned, with its record, where another program has created the file meanwhile', () => {
    const folder = folderWith()
    const file = join(folder, 'made/settings.json')
    const record = { version: 1 as const, file, before: null, foldersMade: [], registered: [] }
    const change = changing(file, 'new', { record })
    mkdirSync(join(folder, 'made'))
    writeFileSync(file, 'theirs')
    expect(() => carryOut(placesIn(folder), change)).toThrow('changed just now')
    expect(readFileSync(file, 'utf8')).toBe('theirs')
    expect(readRecord(placesIn(folder), file)).toBeUndefined()
  })

  it('can be undone, with the folders that were created for it', () => {
    const folder = folderWith({ 'settings.json': 'old' })
    const places = placesIn(folder)
    const present = carryOut(places, changing(join(folder, 'settings.json'), 'new'))
    const absent = carryOut(places, changing(join(folder, 'a/b/hook'), 'new'))
    const removed = carryOut(places, changing(join(folder, 'settings.json'), undefined))
    for (const { undo } of [removed, absent, present]) undo()
    expect(readFileSync(join(folder, 'settings.json'), 'utf8')).toBe('old')
    expect(readdirSync(folder).toSorted()).toEqual(['settings.json', 'state'])
  })

  it('changes nothing where content and mode are already right', () => {
    const folder = folderWith({ 'settings.json': 'old' })
    const file = join(folder, 'settings.json')
    expect(changesNothing(changing(file, 'old'))).toBe(true)
    expect(changesNothing(changing(file, 'old', { mode: 0o600 }))).toBe(false)
    expect(changesNothing(changing(join(folder, 'none'), undefined))).toBe(true)
  })

  it('is described in readable form', () => {
    const folder = folderWith({ 'settings.json': '1\n2\n3\n4\n5\n6\n7\n8\n9\n' })
    const file = join(folder, 'settings.json')
    expect(diffText(changing(file, '1\n2\n3\n4\nfive\n5b\n6\n7\n8\n9\n'))).toBe(
      `--- ${file}\n+++ ${file}\n@@ -2,7 +2,8 @@\n 2\n 3\n 4\n-5\n+five\n+5b\n 6\n 7\n 8\n`,
    )
    expect(diffText(changing(join(folder, 'hook'), 'a\n'))).toBe(
      `--- /dev/null\n+++ ${join(folder, 'hook')}\n@@ -0,0 +1,1 @@\n+a\n`,
    )
  })
})

it('a change of JSON on one line is described value by value, and written on one line', () => {
  const folder = folderWith({ 'settings.json': '{"preset":"recommended","mode":"observe"}\n' })
  const file = join(folder, 'settings.json')
  const after = '{"preset":"recommended","mode":"enforce"}\n'
  const note = '(all of it on one line)'
  expect(diffText(changing(file, after))).toBe(
    `--- ${file} ${note}\n+++ ${file} ${note}\n@@ -1,4 +1,4 @@\n {\n   "preset": "recommended",\n-  "mode": "observe"\n+  "mode": "enforce"\n }\n`,
  )
  carryOut(placesIn(folder), changing(file, after))
  expect(readFileSync(file, 'utf8')).toBe(after)
})

describe('backups', () => {
  it('are limited in number to the newest', () => {
    const folder = folderWith()
    const places = placesIn(folder)
    const count = settingsBackupsMax + 5
    for (let at = 0; at < count; at++) {
      backUp(places, '/home/someone/settings.json', Buffer.from(`${at}`), new Date(Date.UTC(2026, 0, 1, 0, 0, at)))
    }
    const copies = readdirSync(join(places.folder, 'backups')).toSorted()
    expect(copies).toHaveLength(settingsBackupsMax)
    expect(copies.map((name) => readFileSync(join(places.folder, 'backups', name), 'utf8'))).toContain(`${count - 1}`)
    expect(copies.map((name) => readFileSync(join(places.folder, 'backups', name), 'utf8'))).not.toContain('4')
  })
})
