import { existsSync, mkdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { newcomer } from '../support/enabling.ts'

/** Creates a user with the folders of some agents, whose state is in the home folder, as on a real machine. */
function userOf(...folders: readonly string[]) {
  const user = newcomer()
  for (const folder of folders) mkdirSync(user.at(`home/${folder}`), { recursive: true })
  const HOOKGATE_HOME = user.at('home/.local/state/hookgate')
  const cli: typeof user.cli = (argv, call) => user.cli(argv, { ...call, env: { ...call?.env, HOOKGATE_HOME } })
  return { ...user, cli, before: user.home() }
}

const answering = (answer: string) => {
  const asked: string[] = []
  const ask = (question: string) => {
    asked.push(question)
    return Promise.resolve(answer)
  }
  return { asked, ask }
}

describe('hookgate init', () => {
  it('shows what it would do, asks once, protects every agent that is there, and is undone to the byte', async () => {
    const user = userOf('.claude', '.gemini', '.cursor')
    const person = answering('')
    const { stdout, exitCode } = await user.cli(['init'], person)
    expect(person.asked).toHaveLength(1)
    expect(person.asked[0]).toMatch(/^ {2}Claude Code +would write .*\n {2}Gemini CLI .*\n {2}Cursor .*/m)
    expect(person.asked[0]).toMatch(/it would refuse:\n(?: {4}\S.*\n){5}/)
    expect(stdout).toBe('protected: Claude Code, Gemini CLI, Cursor\n')
    expect(exitCode).toBe(0)

    const again = await user.cli(['init'], { ask: () => Promise.reject(new Error('asked')) })
    expect(again).toMatchObject({ exitCode: 0, stderr: '' })
    expect(again.stdout).toMatch(/^nothing is to be changed\n[^]*protected: Claude Code, Gemini CLI, Cursor\n$/)

    const undone = answering('y')
    expect(await user.cli(['uninstall'], undone)).toMatchObject({ exitCode: 0 })
    expect(undone.asked).toHaveLength(1)
    expect(undone.asked[0]).toContain(`removes ${user.rulesFile}, which is as hookgate wrote it\n`)
    expect(user.home()).toEqual(user.before)
    expect((await user.cli(['uninstall'])).stdout).toBe('there is nothing to undo: no agent of yours asks hookgate\n')
  })

  it.each(['init', 'uninstall'])(
    'asks nothing without a terminal, and says that `--yes` does it: %s',
    async (command) => {
      const user = userOf('.claude')
      if (command === 'uninstall') await user.cli(['enable', 'claude-code'])
      const there = user.home()
      expect(await user.cli([command])).toMatchObject({
        exitCode: 1,
        stderr: `hookgate: nothing was changed: there is no terminal to ask at; \`hookgate ${command} --yes\` does it\n`,
      })
      expect(user.home()).toEqual(there)
    },
  )

  it('changes nothing where the person declines, nor with `--dry-run` and `--diff`', async () => {
    const user = userOf('.claude')
    expect(await user.cli(['init'], answering('n'))).toMatchObject({ stdout: 'nothing was changed\n', exitCode: 1 })
    expect((await user.cli(['init', '--dry-run'])).stdout).toMatch(/nothing was changed\n$/)
    expect((await user.cli(['init', '--diff'])).stdout).toContain(`+++ ${user.settings}`)
    expect(user.home()).toEqual(user.before)
  })

  it('says in a sentence that no agent was found, and what to do', async () => {
    const { stderr, exitCode } = await userOf().cli(['init', '--yes'])
    expect(exitCode).toBe(1)
    expect(stderr).toMatch(
      /^hookgate: no agent was found in .*: start yours once, .* or name it with `hookgate enable AGENT`/,
    )
  })

  it('leaves an agent whose settings are malformed as it is, names it, and protects the others', async () => {
    const user = userOf('.claude', '.gemini')
    user.write('home/.gemini/settings.json', '{')
    const before = user.home()
    const { stdout, exitCode } = await user.cli(['init', '--yes'])
    expect(exitCode).toBe(1)
    expect(stdout).toMatch(/not protected: Gemini CLI: \S+settings\.json:1:2: .*\nprotected: Claude Code\n$/)
    expect(user.read('home/.gemini/settings.json')).toBe('{')
    await user.cli(['uninstall', '--yes'])
    expect(user.home()).toEqual(before)
  })

  it('never calls an agent protected whose rules refuse nothing', async () => {
    const user = userOf('.claude')
    const observed = await user.cli(['init', '--yes', '--preset', 'observe'])
    expect(observed.stdout).toMatch(/\nonly observed, so nothing is refused: Claude Code\n$/)
    const bare = userOf('.claude')
    expect((await bare.cli(['init', '--yes', '--preset', 'none'])).stdout).toMatch(
      /\nnot protected, because no rules are in force: Claude Code\n$/,
    )
    expect((await bare.cli(['init', '--yes', '--preset', 'strickt'])).stderr).toContain('has no preset `strickt`')
  })
})

describe('hookgate uninstall', () => {
  it('keeps rules that a person has changed, unless it is asked to remove them', async () => {
    const user = userOf('.claude')
    await user.cli(['init', '--yes'])
    user.write('home/.config/hookgate/hooks.json', '{"preset": "strict"}\n')
    const { stdout } = await user.cli(['uninstall', '--yes'])
    expect(stdout).toContain(`your own rules stay: ${user.rulesFile}; \`--rules\` removes them too\n`)
    expect(existsSync(user.rulesFile)).toBe(true)
    await user.cli(['init', '--yes'])
    const all = await user.cli(['uninstall', '--yes', '--rules'])
    expect(all.stdout).toContain('removes your own rules and policies')
    expect(all.stdout).not.toContain('kept ')
    expect(user.exists('home/.config')).toBe(false)
  })

  it('leaves the folder of settings that has something else in it', async () => {
    const user = userOf('.claude')
    await user.cli(['init', '--yes'])
    user.write('home/.config/other/settings.json', '{}\n')
    await user.cli(['uninstall', '--yes', '--rules'])
    expect(user.exists('home/.config/hookgate')).toBe(false)
    expect(user.exists('home/.config/other/settings.json')).toBe(true)
  })

  it('names a project that still asks hookgate, and keeps what undoes it', async () => {
    const user = userOf('.claude')
    await user.cli(['enable', 'claude-code', '--scope', 'project'])
    const { stdout, exitCode } = await user.cli(['uninstall', '--yes'])
    expect(exitCode).toBe(1)
    expect(stdout).toContain('run `hookgate disable AGENT --scope project` there first')
    await user.cli(['disable', 'claude-code', '--scope', 'project'])
    await user.cli(['uninstall', '--yes'])
    expect(user.exists('home/.local/state/hookgate')).toBe(false)
  })
})
