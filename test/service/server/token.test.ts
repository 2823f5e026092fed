import { execFile } from 'node:child_process'
import { chmodSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { readToken, tokenOf } from '../../../src/files/state/keys.ts'
import { residentUser } from '../../support/resident.ts'

const module = fileURLToPath(new URL('../../../src/files/state/keys.ts', import.meta.url))

describe('the token of a user', () => {
  it('is 256 bits in a file for its owner only, and stays the same', () => {
    const { places } = residentUser()
    expect(readToken(places)).toBeUndefined()
    const token = tokenOf(places)
    expect(Buffer.from(token, 'base64url')).toHaveLength(32)
    expect(statSync(places.token).mode & 0o777).toBe(0o600)
    expect(tokenOf(places)).toBe(token)
    expect(readToken(places)).toBe(token)
    expect(tokenOf(residentUser().places)).not.toBe(token)
  })

  it('is one, however many processes create it at once, without leftover files', async () => {
    const { places } = residentUser()
    const program = `
      import { tokenOf } from ${JSON.stringify(module)}
      process.stdout.write(tokenOf(${JSON.stringify(places)}))`
    const runs = Array.from({ length: 8 }, () =>
      promisify(execFile)(process.execPath, ['--input-type=module', '-e', program]),
    )
    const tokens = new Set((await Promise.all(runs)).map(({ stdout }) => stdout))
    expect(tokens).toEqual(new Set([tokenOf(places)]))
    expect(readdirSync(places.folder)).toEqual(['token'])
  })

  it('is not read from a file that others can read, that is a link, or that is malformed', () => {
    const { places, folder } = residentUser()
    tokenOf(places)
    chmodSync(places.token, 0o644)
    expect(() => tokenOf(places)).toThrow('users other than its owner can access it')
    chmodSync(places.token, 0o600)
    writeFileSync(places.token, 'short')
    expect(() => tokenOf(places)).toThrow('it is not a hookgate token')
    const other = residentUser()
    tokenOf(other.places)
    symlinkSync(other.places.token, join(folder, 'link'))
    expect(() => readToken({ ...places, token: join(folder, 'link') })).toThrow('it cannot be opened (ELOOP)')
  })
})
