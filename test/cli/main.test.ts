import { describe, expect, it } from 'vitest'
import { hookgateHere as hookgate } from '../support/cli.ts'

const helpOf = async (...argv: string[]) => (await hookgate([...argv, '--help'])).stdout
const overview = await helpOf()
const commands = [...overview.matchAll(/^ {2}(\w+) +\S/gm)]
  .map(([, name = '']) => name)
  .filter((name) => name !== 'hookgate')

describe('hookgate --help', () => {
  it('names every command, and mentions policies as well as hooks', () => {
    const everyDay = ['init', 'status', 'explain', 'log', 'why', 'allow', 'state', 'approvals', 'stats', 'ui', 'doctor']
    const rules = ['packs', 'check', 'suggest', 'import', 'replay', 'trust']
    const policies = ['new', 'test', 'bench', 'schema']
    const plumbing = ['run', 'up', 'down', 'emit', 'completion']
    const each = [
      ...everyDay,
      'enable',
      'disable',
      'uninstall',
      ...rules,
      ...policies,
      'bundle',
      'machines',
      'serve',
      ...plumbing,
    ]
    expect(commands).toEqual(each)
    expect(overview).toContain('a policy is')
  })

  it('lists the commands in groups, those of every day first', () => {
    const titles = [...overview.matchAll(/^([a-z][a-z ]+)\n {2}\w/gm)].map(([, title]) => title)
    expect(titles).toEqual(['every day', 'rules', 'policies', 'teams', 'plumbing'])
  })

  it.each([
    ['install', 'hookgate init'],
    ['setup', 'hookgate init'],
    ['update', 'npm install --global TARBALL'],
    ['upgrade', 'npm install --global TARBALL'],
    ['observe', 'hookgate init --preset observe'],
    ['start', 'hookgate up'],
    ['stop', 'hookgate down'],
    ['remove', 'hookgate uninstall'],
    ['version', 'hookgate --version'],
    ['list', 'hookgate packs'],
    ['config', 'hookgate check'],
    ['approve', 'hookgate approvals approve ID'],
  ])('says what to type to somebody who types `%s`, and does nothing', async (word, typed) => {
    const { stdout, stderr, exitCode } = await hookgate([word])
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 1 })
    expect(stderr).toMatch(new RegExp(`^hookgate: there is no command \`${word}\`; .*\`${typed}`))
  })

  it.each(['', ...commands])('fits a terminal of 120 columns: %s', async (command) => {
    const lines = (await helpOf(...(command === '' ? [] : [command]))).split('\n')
    expect(lines.filter((line) => line.length > 120)).toEqual([])
  })
})

describe.each(commands)('hookgate %s --help', (command) => {
  it('has a description and a usage line', async () => {
    const help = await helpOf(command)
    expect(help).toMatch(new RegExp(`^hookgate ${command}: `))
    expect(help).toContain(`\n  hookgate ${command}`)
    expect(await hookgate(['help', command])).toMatchObject({ stdout: help, exitCode: 0 })
  })

  it('has an example that works as typed, below the usage line', async () => {
    const [, , ...paragraphs] = (await helpOf(command)).split('\n\n')
    const lines = paragraphs.flatMap((paragraph) => paragraph.split('\n'))
    const typed = lines.filter(
      (line) => /^ +(\S.* (\||&&) )?hookgate /.test(line) && !/[[\]…]|\b[A-Z]{2,}\b/.test(line),
    )
    expect(typed.filter((line) => new RegExp(`\\bhookgate ${command}\\b`).test(line))).not.toEqual([])
  })

  it('names no unknown option', async () => {
    const help = await helpOf(command)
    const lines = help.split('\n').filter((line) => /^ +(hookgate |--)/.test(line))
    // Of a command with actions, an option belongs to one or more of them.
    const actions = [...help.matchAll(new RegExp(`^ +hookgate ${command} ([a-z]+) [A-Z]+ `, 'gm'))].map(
      ([, one = '']) => [one],
    )
    // Some options belong to an administrator's registration, or to what it prints.
    const modes = help.includes('--managed') ? [['--managed'], ['--managed', '--print']] : []
    // A quoted command has options of its own.
    const unquoted = lines.map((line) => line.replaceAll(/"[^"]*"/g, ''))
    const flags = [...new Set(unquoted.flatMap((line) => line.match(/(?<=[ [])--[a-z-]+/g) ?? []))]
    const known = flags.map(async (flag) => {
      const calls = [[], ...actions, ...modes].map((action) => hookgate([command, ...action, flag, '--no-such-flag']))
      return (await Promise.all(calls)).some(({ stderr }) => /no-such-flag|ambiguous/.test(stderr))
    })
    const isKnown = await Promise.all(known)
    expect(flags.filter((_flag, at) => isKnown[at] !== true)).toEqual([])
  })
})
