import { randomUUID } from 'node:crypto'
import { chmodSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { placesOf } from '../../../src/files/state/places.ts'
import { checkPlaces, ensureFolderOf, ensurePlaces } from '../../../src/files/state/own-folder.ts'
import { folderWith } from '../../support/workspace.ts'

const placesIn = (folder: string) =>
  placesOf({ env: { HOOKGATE_HOME: folder }, platform: 'linux', uid: process.getuid?.(), home: homedir() })

describe('the folder of a gate', () => {
  it('may be missing, and is created when it is needed', () => {
    const places = placesIn(join(folderWith(), 'gate'))
    checkPlaces(places)
    ensurePlaces(places)
    checkPlaces(places)
    expect(statSync(places.folder).mode & 0o777).toBe(0o700)
  })

  it('is rejected where others can access it or it is a link, with a hint how to use another', () => {
    const folder = folderWith()
    mkdirSync(join(folder, 'open'))
    chmodSync(join(folder, 'open'), 0o755)
    symlinkSync(join(folder, 'open'), join(folder, 'link'))
    for (const see of [checkPlaces, ensurePlaces]) {
      expect(() => see(placesIn(join(folder, 'open')))).toThrow(
        expect.objectContaining({ code: 'unavailable', remedy: `run \`chmod 700 ${join(folder, 'open')}\`` }),
      )
      expect(() => see(placesIn(join(folder, 'link')))).toThrow(
        expect.objectContaining({ remedy: 'remove it, or set HOOKGATE_HOME to a folder of your own' }),
      )
    }
  })

  it('is to be made private where it holds only the gate’s files, and to be replaced where it holds others', () => {
    const folder = folderWith({ 'gate.json': '', token: '', [`.token.${randomUUID()}`]: '', 'clients/a': '' })
    chmodSync(folder, 0o755)
    const places = placesIn(folder)
    expect(() => checkPlaces(places)).toThrow(expect.objectContaining({ remedy: `run \`chmod 700 ${folder}\`` }))
    writeFileSync(join(folder, 'notes.txt'), '')
    for (const see of [checkPlaces, ensurePlaces]) {
      expect(() => see(places)).toThrow(
        expect.objectContaining({ remedy: 'set HOOKGATE_HOME to a folder of your own' }),
      )
    }
  })

  it('has subfolders that are to be made private, whatever they hold', () => {
    const places = placesIn(join(folderWith(), 'gate'))
    const folder = ensureFolderOf(places, 'backups')
    writeFileSync(join(folder, 'settings.json'), '')
    chmodSync(folder, 0o755)
    expect(() => ensureFolderOf(places, 'backups')).toThrow(
      expect.objectContaining({ remedy: `run \`chmod 700 ${folder}\`` }),
    )
  })
})
