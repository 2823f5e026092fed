import { homedir, userInfo } from 'node:os'
import { isAbsolute } from 'node:path'
import { describe, expect, it } from 'vitest'
import { homeFolder, knownHome, namedHome, userName } from '../../src/files/home-folder.ts'

describe('the home folder', () => {
  it('is the given one', () => {
    expect([homeFolder('/home/u'), knownHome('/home/u')]).toEqual(['/home/u', '/home/u'])
  })

  it('is that of the process if none is given', () => {
    expect(isAbsolute(homedir())).toBe(true)
    expect([homeFolder(), knownHome()]).toEqual([homedir(), homedir()])
  })

  it.skipIf(userName() === undefined).each(['', '.', 'relative', '~'])(
    'is the one in the user database if %j is given',
    (named) => {
      expect([homeFolder(named), knownHome(named)]).toEqual([userInfo().homedir, userInfo().homedir])
    },
  )

  it.each(['', '.', 'relative', '~'])('is undefined, for an agent’s settings, if %j is given', (named) => {
    expect(() => namedHome(named)).toThrow(`the home folder \`${named}\` is not an absolute path`)
    expect([namedHome('/home/u'), namedHome()]).toEqual(['/home/u', homedir()])
  })
})
