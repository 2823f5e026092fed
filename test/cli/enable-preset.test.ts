import { describe, expect, it } from 'vitest'
import { presetNames } from '../../src/files/policy-files.ts'
import { FileChanges } from '../../src/model/file-changes.ts'
import { createGate } from '../../src/library/index.ts'
import { shippedPreset } from '../../src/rules/index.ts'
import { newcomer, agentUser } from '../support/enabling.ts'
import { claudeShell } from '../support/wire.ts'
import { folderWith } from '../support/workspace.ts'

const rulesOf = (user: ReturnType<typeof newcomer>) =>
  JSON.parse(user.read('home/.config/hookgate/hooks.json')) as unknown

describe('hookgate enable, where no rules are in force', () => {
  it('turns on `recommended` without a terminal, says so, and is undone to the byte', async () => {
    const user = newcomer()
    const before = user.home()
    const { stdout } = await user.cli(['enable', 'codex'])
    expect(stdout).toContain(`  wrote ${user.rulesFile}\n`)
    expect(stdout).toContain('the preset `recommended` is on: Refuses what cannot be undone')
    expect(stdout).toContain('  it refuses:\n    rm -rf ~\n')
    expect(stdout).toContain(`\`hookgate packs recommended\` shows its rules; to change them, edit ${user.rulesFile}\n`)
    expect(rulesOf(user)).toEqual({ preset: 'recommended' })
    expect((await user.cli(['enable', 'codex'])).stdout).toBe('Codex is already enabled: nothing was changed\n')
    expect((await user.cli(['disable', 'codex'])).stdout).toContain(`  removed ${user.rulesFile}\n`)
    expect(user.home()).toEqual(before)
  })

  it('asks once on a terminal, and takes the answer or, for an empty one, the default', async () => {
    const asked: string[] = []
    const answering = (answer: string) => ({
      ask: (question: string) => {
        asked.push(question)
        return Promise.resolve(answer)
      },
    })
    const user = newcomer()
    expect(await user.cli(['enable', 'codex'], answering('strickt'))).toMatchObject({
      exitCode: 1,
      stderr: 'hookgate: hookgate has no preset `strickt`; did you mean `strict`?\n',
    })
    expect(user.exists('home/.codex')).toBe(false)
    await user.cli(['enable', 'codex'], answering('strict'))
    expect(rulesOf(user)).toEqual({ preset: 'strict' })
    await user.cli(['enable', 'cursor'], answering(''))
    expect(rulesOf(user)).toEqual({ preset: 'strict' })
    const other = newcomer()
    await other.cli(['enable', 'codex'], answering(''))
    expect(rulesOf(other)).toEqual({ preset: 'recommended' })
    expect(asked).toHaveLength(4)
    expect(asked[2]).toMatch(/^would write .*\.cursor[^]*go ahead\? \[Y\/n\] $/)
    expect(asked[0]).toMatch(
      /^No rules are in force.*\n {2}recommended .*\n {2}observe .*\n {2}strict .*\n {2}none .*\npreset \[recommended\]: $/,
    )
  })

  it('never asks with `--yes`, or where nothing would be done', async () => {
    const user = newcomer()
    const ask = () => Promise.reject(new Error('asked'))
    await user.cli(['enable', 'codex', '--dry-run'], { ask })
    await user.cli(['enable', 'codex', '--diff'], { ask })
    await user.cli(['enable', 'codex', '--preset', 'observe', '--yes'], { ask })
    expect(rulesOf(user)).toEqual({ preset: 'observe' })
  })

  it('`--preset none` writes no rules, and says that nothing is checked', async () => {
    const user = newcomer()
    const { stdout, exitCode } = await user.cli(['enable', 'codex', '--preset', 'none'])
    expect(exitCode).toBe(0)
    expect(stdout).toContain('nothing is checked: no rules are in force; run `hookgate init`\n')
    expect(user.exists('home/.config')).toBe(false)
  })

  it('`--dry-run` shows the rules file, and writes nothing', async () => {
    const user = newcomer()
    const before = user.home()
    const { stdout } = await user.cli(['enable', 'codex', '--dry-run', '--preset', 'strict'])
    expect(stdout).toContain(`would write ${user.rulesFile}\n`)
    expect(stdout).toContain('the preset `strict` would be turned on: ')
    const { stdout: diff } = await user.cli(['enable', 'codex', '--diff'])
    expect(diff).toContain(`+++ ${user.rulesFile}\n@@ -0,0 +1,3 @@\n+{\n+  "preset": "recommended"\n+}\n`)
    expect(user.home()).toEqual(before)
  })

  it('`--json` names the preset, and what is checked then', async () => {
    const user = newcomer()
    const { stdout } = await user.cli(['enable', 'codex', '--json', '--preset', 'observe'])
    expect(JSON.parse(stdout)).toMatchObject({ agent: 'codex', preset: 'observe', protection: 'observe' })
  })

  it('`--json` has the diff of every file, of a dry run and of `disable` too', async () => {
    const user = newcomer()
    const json = async (...argv: string[]) =>
      FileChanges.parse(JSON.parse((await user.cli([...argv, '--json'])).stdout))
    const dry = await json('enable', 'codex', '--dry-run')
    const done = await json('enable', 'codex')
    expect(dry).toMatchObject({ changed: false, files: done.files })
    expect(done).toMatchObject({ changed: true, copies: [] })
    expect(done.files.map(({ file }) => file)).toEqual([user.rulesFile, user.at('home/.codex/hooks.json')])
    expect(done.files[0]?.diff).toContain('+  "preset": "recommended"\n')
    expect(await json('enable', 'codex')).toMatchObject({ changed: false, files: [] })
    const undone = await json('disable', 'codex')
    expect(undone.changed).toBe(true)
    expect(undone.files.map(({ diff }) => /^\+\+\+ .*$/m.exec(diff)?.[0])).toContain('+++ /dev/null')
  })

  it('writes nothing for a project, and says what to write', async () => {
    const user = newcomer()
    const file = `${user.project}/.hookgate/hooks.json`
    const { stdout } = await user.cli(['enable', 'codex', '--scope', 'project'])
    expect(stdout).toContain(
      `nothing is checked: no rules are in force; write \`{"preset": "recommended"}\` to ${file}\n`,
    )
    expect(user.exists('home/.config')).toBe(false)
    const named = await user.cli(['enable', 'codex', '--scope', 'project', '--preset', 'strict'])
    expect(named).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining(`write \`{"preset": "strict"}\` to ${file}`),
    })
  })

  it('rewrites its own rules file for another preset that is named, with the next agent too', async () => {
    const user = newcomer()
    const before = user.home()
    await user.cli(['enable', 'codex', '--preset', 'strict'])
    expect(await user.cli(['enable', 'cursor', '--preset', 'strict'])).toMatchObject({ exitCode: 0 })
    await user.cli(['enable', 'cursor', '--preset', 'observe'])
    expect(rulesOf(user)).toEqual({ preset: 'observe' })
    await user.cli(['enable', 'cursor', '--preset', 'none'])
    await user.cli(['disable', 'codex'])
    expect(rulesOf(user)).toEqual({ preset: 'observe' })
    await user.cli(['disable', 'cursor'])
    expect(user.home()).toEqual(before)
  })

  it('keeps a rules file that was edited since, and says so', async () => {
    const user = newcomer()
    await user.cli(['enable', 'codex'])
    user.write('home/.config/hookgate/hooks.json', '{"preset": "strict"}')
    expect((await user.cli(['enable', 'codex', '--preset', 'observe'])).stderr).toContain(
      `rules are in force already, from \`user:hooks.json\`: \`--preset\` does not change them; edit \`"preset"\` in ${user.rulesFile}`,
    )
    expect((await user.cli(['disable', 'codex'])).stdout).toContain(
      `  kept ${user.rulesFile}: it was changed since \`enable\` wrote it\n`,
    )
    expect(rulesOf(user)).toEqual({ preset: 'strict' })
  })

  it('is one rules file where two agents are enabled at once', async () => {
    const user = newcomer()
    const before = user.home()
    const ended = await Promise.all(['codex', 'cursor'].map((agent) => user.spawned(['enable', agent])))
    expect(ended.map(({ exitCode, stderr }) => [exitCode, stderr])).toEqual([
      [0, ''],
      [0, ''],
    ])
    expect(rulesOf(user)).toEqual({ preset: 'recommended' })
    for (const agent of ['cursor', 'codex']) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await user.cli(['disable', agent])
    }
    expect(user.home()).toEqual(before)
  })
})

describe('hookgate enable, where there is a rules file', () => {
  it('leaves it alone, whatever it holds, and says where nothing is checked', async () => {
    const user = agentUser({ 'home/.config/hookgate/hooks.json': '{"hooks": {}}' })
    const file = user.at('home/.config/hookgate/hooks.json')
    const { stdout } = await user.cli(['enable', 'codex'])
    expect(stdout).toContain(
      `nothing is checked: no rules are in force; \`hookgate packs recommended --on\` adds a preset to ${file}\n`,
    )
    expect((await user.cli(['enable', 'codex', '--preset', 'strict'])).stderr).toBe(
      `hookgate: there is a rules file already: \`--preset\` does not change it; edit \`"preset"\` in ${file}\n`,
    )
    await user.cli(['disable', 'codex'])
    expect(user.read('home/.config/hookgate/hooks.json')).toBe('{"hooks": {}}')
  })

  it.each(['{', '{"preset": "strikt"}'])('turns on nothing beside rules that do not load: %s', async (text) => {
    const user = agentUser({ 'home/.config/hookgate/hooks.json': text })
    expect((await user.cli(['enable', 'codex'])).stdout).not.toMatch(/preset|nothing is checked/)
    expect(user.read('home/.config/hookgate/hooks.json')).toBe(text)
  })

  it('turns on nothing where policies without a rules file are in force', async () => {
    const user = newcomer()
    user.write(
      'home/.config/hookgate/policies/own.policy.ts',
      `import { definePolicy, deny } from 'hookgate/policy'
export default definePolicy({ id: 'own', description: 'own', on: 'PreToolUse', decide: () => deny('no'), examples: [] })`,
    )
    expect((await user.cli(['enable', 'codex'])).stdout).not.toMatch(/preset|nothing is checked/)
    expect(user.exists('home/.config/hookgate/hooks.json')).toBe(false)
  })
})

describe('a preset', () => {
  it.each(presetNames())('`%s` refuses the commands that it names as examples', async (preset) => {
    const home = folderWith({ '.config/hookgate/hooks.json': { json: { preset } }, 'project/x': '' })
    const gate = createGate({ placement: 'caller', home, env: { HOME: home, PATH: '/usr/bin:/bin' } })
    try {
      const { refuses, mode } = shippedPreset(preset)
      expect(refuses.length).toBeGreaterThanOrEqual(3)
      for (const command of refuses) {
        // oxlint-disable-next-line no-await-in-loop -- a few
        const event = await gate.decode(claudeShell(command, `${home}/project`), { agent: 'claude-code' })
        // oxlint-disable-next-line no-await-in-loop -- a few
        const { decision, evaluations } = await gate.decide(event)
        const refusing = evaluations.filter((one) => one.kind === 'applicable' && one.effect === 'deny')
        expect({ command, refused: refusing.length > 0, decision }).toEqual({
          command,
          refused: true,
          decision: mode === 'observe' ? 'abstain' : 'deny',
        })
      }
    } finally {
      await gate.close()
    }
  })
})
