import { readFileSync } from 'node:fs'
import { afterAll, describe, expect, it } from 'vitest'
import { openPresetGate } from '../../support/shipped-gate.ts'

const rows = readFileSync(new URL('../../fixtures/environment/shown.txt', import.meta.url), 'utf8')
  .split('\n')
  .flatMap((line) => {
    const [, kind = '', command = ''] = /^([SN-]) (.*)$/.exec(line) ?? []
    return command === '' ? [] : [{ kind, command: command.replaceAll('⏎', '\n') }]
  })
const commandsOf = (kind: string) => rows.filter((row) => row.kind === kind).map(({ command }) => command)

const withSecret = openPresetGate('/home/u', 'recommended', { GITHUB_TOKEN: 'x1', NODE_ENV: 'test' })
const without = openPresetGate('/home/u', 'recommended', { NODE_ENV: 'test' })
afterAll(() => Promise.all([withSecret.close(), without.close()]))

const nothing = { denied: [], asked: [] }

describe('a command that shows the whole environment', () => {
  it.each(commandsOf('S'))('is asked about where a variable is a secret, and else is not: %s', async (command) => {
    expect((await withSecret.judge(command)).asked).toContain('shown-environment')
    expect(await without.judge(command)).toEqual(nothing)
  })

  it('is asked about with the names of the secrets, and no value', async () => {
    const { reason } = await withSecret.verdictOn('env')
    expect(reason).toContain('GITHUB_TOKEN')
    expect(reason).not.toContain('x1')
  })
})

describe('a command that shows a secret variable by way of another name', () => {
  it.each(commandsOf('N'))('is asked about: %s', async (command) => {
    expect((await without.judge(command)).asked).toContain('print-secrets')
  })
})

describe('a command that shows names, other variables, or none', () => {
  it.each(commandsOf('-'))('passes where a variable is a secret: %s', async (command) => {
    expect(await withSecret.judge(command)).toEqual(nothing)
  })
})
