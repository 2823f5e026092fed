import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createGate } from '../../src/library/index.ts'
import { parseJsonObject } from '../../src/model/json.ts'
import { limits } from '../../src/model/limits.ts'
import { folderWith } from '../support/workspace.ts'

/** A gate for a project and a home with texts in them. */
function gateWith(files: Readonly<Record<string, string>>) {
  const folder = folderWith({
    'home/.config/hookgate/hooks.json': { json: { permissions: { deny: ['Bash(git push *)'], ask: ['Bash(rm *)'] } } },
    'project/x': '',
    ...files,
  })
  const gate = createGate({
    placement: 'caller',
    home: join(folder, 'home'),
    managedFolder: join(folder, 'managed'),
    env: { HOME: join(folder, 'home') },
  })
  onTestFinished(() => gate.close())
  const wire = (event: object) =>
    JSON.stringify({ session_id: 's', transcript_path: '', cwd: join(folder, 'project'), ...event })
  const answered = async (event: object, agent: 'claude-code' | 'codex' = 'claude-code') =>
    gate.answer(wire(event), { agent })
  return {
    folder,
    answered,
    call: async (tool_input: object, tool_name = 'Skill') =>
      (await answered({ hook_event_name: 'PreToolUse', tool_name, tool_input })).verdict?.decision,
  }
}

const danger = 'Before you begin:\n\n- now: !`git push --force origin main`\n'
const project = 'project/.claude/skills/deploy/SKILL.md'

describe('the call of a skill or slash command is judged by the commands in its text', () => {
  it.each<[string, Record<string, string>, object, string]>([
    ['of the project', { [project]: danger }, { skill: 'deploy' }, 'deny'],
    ['of the person', { 'home/.claude/skills/deploy/SKILL.md': danger }, { skill: 'deploy' }, 'deny'],
    ['a slash command', { 'project/.claude/commands/deploy.md': danger }, { skill: '/deploy' }, 'deny'],
    ['a slash command in a folder', { 'project/.claude/commands/a/deploy.md': danger }, { skill: 'a:deploy' }, 'deny'],
    ['by the key of older versions', { [project]: danger }, { command: 'deploy now' }, 'deny'],
    ['in a block', { [project]: 'x\n```!\ngit status\ngit push origin main\n```\n' }, { skill: 'deploy' }, 'deny'],
    ['which a person is asked about', { [project]: '!`rm -rf build`' }, { skill: 'deploy' }, 'ask'],
    [
      'filled in with what is given',
      { [project]: '!`git $ARGUMENTS`' },
      { skill: 'deploy', args: 'push origin main' },
      'deny',
    ],
    ['behind a harmless one', { [project]: '!`git status` and !`git push origin x`' }, { skill: 'deploy' }, 'deny'],
    [
      'both of one name',
      { [project]: 'Hello', 'home/.claude/commands/deploy.md': danger },
      { skill: 'deploy' },
      'deny',
    ],
  ])('%s', async (_, files, input, decision) => {
    expect(await gateWith(files).call(input)).toBe(decision)
  })

  it.each<[string, Record<string, string>, object]>([
    ['another skill is called', { [project]: danger }, { skill: 'test' }],
    ['the text only shows a command', { [project]: 'Run `git push origin main` then.' }, { skill: 'deploy' }],
    ['the command is harmless', { [project]: '!`git log --oneline`' }, { skill: 'deploy' }],
    ['there is no such skill', {}, { skill: 'deploy' }],
    ['the name leads elsewhere', { 'project/SKILL.md': danger }, { skill: '../..' }],
    ['the call names none', { [project]: danger }, {}],
  ])('and not where %s', async (_, files, input) => {
    expect(await gateWith(files).call(input)).toBe('abstain')
  })

  it('and no other tool is taken for one', async () => {
    expect(await gateWith({ [project]: danger }).call({ skill: 'deploy' }, 'TodoWrite')).toBe('abstain')
  })

  it('and as soon if it is a block without an end as large as a text may be', async () => {
    const block = `\`\`\`!${'\n'.repeat(limits.settingsBytesMax / 4)}`
    expect(await gateWith({ [project]: block }).call({ skill: 'deploy' })).toBe('abstain')
  })

  it('and refused if it repeats long arguments more often than can be judged', async () => {
    const { answered } = gateWith({ [project]: '!`echo $ARGUMENTS $ARGUMENTS`\n'.repeat(1000) })
    const tool_input = { skill: 'deploy', args: 'x'.repeat(1000) }
    const answer = await answered({ hook_event_name: 'PreToolUse', tool_name: 'Skill', tool_input })
    expect(answer).toMatchObject({ told: 'deny', error: { code: 'eventMalformed' } })
  })

  it('and refused if its text is larger than is read', async () => {
    const { folder, answered } = gateWith({ [project]: danger })
    writeFileSync(join(folder, project), `${' '.repeat(limits.settingsBytesMax)}${danger}`)
    const call = { hook_event_name: 'PreToolUse', tool_name: 'Skill', tool_input: { skill: 'deploy' } }
    expect(await answered(call)).toMatchObject({ told: 'deny', exitCode: 2 })
    rmSync(join(folder, project))
    expect(await answered(call)).toMatchObject({ told: 'abstain', exitCode: 0 })
  })
})

describe('a command of a skill that Claude Code sends before it runs', () => {
  const event = (command: string) => ({
    hook_event_name: 'PreSkillShellCommand',
    tool_name: 'Bash',
    tool_input: { command },
    tool_use_id: 't',
    command_name: 'deploy',
    command_source: 'projectSettings',
    invoked_by: 'user',
  })

  it.each([
    ['git push --force origin main', 'deny', 2],
    ['rm -rf build', 'ask', 0],
  ])('is judged as a shell command, and answered under its own name: %s', async (command, decision, exitCode) => {
    const answer = await gateWith({}).answered(event(command))
    expect(answer).toMatchObject({ told: decision, exitCode })
    expect(JSON.parse(answer.stdout)).toMatchObject({
      hookSpecificOutput: { hookEventName: 'PreSkillShellCommand', permissionDecision: decision },
    })
  })

  it('passes without a word if no rule objects', async () => {
    expect(await gateWith({}).answered(event('git log'))).toMatchObject({ stdout: '', stderr: '', exitCode: 0 })
  })

  it('is refused where a rule would have it changed, since Claude Code changes none', async () => {
    const policy = `import { definePolicy, rewrite } from 'hookgate/policy'
export default definePolicy({ id: 'p', description: 'x', on: 'PreToolUse', tool: 'shell', decide: () => rewrite({ command: 'true' }) })
`
    const { answered } = gateWith({ 'home/.config/hookgate/policies/p.policy.ts': policy })
    const answer = await answered(event('git log'))
    expect(answer).toMatchObject({ told: 'deny', exitCode: 2 })
    expect(answer.stdout).not.toContain('updatedInput')
  })

  it('reaches the hooks that are registered for it, and those of all shell commands', async () => {
    const hook = (name: string) => ({ hooks: [{ type: 'command', command: `cat > "$HOME/${name}"; exit 0` }] })
    const json = { hooks: { PreSkillShellCommand: [hook('skill')], PreToolUse: [hook('tool')] } }
    const { folder, answered } = gateWith({ 'home/.config/hookgate/hooks.json': JSON.stringify(json) })
    const sent = (name: string) => readSent(join(folder, 'home', name))
    await answered({ hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command: 'ls' } })
    expect([sent('skill'), sent('tool')]).toEqual([undefined, 'PreToolUse'])
    await answered(event('ls'))
    expect([sent('skill'), sent('tool')]).toEqual(['PreSkillShellCommand', 'PreToolUse'])
  })
})

/** Returns the event's name that a hook got, and forgets it; `undefined` if it was not asked. */
function readSent(file: string): unknown {
  if (!existsSync(file)) return undefined
  const sent = parseJsonObject(readFileSync(file, 'utf8'))
  rmSync(file)
  return sent?.['hook_event_name']
}
