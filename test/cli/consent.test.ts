import { describe, expect, it } from 'vitest'
import { newcomer } from '../support/enabling.ts'

const hooks = {
  hooks: { PreToolUse: [{ matcher: 'shell', hooks: [{ type: 'command', command: 'true', timeout: 10 }] }] },
}

/** Creates a person with an agent, with permissions of its own, and with a project that has hooks. */
const personWithProject = () =>
  newcomer({
    'home/.claude/settings.json': { json: { permissions: { allow: ['Bash(npm test)'] } } },
    'project/.hookgate/hooks.json': { json: hooks },
  })

type Words = readonly string[]

/** Commands whose words say all that they change, what has to be done before, and what says how to undo them. */
const named: readonly (readonly [argv: Words, undo: RegExp, ...before: readonly Words[]])[] = [
  [['enable', 'claude-code', '--preset', 'strict'], /`hookgate disable claude-code` undoes it$/],
  [['disable', 'claude-code'], /^undo: `hookgate enable claude-code`$/, ['enable', 'claude-code']],
  [['packs', 'recommended', '--on'], /^undo: `rm .*hooks\.json`$/],
  [['packs', 'git-safety', '--off'], /^undo: `cp .*hooks\.json .*hooks\.json`$/, ['packs', 'git-safety', '--on']],
  [['packs', 'git-safety', '--observe'], /^undo: `cp /, ['packs', 'git-safety', '--on']],
  [['packs', 'git-safety/force-push', '--off'], /^undo: `cp /, ['packs', 'git-safety', '--on']],
  [['packs', 'git-safety', '--param', 'allowAborts=true'], /^undo: `cp /, ['packs', 'git-safety', '--on']],
  [['approvals', 'on'], /^undo: `rm .*hooks\.json`$/],
  [['approvals', 'off'], /^undo: `cp /, ['approvals', 'on']],
  [['trust'], /^undo: `hookgate trust --revoke \/.*project`$/],
  [['trust', '--revoke'], /^undo: `hookgate trust \/.*project`$/, ['trust']],
]

/** Commands that choose what they change. */
const choosing: typeof named = [
  [['init'], /^undo: `hookgate uninstall`$/],
  [['uninstall'], /`hookgate init` protects this machine again/, ['init', '--yes']],
  [['import', 'claude-code'], /^undo: `rm .*hooks\.json`$/],
]

const wordsOf = ([argv]: (typeof named)[number]) => argv.join(' ')

describe.each([...named, ...choosing].map((one) => [wordsOf(one), one] as const))('`hookgate %s`', (_, row) => {
  const [argv, undo, ...before] = row
  const prepared = async () => {
    const user = personWithProject()
    // oxlint-disable-next-line no-await-in-loop -- each changes what the next one finds
    for (const words of before) await user.cli(words)
    return user
  }

  it('shows what it changes at a terminal, and changes nothing where the person declines', async () => {
    const user = await prepared()
    const there = user.files('.')
    const asked: string[] = []
    const ask = (question: string) => {
      asked.push(question)
      return Promise.resolve('n')
    }
    expect(await user.cli(argv, { ask })).toMatchObject({ stdout: expect.stringMatching(/^nothing was changed\n$/) })
    expect(asked).toHaveLength(1)
    expect(asked[0]).toMatch(/\.json[^]*\[[Yy]\/[Nn]\] $/)
    expect(user.files('.')).toEqual(there)
  })

  it('asks nobody with `--yes`, and says how to undo it', async () => {
    const user = await prepared()
    const there = user.files('.')
    const { stdout, exitCode } = await user.cli([...argv, '--yes'], { ask: () => Promise.reject(new Error('asked')) })
    expect(exitCode).toBe(0)
    expect(stdout.split('\n').some((line) => undo.test(line))).toBe(true)
    expect(user.files('.')).not.toEqual(there)
  })

  it.runIf(named.includes(row))('does without a terminal what its words say', async () => {
    const user = await prepared()
    const there = user.files('.')
    expect((await user.cli(argv)).exitCode).toBe(0)
    expect(user.files('.')).not.toEqual(there)
  })

  it.skipIf(named.includes(row))('changes nothing without a terminal, and says that `--yes` does it', async () => {
    const user = await prepared()
    const there = user.files('.')
    expect(await user.cli(argv)).toMatchObject({
      exitCode: 1,
      stderr: `hookgate: nothing was changed: there is no terminal to ask at; \`hookgate ${argv.join(' ')} --yes\` does it\n`,
    })
    expect(user.files('.')).toEqual(there)
  })
})

it.each([
  [['new', 'policy', 'no-x'], ['.hookgate/policies/no-x.policy.ts']],
  [
    ['new', 'hook', 'no-y'],
    ['.hookgate/hooks/no-y.mjs', '.hookgate/hooks/no-y.test.mjs'],
  ],
  [['new', 'managed', '--dir', 'rules'], ['rules/hooks.json']],
] as const)('hookgate %s only makes files, and says which to remove to undo it', async (argv, files) => {
  const user = personWithProject()
  const { stdout } = await user.cli([...argv])
  const removed = /^undo: `rm (.*)`$/m.exec(stdout)?.[1] ?? ''
  for (const file of files) expect(removed).toContain(file)
})
