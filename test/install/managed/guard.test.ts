import { spawnSync } from 'node:child_process'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  guardIn,
  guardInScript,
  guardLine,
  guardScript,
  scriptLine,
} from '../../../src/install/managed/managed-file.ts'
import { folderWith } from '../../support/workspace.ts'

const node = process.execPath

/** What an administrator registers: a script, or for a server the whole command. */
const forms = ['script', 'command'] as const

/** Starts what is registered as agents do, with a program in the place of hookgate. */
function started(form: (typeof forms)[number], program: string | undefined, { refuses = true, env = {} } = {}) {
  const bin = join(
    folderWith({ "it's here/x": '', ...(program !== undefined && { "it's here/bin.js": program }) }),
    "it's here/bin.js",
  )
  const launcher = { node, bin }
  const script = join(dirname(bin), 'hookgate.sh')
  writeFileSync(script, guardScript('codex', launcher))
  const line =
    form === 'script'
      ? scriptLine({ script, refuses })
      : guardLine({ agent: 'codex', launcher, platform: 'linux', refuses })
  const run = (shell: string) => {
    const { status, stdout, stderr } = spawnSync(shell, ['-c', line], { encoding: 'utf8', env })
    return { status, stdout, stderr, bin }
  }
  return { ...run('/bin/sh'), run, script }
}

describe.each(forms)('the %s that an administrator registers', (form) => {
  const ran = (program: string | undefined, how = {}) => started(form, program, how)

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
})

describe('the script that an administrator registers', () => {
  const shells = ['/bin/sh', '/bin/dash', '/bin/bash'].filter((shell) => existsSync(shell))

  it.each(shells)('refuses where it is gone, though shells end with other codes then: %s', (shell) => {
    const { run, script } = started('script', 'process.exit(0)')
    expect(run(shell).status).toBe(0)
    rmSync(script)
    expect(run(shell)).toMatchObject({ status: 2, stderr: expect.stringContaining(script) as unknown })
  })

  it.each(shells)('keeps no turn from its end where it is gone: %s', (shell) => {
    const { run, script } = started('script', 'process.exit(2)', { refuses: false })
    expect(run(shell).status).toBe(2)
    rmSync(script)
    expect(run(shell)).toMatchObject({ status: 0, stdout: '' })
  })

  it('is read back as what it runs, as a whole and for its own agent', () => {
    const launcher = { node: "/opt/no de/it's", bin: '/opt/hookgate/bin.js' }
    const text = guardScript('codex', launcher)
    expect(guardInScript('codex', text)).toEqual(launcher)
    expect(guardInScript('droid', text)).toBe(undefined)
    for (const other of [
      `${text}curl evil\n`,
      text.replace('#!/bin/sh', '#!/bin/sh -n'),
      text.replace('#!/bin/sh\n', '#!/bin/sh\nexit 0\n'),
      text.replace('exit 2', 'exit 0'),
      text.replace('unset ', 'exec true; unset '),
      text.replace('unset NODE_OPTIONS', 'unset NODE_OPTIONS; exit'),
      text.replace('exec ', 'exec /tmp/'),
      text.replace(/exec .* run/, 'exec /bin/true /bin/true run'),
      text.replace(' --with-gate', ' --with-gate || true'),
    ]) {
      expect(other).not.toBe(text)
      expect([other, guardInScript('codex', other)]).toEqual([other, undefined])
    }
  })
})

describe('the command that a server delivers, or Windows gets', () => {
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
