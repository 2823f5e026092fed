import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { isOwnName, ownNames } from '../../../src/files/state/own-folder.ts'

describe('the files in hookgate’s own folder', () => {
  it('are listed in the documentation by name', () => {
    const page = readFileSync(new URL('../../../docs/gate.md', import.meta.url), 'utf8')
    const table = /^## Files and directories$(.*?)^## /ms.exec(page)?.[1] ?? ''
    const listed = new Set([...table.matchAll(/`([\w.-]+)\/?`/g)].map(([, name]) => name))
    expect(ownNames.filter((name) => !listed.has(name))).toEqual([])
  })

  it('are recognised by their names, including drafts and short sockets', () => {
    const draft = '.gate.json.0a1b2c3d-1111-4222-8333-444455556666'
    expect(['token', draft, '0123456789abcdef.sock'].filter(isOwnName)).toHaveLength(3)
    expect(['notes', '.gate.json', draft.replace('gate', 'my'), 'x.sock', 'token.bak'].filter(isOwnName)).toEqual([])
  })
})
