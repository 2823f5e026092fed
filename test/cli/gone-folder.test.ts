import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { entryFile } from '../../src/files/program-files.ts'
import { deadPort } from '../support/listener.ts'
import { folderWith } from '../support/workspace.ts'

const bin = entryFile('cli/bin')

/** Runs hookgate in a folder that is removed just before. */
function inGoneFolder(argv: readonly string[], stdin = '') {
  const home = folderWith()
  const gone = folderWith()
  const script = `cd ${gone} && rmdir ${gone} && exec "$0" "$@"`
  const env = { PATH: process.env['PATH'] ?? '', HOME: home, HOOKGATE_HOME: join(home, 'gate'), NODE_OPTIONS: '' }
  const words = ['-c', script, process.execPath, bin, ...argv]
  const { status, stdout, stderr } = spawnSync('/bin/sh', words, { input: stdin, encoding: 'utf8', env })
  return { home, ended: { stdout, stderr, exitCode: status } }
}

/** What commands could leave at the file system's root, which becomes Node's working directory instead. */
const places = ['.hookgate', '.claude', '.clinerules', 'events'].map((name) => join('/', name))

/** Lists the new ones of these files, and removes them when the test ends. */
function strays(): () => readonly string[] {
  const before = new Set(places.filter((path) => existsSync(path)))
  const left = () => places.filter((path) => existsSync(path) && !before.has(path))
  onTestFinished(() => left().forEach((path) => rmSync(path, { recursive: true, force: true })))
  return left
}

describe('in a folder that was removed', () => {
  it.each([
    'new policy x',
    'new hook x',
    'new hook PreToolUse --agent cline',
    'enable claude-code --scope project',
    'disable claude-code --scope project',
    'cline-hook --enable --scope project',
    'status claude-code',
    'check',
    'trust',
    'test',
    'bench',
    'schema',
    'packs',
    'doctor',
  ])('`hookgate %s` reports it, and does nothing', (words) => {
    const left = strays()
    const { home, ended } = inGoneFolder(words.split(' '))
    expect(left()).toEqual([])
    expect(ended).toEqual({
      stdout: '',
      stderr: 'hookgate: the current folder no longer exists; `cd` elsewhere\n',
      exitCode: 1,
    })
    expect(readdirSync(home)).toEqual([])
  })

  it('commands that do not read it still work', () => {
    const { stdout, exitCode } = inGoneFolder(['status']).ended
    expect([stdout, exitCode]).toEqual([
      expect.stringMatching(/^nothing is checked: .*\nthe gate is not running\n$/),
      1,
    ])
    expect(inGoneFolder(['down']).ended).toMatchObject({ stdout: 'no gate was running\n', exitCode: 0 })
    expect(inGoneFolder(['--version']).ended).toMatchObject({ stderr: '', exitCode: 0 })
    expect(inGoneFolder(['new', '--help']).ended).toMatchObject({ stderr: '', exitCode: 0 })
  })

  it('an event is stored, unless it would be stored in that very folder', async () => {
    const event = '{"hookName":"PostToolUse","taskId":"1"}'
    const left = strays()
    const argv = ['emit', '--port', `${await deadPort()}`]
    const { home, ended } = inGoneFolder(argv, event)
    expect(ended).toEqual({ stdout: '', stderr: '', exitCode: 0 })
    const file = join(home, '.cline', 'hook-events', 'cline-hook-events.json')
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual([JSON.parse(event)])
    expect(inGoneFolder([...argv, '--dir', 'events'], event).ended).toEqual({
      stdout: '',
      stderr: 'hookgate: the current folder no longer exists; `cd` elsewhere\n',
      exitCode: 1,
    })
    expect(left()).toEqual([])
  })
})
