import { readFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isOwnName, ownNames } from '../../../src/files/state/own-folder.ts'
import { placesOf } from '../../../src/files/state/places.ts'

describe('the files in hookgate’s own folder', () => {
  it('are listed in the documentation by name', () => {
    const page = readFileSync(new URL('../../../docs/gate.md', import.meta.url), 'utf8')
    const table = /^## Files and directories$(.*?)^## /ms.exec(page)?.[1] ?? ''
    const listed = new Set([...table.matchAll(/`([\w.-]+)\/?`/g)].map(([, name]) => name))
    expect(ownNames.filter((name) => !listed.has(name))).toEqual([])
  })

  it('are all that the places of a gate name, with what SQLite puts beside a database', () => {
    const places = placesOf({ env: {}, platform: 'linux', uid: 1, home: '/home/u' })
    const paths: readonly unknown[] = Object.values(places)
    const names = paths.flatMap((path) =>
      typeof path === 'string' && dirname(path) === places.folder ? [basename(path)] : [],
    )
    const all = names.flatMap((name) => (name.endsWith('.db') ? [name, `${name}-wal`, `${name}-shm`] : [name]))
    expect(all).toContain('past.db')
    expect(all.filter((name) => !isOwnName(name))).toEqual([])
  })

  it('are recognised by their names, including drafts and short sockets', () => {
    const draft = '.gate.json.0a1b2c3d-1111-4222-8333-444455556666'
    expect(['token', draft, '0123456789abcdef.sock'].filter(isOwnName)).toHaveLength(3)
    expect(['notes', '.gate.json', draft.replace('gate', 'my'), 'x.sock', 'token.bak'].filter(isOwnName)).toEqual([])
  })
})
