import { writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { FileChanges } from '../../src/model/file-changes.ts'
import { hookgateHere } from '../support/cli.ts'
import { personWith, userFile } from '../support/refused.ts'

const push = 'git push --force origin main'
const written = `{
  "permissions": { "deny": ["Bash(git push *)"], "ask": ["Bash(npm publish *)"] },
  "exceptions": [
    { "rule": "*permissions.deny", "command": "git push origin dev",   "reason": "mine" },
    { "rule": "*permissions.ask", "path": "fixtures/**", "until": "2001-01-31" }
  ]
}
`

interface ListedJson {
  readonly exceptions: readonly { readonly key: string; readonly line: number; readonly over: boolean }[]
  readonly grants: readonly object[]
}

function person() {
  const one = personWith({ [userFile]: written })
  const listed = async () => JSON.parse((await one.allow('--list', '--json')).stdout) as ListedJson
  return { ...one, listed }
}

describe('`allow --list`', () => {
  it('lists the exceptions of the user’s file with their lines, and those that are over', async () => {
    const { listed, home, allow } = person()
    const { exceptions, grants } = await listed()
    const file = `${home}/${userFile}`
    expect(exceptions).toEqual([
      {
        key: exceptions[0]?.key,
        file,
        line: 4,
        rule: '*permissions.deny',
        command: 'git push origin dev',
        reason: 'mine',
        over: false,
      },
      {
        key: exceptions[1]?.key,
        file,
        line: 5,
        rule: '*permissions.ask',
        path: 'fixtures/**',
        until: '2001-01-31',
        over: true,
      },
    ])
    expect(grants).toEqual([])
    const { stdout } = await allow('--list')
    expect(stdout).toContain(
      `${exceptions[0]?.key}  *permissions.deny: git push origin dev  (always)\n          ${file}:4\n`,
    )
    expect(stdout).toContain('(over since the end of 2001-01-31)')
  })

  it('lists what is allowed once, which `--remove` takes back', async () => {
    const { call, allow, allowAsked, listed } = person()
    const { id } = await call(push)
    const granted = await allowAsked([], id, '--once', '--json')
    expect(FileChanges.parse(JSON.parse(granted.stdout))).toMatchObject({ changed: true, files: [], copies: [] })
    const refused = { words: push, names: ['permissions.deny'] }
    expect((await listed()).grants).toEqual([expect.objectContaining({ kind: 'once', id, refused })])
    expect((await allow('--list')).stdout).toContain(`${id}    Bash: \`${push}\`  (once, until`)
    await allow('--remove', id, '--dry-run')
    expect((await listed()).grants).toHaveLength(1)
    expect((await allow('--remove', id)).stdout).toBe(`${id} is no longer allowed\n`)
    expect((await listed()).grants).toEqual([])
    expect((await call(push)).decision).toBe('deny')
  })
})

describe('`allow --remove`', () => {
  it('takes one exception out and keeps all else to the byte, so that the next call is refused', async () => {
    const { call, allow, listed, textOf, home } = person()
    expect((await call('git push origin dev')).decision).toBe('abstain')
    const [{ key } = { key: '' }] = (await listed()).exceptions
    const dry = FileChanges.parse(JSON.parse((await allow('--remove', key, '--dry-run', '--json')).stdout))
    expect(textOf(userFile)).toBe(written)
    const done = FileChanges.parse(JSON.parse((await allow('--remove', key, '--json')).stdout))
    expect(dry).toEqual({ ...done, changed: false, copies: [] })
    expect(done).toEqual({
      changed: true,
      files: [{ file: `${home}/${userFile}`, diff: expect.stringContaining('-    { "rule": "*permissions.deny"') }],
      copies: [expect.stringContaining('/backups/')],
      notes: [],
    })
    expect(textOf(userFile)).toBe(
      written
        .split('\n')
        .filter((line) => !line.includes('origin dev'))
        .join('\n'),
    )
    expect((await call('git push origin dev')).decision).toBe('deny')
  })

  it.each(['', 'n', 'no', 'x', 'yno'])('changes nothing where the person answers %j on a terminal', async (answer) => {
    const { allowAsked, listed, textOf } = person()
    const [{ key } = { key: '' }] = (await listed()).exceptions
    const { stdout, questions } = await allowAsked([answer], '--remove', key)
    expect(stdout).toBe('nothing was changed\n')
    expect(questions).toEqual([expect.stringMatching(/^-.*git push origin dev[^]*take it back\? \[y\/N\] $/m)])
    expect(textOf(userFile)).toBe(written)
  })

  it('takes back an exception, and what was allowed once, where the person agrees', async () => {
    const { call, allowAsked, listed } = person()
    const { id } = await call(push)
    await allowAsked([], id, '--once', '--json')
    const [{ key } = { key: '' }] = (await listed()).exceptions
    await allowAsked([''], '--remove', id)
    expect((await listed()).grants).toHaveLength(1)
    for (const one of [id, key]) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const { questions, stdout } = await allowAsked(['y'], '--remove', one)
      expect(questions).toHaveLength(1)
      // The question has shown the change.
      expect(stdout).toMatch(/^(?:wrote |\w+ is no longer allowed\n$)/)
    }
    const { exceptions, grants } = await listed()
    expect([exceptions.some((one) => one.key === key), grants]).toEqual([false, []])
  })

  it('of the last one leaves a file that loads', async () => {
    const { allow, textOf } = personWith({ [userFile]: '{"exceptions":[{"rule":"a/b","command":"ls"}]}' })
    const { exceptions } = JSON.parse((await allow('--list', '--json')).stdout) as ListedJson
    expect((await allow('--remove', exceptions[0]?.key ?? '')).exitCode).toBe(0)
    expect(JSON.parse(textOf(userFile) ?? '')).toEqual({ packs: [] })
  })

  it('refuses a key that there is not, and what else is asked for beside it', async () => {
    const { allow, textOf } = person()
    expect((await allow('--remove', '00000000')).stderr).toMatch(
      /hooks\.json has the key `00000000`; `hookgate allow --list` shows/,
    )
    expect((await allow('--remove', 'x', '--list')).stderr).toMatch(/--list and --remove stand alone/)
    expect((await allow('k3x7qd', '--list')).stderr).toMatch(/--list and --remove stand alone/)
    expect(textOf(userFile)).toBe(written)
  })
})

describe('`allow --json`', () => {
  it('shows the refusals as data, and asks nothing', async () => {
    const { call, allow, allowAsked } = person()
    const { id } = await call(push)
    const refusal = expect.objectContaining({ id, subject: push, decision: 'deny' }) as unknown
    expect(JSON.parse((await allow('--json')).stdout)).toEqual({ refusals: [refusal] })
    const one = await allowAsked(['a'], id, '--json')
    expect(JSON.parse(one.stdout)).toEqual({ refusals: [refusal] })
    expect(one.questions).toEqual([])
  })

  it('of `--always` is the change, before and after the person has agreed, and nothing else', async () => {
    const { call, allow, allowAsked, textOf } = person()
    const { id } = await call(push)
    const changes = ({ stdout }: { readonly stdout: string }) => FileChanges.parse(JSON.parse(stdout))
    const dry = changes(await allow(id, '--always', '--dry-run', '--json'))
    expect(dry).toMatchObject({ changed: false, files: [{ diff: expect.stringContaining(`"command": "${push}"`) }] })
    const declined = await allowAsked(['n'], id, '--always', '--json')
    expect(changes(declined)).toEqual(dry)
    expect(textOf(userFile)).toBe(written)
    const agreed = await allowAsked(['y'], id, '--always', '--json')
    expect(agreed.questions).toEqual([expect.stringMatching(/write this\? \[y\/N\] $/)])
    expect(changes(agreed)).toMatchObject({ changed: true, files: dry.files, copies: [expect.any(String)] })
    expect((await call(push)).decision).toBe('abstain')
    expect(changes(await allowAsked(['y'], id, '--always', '--json'))).toMatchObject({ changed: false, files: [] })
  })

  it('writes nothing over a file that was changed while the person thought about it', async () => {
    const { call, home, env, cwd, textOf } = person()
    const { id } = await call(push)
    const ask = () => {
      writeFileSync(`${home}/${userFile}`, '{ "packs": [] }')
      return Promise.resolve('y')
    }
    const { stderr, stdout } = await hookgateHere(['allow', id, '--always', '--json'], { env, cwd, ask })
    expect(stderr).toContain('hooks.json: it was changed just now by another program; run it again')
    expect(stdout).toBe('')
    expect(textOf(userFile)).toBe('{ "packs": [] }')
  })
})
