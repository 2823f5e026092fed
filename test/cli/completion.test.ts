import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { agentNames } from '../../src/agents/registry.ts'
import { openRefusals } from '../../src/files/state/refusals.ts'
import { hookgateHere } from '../support/cli.ts'
import { claudeShell } from '../support/wire.ts'
import { folderWith, writeFiles } from '../support/workspace.ts'

const { stdout: bash } = await hookgateHere(['completion', 'bash'])
/** A program that stands for hookgate where the script asks it for ids. */
const folder = mkdtempSync(join(tmpdir(), 'hookgate-completion-'))
writeFiles(folder, { 'bin/hookgate': '#!/bin/sh\ntest "$*" = "completion ids" && echo 7QK2MX\n', script: bash })
chmodSync(join(folder, 'bin/hookgate'), 0o755)
afterAll(() => rmSync(folder, { recursive: true }))

/** Presses Tab behind a line in a real bash. @returns what it offers */
function offered(line: string): readonly string[] {
  const words = line.split(' ')
  const quoted = words.map((word) => `'${word}'`).join(' ')
  const press = `source ./script; COMP_WORDS=(${quoted}); COMP_CWORD=${words.length - 1}; _hookgate; printf '%s\\n' "\${COMPREPLY[@]}"`
  const PATH = [join(folder, 'bin'), process.env['PATH']].join(delimiter)
  return execFileSync('bash', ['--norc', '-c', press], { cwd: folder, env: { PATH }, encoding: 'utf8' })
    .trim()
    .split('\n')
}

describe('hookgate completion bash, in a real bash', () => {
  it.each([
    ['hookgate ini', ['init']],
    ['hookgate st', ['state', 'status', 'stats']],
    ['hookgate enable cl', ['claude-code', 'cline']],
    ['hookgate status co', ['codex', 'copilot-cli']],
    ['hookgate log --agent kim', ['kimi-code']],
    ['hookgate log --sin', ['--since']],
    ['hookgate log --decision den', ['deny', 'denied']],
    ['hookgate log --rule force-p', ['force-push']],
    ['hookgate packs git-safety/force', ['git-safety/force-push']],
    ['hookgate packs strict', ['strict']],
    ['hookgate init --preset re', ['recommended']],
    ['hookgate approvals app', ['approve']],
    ['hookgate bundle pub', ['publish']],
    ['hookgate completion f', ['fish']],
    ['hookgate why 7', ['7QK2MX']],
    ['hookgate allow 7Q', ['7QK2MX']],
    ['hookgate check 7Q', ['']],
  ])('offers behind `%s`', (line, words) => {
    expect(offered(line).toSorted()).toEqual([...words].toSorted())
  })

  it('registers itself for hookgate, with files where there is no word', () => {
    const registered = execFileSync('bash', ['--norc', '-c', 'source ./script; complete -p hookgate'], { cwd: folder })
    expect(registered.toString()).toBe('complete -o default -F _hookgate hookgate\n')
  })

  it('offers every agent', () => {
    expect(offered('hookgate enable ')).toEqual(expect.arrayContaining([...agentNames]))
  })
})

describe('hookgate completion', () => {
  it('prints the ids that `hookgate allow` takes', async () => {
    const home = folderWith({ x: '' })
    const env = { HOME: home, HOOKGATE_HOME: join(home, 'state') }
    expect((await hookgateHere(['completion', 'ids'], { env })).stdout).toBe('')
    const stdin = JSON.stringify(claudeShell('git push --force', home))
    writeFiles(home, { '.config/hookgate/hooks.json': { json: { preset: 'recommended' } } })
    await hookgateHere(['run', '--agent', 'claude-code'], { env, cwd: home, stdin })
    const [refused] = openRefusals(join(home, 'state/refusals')).all()
    expect(refused).toBeDefined()
    expect((await hookgateHere(['completion', 'ids'], { env })).stdout).toBe(`${refused?.id}\n`)
  })

  it.each(['zsh', 'fish'])('has a script for %s that names every command', async (shell) => {
    const { stdout } = await hookgateHere(['completion', shell])
    expect(['init', 'uninstall', 'explain', 'bundle'].filter((name) => !stdout.includes(name))).toEqual([])
  })

  it('refuses another shell by name', async () => {
    expect(await hookgateHere(['completion', 'tcsh'])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('bash, zsh or fish'),
    })
  })
})
