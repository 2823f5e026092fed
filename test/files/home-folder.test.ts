import { homedir, userInfo } from 'node:os'
import { isAbsolute } from 'node:path'
import { describe, expect, it } from 'vitest'
import { homeFolder, knownHome, namedHome } from '../../src/files/home-folder.ts'

describe('the home folder', () => {
  it('is the one that is named', () => {
    expect([homeFolder('/home/u'), knownHome('/home/u')]).toEqual(['/home/u', '/home/u'])
  })

  it('is the one of this process where none is named', () => {
    expect(isAbsolute(homedir())).toBe(true)
    expect([homeFolder(), knownHome()]).toEqual([homedir(), homedir()])
  })

  it.each(['', '.', 'relative', '~'])('is what the system has on record where %j is named', (named) => {
    expect([homeFolder(named), knownHome(named)]).toEqual([userInfo().homedir, userInfo().homedir])
  })

  it.each(['', '.', 'relative', '~'])('is none, for an agent’s settings, where %j is named', (named) => {
    expect(() => namedHome(named)).toThrow(`the home folder \`${named}\` is not an absolute path`)
    expect([namedHome('/home/u'), namedHome()]).toEqual(['/home/u', homedir()])
  })
})
