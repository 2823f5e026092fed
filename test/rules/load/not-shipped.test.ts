import { cpSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { claudeShell } from '../../support/wire.ts'
import { folderWith } from '../../support/workspace.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** Starts a gate from a copy of hookgate, removes the copy, and prints the reason for its next decision. */
const program = `
const { createGate } = await import(process.argv[1] + '/src/library/index.ts')
const { renameSync } = await import('node:fs')
const gate = createGate({ rules: [process.argv[2]], discover: false })
const event = await gate.decode(JSON.parse(process.argv[3]))
renameSync(process.argv[1] + '/policies', process.argv[1] + '/elsewhere')
try {
  console.log((await gate.decide(event)).reason)
} catch (error) {
  console.log(error.message, error.remedy)
}
await gate.close()
`

/** Starts a gate from a copy of hookgate, removes all of the copy, and prints its answer to an event in a workspace with rules. */
const answering = `
const { createGate } = await import(process.argv[1] + '/src/library/index.ts')
const { renameSync } = await import('node:fs')
const gate = createGate({ rules: [process.argv[2]] })
renameSync(process.argv[1], process.argv[1] + '-elsewhere')
console.log((await gate.answer(process.argv[3], { agent: 'claude-code' })).stdout)
process.exit()
`

/** Makes a copy of hookgate that can be removed while it runs. */
function copiedTo(copy: string): void {
  for (const part of ['src', 'policies', 'package.json'])
    cpSync(join(root, part), join(copy, part), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
}

describe('an installation that is gone while its gate runs', () => {
  it.each([
    ['a pack', { packs: [{ pack: 'git-safety' }] }],
    ['a preset', { preset: 'recommended' }],
    ['a policy', { hooks: { PreToolUse: [{ hooks: [{ type: 'policy', policy: 'hookgate/no-force-push' }] }] } }],
  ])('is named as the cause, and not the rules file that turns on %s', (_what, rules) => {
    const folder = folderWith({ 'copy/x': '', 'hooks.json': JSON.stringify(rules) })
    const copy = join(folder, 'copy')
    copiedTo(copy)
    const event = JSON.stringify(claudeShell('ls', folder))
    const argv = ['--input-type=module', '-e', program, copy, join(folder, 'hooks.json'), event]
    const { stdout } = spawnSync(process.execPath, argv, { encoding: 'utf8' })
    rmSync(copy, { recursive: true })
    expect(stdout).toContain(`hookgate itself is no longer at \`${copy}\``)
    expect(stdout).toContain('install it again')
  })

  it('is named as the cause of what fails in the gate itself, since parts of it are read when they are needed', () => {
    const folder = folderWith({ 'copy/x': '', 'hooks.json': '{}', 'work/.hookgate/hooks.json': '{}', 'home/x': '' })
    const copy = join(folder, 'copy')
    copiedTo(copy)
    const event = JSON.stringify(claudeShell('ls', join(folder, 'work')))
    const argv = ['--input-type=module', '-e', answering, copy, join(folder, 'hooks.json'), event]
    const env = { HOME: join(folder, 'home') }
    const { stdout } = spawnSync(process.execPath, argv, { encoding: 'utf8', env })
    expect(stdout).toContain(`hookgate cannot answer: hookgate itself is no longer at \`${copy}\``)
    expect(stdout).toContain('"permissionDecision":"deny"')
  })
})
