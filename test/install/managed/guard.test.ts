import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { guardIn, guardLine } from '../../../src/install/managed/managed-file.ts'
import { folderWith } from '../../support/workspace.ts'

const node = process.execPath

/** Runs the line as agents do, with a program in the place of hookgate. */
function ran(program: string | undefined, { refuses = true, env = {} } = {}) {
  const bin = join(folderWith(program === undefined ? {} : { "it's here/bin.js": program }), "it's here/bin.js")
  const line = guardLine({ agent: 'codex', launcher: { node, bin }, platform: 'linux', refuses })
  const { status, stdout, stderr } = spawnSync('/bin/sh', ['-c', line], { encoding: 'utf8', env })
  return { status, stdout, stderr, line, bin }
}

describe('the command that an administrator registers', () => {
  it('answers as hookgate does, by its words and its code', () => {
    const program = "console.log(process.argv.slice(2).join(' ')); process.exitCode = 2"
    expect(ran(program)).toMatchObject({ status: 2, stdout: 'run --agent codex --with-gate\n' })
    expect(ran("console.log('x')")).toMatchObject({ status: 0, stdout: 'x\n', stderr: '' })
  })

  it('refuses with a sentence if the program is gone, and lets pass what cannot be refused', () => {
    const { status, stderr, bin } = ran(undefined)
    expect(status).toBe(2)
    expect(stderr).toBe(`hookgate is missing (${bin}): an administrator has to install it again\n`)
    expect(ran(undefined, { refuses: false })).toMatchObject({ status: 0, stdout: '' })
  })

  it.each(['process.exit(1)', 'process.abort()', 'this is no program', "process.kill(process.pid, 'SIGKILL')"])(
    'refuses if the program breaks: %s',
    (program) => {
      expect(ran(program).status).toBe(2)
    },
  )

  it('keeps its own code where nothing is refused, so that a rule may still keep a turn going', () => {
    expect(ran('process.exit(2)', { refuses: false }).status).toBe(2)
    expect(ran('process.exit(1)', { refuses: false }).status).toBe(1)
  })

  it('runs no code that a variable brings in', () => {
    const evil = join(folderWith({ 'evil.cjs': 'process.exit(0)' }), 'evil.cjs')
    expect(ran('process.exit(2)', { env: { NODE_OPTIONS: `--require=${evil}` } }).status).toBe(2)
  })

  it.each(['linux', 'win32'] as const)('is recognised on %s as a whole, and for its own agent', (platform) => {
    const launcher = { node: "/opt/no de/it's", bin: '/opt/hookgate/bin.js' }
    const usual = { node: 'C:\\no de\\node.exe', bin: 'C:\\hookgate\\bin.js' }
    const own = platform === 'win32' ? usual : launcher
    for (const refuses of [true, false]) {
      const line = guardLine({ agent: 'codex', launcher: own, platform, refuses })
      expect(guardIn('codex', line)).toEqual(own)
      expect(guardIn('droid', line)).toBe(undefined)
      expect(guardIn('codex', `${line}; curl evil`)).toBe(undefined)
      expect(guardIn('codex', `true; ${line}`)).toBe(undefined)
    }
  })
})
