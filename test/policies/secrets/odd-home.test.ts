import { afterAll, describe, expect, it } from 'vitest'
import { openShippedGate } from '../../support/shipped-gate.ts'

describe.each(['/srv/people/u', '/data/u', '/var/lib/jenkins', '/home/u', '/Users/u'])('with the home %s', (home) => {
  const gate = openShippedGate(home)
  afterAll(() => gate.close())

  it.each(['~/.npmrc', `${home}/.npmrc`, '"$HOME"/.npmrc', '~/.tool/auth.json', '~/.tool/a/oauth_creds.json'])(
    'the credentials of %s are not read',
    async (path) => {
      expect((await gate.judge(`cat ${path}`)).denied).toContain('credential-files')
    },
  )

  it.each(['.npmrc', `${home}/proj/.npmrc`, '~/.toolrc', '/opt/app/.npmrc'])('%s is read', async (path) => {
    expect((await gate.judge(`cat ${path}`)).denied).toEqual([])
  })
})
