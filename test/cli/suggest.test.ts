import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createGate } from '../../src/gate/gate.ts'
import { parseJsonObject } from '../../src/model/json.ts'
import { hookgateHere } from '../support/cli.ts'
import { personWith, userFile } from '../support/refused.ts'
import { claudeShell } from '../support/wire.ts'
import { writeFiles } from '../support/workspace.ts'
import { closeRecorded } from '../support/recorded.ts'

/** A person whose agent asked about some commands, so many times each. */
async function askedAbout(
  commands: Readonly<Record<string, number>>,
  more: {
    readonly called?: readonly string[]
    readonly fetched?: readonly string[]
    readonly declined?: readonly string[]
  } = {},
) {
  const person = personWith({ [userFile]: { json: { permissions: { ask: ['Bash(npm publish *)'] } } } })
  const { cwd, home, state, env } = person
  const gate = createGate({ placement: 'caller', home, env: {}, discover: false, record: join(state, 'decisions.db') })
  let answered = 0
  const answer = (event: object) => {
    answered += 1
    return gate.answer({ ...event }, { agent: 'claude-code' })
  }
  const answerTo = (command: string, event: string) => answer({ ...claudeShell(command, cwd), hook_event_name: event })
  // oxlint-disable no-await-in-loop -- each in its order
  for (const [command, times] of Object.entries(commands)) {
    for (let time = 0; time < times; time++) {
      await answerTo(command, 'PermissionRequest')
      if (more.declined?.includes(command) !== true) await answerTo(command, 'PostToolUse')
    }
  }
  for (const command of more.called ?? []) {
    await answerTo(command, 'PreToolUse')
  }
  for (const url of more.fetched ?? []) {
    for (const hook_event_name of ['PermissionRequest', 'PostToolUse']) {
      const fetch = { hook_event_name, tool_name: 'WebFetch', tool_input: { url, prompt: 'x' } }
      await answer({ ...claudeShell('', cwd), ...fetch })
    }
  }
  // oxlint-enable no-await-in-loop
  await closeRecorded(gate, answered)
  const suggest = (...argv: string[]) => hookgateHere(['suggest', ...argv], { env, cwd })
  const suggested = async (...argv: string[]) => parseJsonObject((await suggest('--json', ...argv)).stdout)
  /** Has the agent report that a command has run, in the session of `call`. */
  const ran = (command: string) => {
    const event = { ...claudeShell(command, cwd), session_id: 's', hook_event_name: 'PostToolUse' }
    return hookgateHere(['run', '--agent', 'claude-code'], { stdin: JSON.stringify(event), env, cwd })
  }
  return { ...person, suggest, suggested, ran }
}

describe('permissions that are suggested', () => {
  it('are the commands that the agent asked about most often, with what they would also allow', async () => {
    const { suggested } = await askedAbout(
      { 'git status -s': 3, 'git status src': 2, 'ls -la src': 4, 'make once': 1 },
      { called: ['git status -b', 'git log'] },
    )
    expect(await suggested()).toMatchObject({
      permissions: [
        { text: 'Bash(git status *)', spares: 5, alsoAllows: ['git status -b'] },
        { text: 'Bash(ls -la src)', spares: 4, alsoAllows: [] },
      ],
      exceptions: [],
      rejected: [],
      questions: { byAgents: 10, byRules: 0 },
      written: false,
    })
  })

  it('let no call pass that an example of a shipped pack refuses or asks about, and say which was left out for that', async () => {
    const { suggest } = await askedAbout({ 'git push origin my-fix': 2, 'git push origin my-docs': 2, 'rm -rf /': 5 })
    const { stdout } = await suggest()
    expect(stdout).not.toMatch(/^\s+\d+ ×\s+Bash\((?:git push \*|rm)/m)
    expect(stdout).toContain('not suggested, since it would also allow a danger:\n')
    expect(stdout).toContain('  Bash(git push *): would also allow git push ')
    expect(stdout).toContain('  Bash(rm -rf /): would also allow what system-deletion refuses')
    // What is about one branch alone is no known danger.
    expect(stdout).toMatch(/2 × {2}Bash\(git push origin my-fix\)/)
  })

  it('are about all commands of a subcommand only where nothing dangerous can stand behind it', async () => {
    // What each would let through: `--kubeconfig`, `--raw`, `-exec`, `--output`, `--endpoint-url`, `-H`, `--log`, a script.
    const pairs: readonly (readonly [string, string, string])[] = [
      ['kubectl get', 'pods', 'svc'],
      ['kubectl describe', 'pod a', 'pod b'],
      ['go test', './a', './b'],
      ['go vet', './a', './b'],
      ['git log', '-3', '-5'],
      ['git diff', 'a', 'b'],
      ['git fetch', 'origin', 'fork'],
      ['git grep', 'a', 'b'],
      ['aws s3', 'ls s3://a', 'ls s3://b'],
      ['helm list', '-a', '-q'],
      ['terraform plan', '-lock=false', '-refresh=false'],
      ['systemctl status', 'a', 'b'],
      ['pip list', '-o', '-u'],
      ['npm ls', 'a', 'b'],
      ['cargo tree', '-d', '-i a'],
      ['docker inspect', 'a', 'b'],
      ['gh pr', 'view 1', 'view 2'],
      ['apt list', '-a', '--installed'],
    ]
    const asked = Object.fromEntries(pairs.flatMap(([start, a, b]) => [a, b].map((rest) => [`${start} ${rest}`, 2])))
    const { permissions, rejected } = (await (await askedAbout(asked)).suggested()) ?? {}
    const texts = (value: unknown) =>
      Array.isArray(value) ? value.map((one: { readonly text: string }) => one.text) : []
    expect(texts(permissions).filter((text) => text.includes('*'))).toEqual([])
    expect(texts(rejected)).toEqual(expect.arrayContaining(pairs.map(([start]) => `Bash(${start} *)`)))
  })

  it('let nothing pass that a shipped pack would refuse or ask about, in whatever words, though no pack is turned on', async () => {
    const grave = [
      'kubectl -n x delete ns prod',
      'helm uninstall shop',
      'tofu destroy',
      'mysql -e "drop database prod"',
      'aws s3 rb s3://prod --force',
      'dd if=/dev/zero of=/dev/sda',
      'git stash clear',
      'npm publish',
    ]
    const asked = Object.fromEntries([...grave, 'kubectl -n x get ns', 'go vet ./a'].map((command) => [command, 2]))
    expect(await (await askedAbout(asked)).suggested()).toMatchObject({
      permissions: [{ text: 'Bash(go vet ./a)' }, { text: 'Bash(kubectl -n x get ns)' }],
      rejected: { length: grave.length },
    })
  })

  it('allow all commands of a line together, or none of them', async () => {
    const { suggested } = await askedAbout({ 'cat a.txt && ls b': 2, 'cat a.txt | sh': 3, 'echo $(date)': 3 })
    expect(await suggested()).toMatchObject({ permissions: [{ text: 'Bash(cat a.txt)' }, { text: 'Bash(ls b)' }] })
  })

  it('take a star for the character that was asked about, and a first word for no subcommand where a program has none', async () => {
    const { suggested } = await askedAbout({
      "find . -name '*.ts'": 4,
      "deployctl '*'": 3,
      'rm build x': 2,
      'rm build y': 2,
      'grep foo a': 2,
      'grep foo b': 2,
    })
    expect(await suggested()).toMatchObject({
      permissions: [
        { text: String.raw`Bash(find . -name \*.ts)` },
        { text: String.raw`Bash(deployctl \*)` },
        { text: 'Bash(grep foo a)' },
        { text: 'Bash(grep foo b)' },
        { text: 'Bash(rm build x)' },
        { text: 'Bash(rm build y)' },
      ],
      rejected: [],
    })
  })

  it('are about no host with a star in its name, which would stand for every host', async () => {
    const { suggested } = await askedAbout({}, { fetched: ['https://*/', 'https://*.com/x', 'https://a.example/'] })
    expect(await suggested('--min', '1')).toMatchObject({
      permissions: [{ text: 'WebFetch(domain:a.example)' }],
      questions: { byAgents: 3 },
    })
  })

  it('are about nothing that the person declined, or did not agree to each time', async () => {
    const { suggested, suggest } = await askedAbout({ 'make all': 3, 'make docs': 2 }, { declined: ['make all'] })
    expect(await suggested()).toMatchObject({
      permissions: [{ text: 'Bash(make docs)', spares: 2 }],
      questions: { byAgents: 2, declined: 3 },
    })
    expect((await suggest()).stdout).toContain(
      '3 questions left out: the call did not run afterwards, so nobody said yes',
    )
  })

  it('are about nothing that the record holds only in part', async () => {
    const { suggested } = await askedAbout({ 'curl -H "Authorization: Bearer abcdef123456" x': 3 })
    expect(await suggested()).toMatchObject({ permissions: [], questions: { byAgents: 0, unusable: 3 } })
  })
})

describe('exceptions that are suggested', () => {
  it('are those that `hookgate allow` knows, and spare what a rule asked', async () => {
    const { suggested, call, ran } = await askedAbout({})
    await call('npm publish .')
    await call('npm publish .')
    await ran('npm publish .')
    await ran('npm publish .')
    expect(await suggested()).toMatchObject({
      exceptions: [{ exception: { command: 'npm publish .' }, spares: 2 }],
      questions: { byRules: 2, unknown: 0 },
    })
  })
})

describe('`suggest --from sessions`', () => {
  it('decides the calls of past sessions by the rules in force, and suggests exceptions to them', async () => {
    const { suggested, home, cwd } = await askedAbout({})
    const call = (command: string, id: string) => ({
      type: 'assistant',
      sessionId: 's',
      cwd,
      timestamp: new Date().toISOString(),
      message: { role: 'assistant', content: [{ type: 'tool_use', id, name: 'Bash', input: { command } }] },
    })
    const lines = ['npm publish --tag next', 'ls', 'npm publish --tag next'].map((text, index) =>
      call(text, `t${index}`),
    )
    writeFiles(home, { '.claude/projects/-p/s.jsonl': lines.map((line) => JSON.stringify(line)).join('\n') })
    expect(await suggested('--from', 'sessions')).toMatchObject({
      permissions: [],
      exceptions: [{ exception: { command: 'npm publish --tag next', project: cwd }, spares: 2 }],
      questions: { byAgents: 0, byRules: 2, unknown: 0 },
    })
  })
})

describe('`suggest --write`', () => {
  it('writes them as it has shown them, and the agent is not asked again', async () => {
    const { suggest, call, rules, cwd, env } = await askedAbout({ 'make all': 2 })
    const shown = await suggest()
    expect(shown.stdout).toContain('+')
    expect(shown.stdout.trim().split('\n').at(-1)).toBe('`hookgate suggest --write` writes this')
    expect(rules()).toEqual({ permissions: { ask: ['Bash(npm publish *)'] } })
    const asked: string[] = []
    const ask = (question: string) => Promise.resolve(asked.push(question) === 1 ? 'no' : 'yes')
    expect(await hookgateHere(['suggest', '--write'], { env, cwd, ask })).toMatchObject({
      stdout: 'nothing was changed\n',
    })
    expect((await hookgateHere(['suggest', '--write'], { env, cwd, ask })).stdout).toContain('wrote ')
    expect(rules()).toMatchObject({ permissions: { ask: ['Bash(npm publish *)'], allow: ['Bash(make all)'] } })
    expect((await call('make all')).decision).toBe('allow')
    expect((await suggest()).stdout).toContain('has all of it already')
  })
})

describe('`suggest` without anything to go by', () => {
  it('says that nothing is recorded yet', async () => {
    const { env, cwd } = personWith()
    const { stdout, exitCode } = await hookgateHere(['suggest'], { env, cwd })
    expect({ stdout, exitCode }).toEqual({
      stdout: 'nothing is recorded yet, so there is nothing to suggest\n',
      exitCode: 0,
    })
  })

  it('says how many questions were only counted, of which nothing else is known', async () => {
    const person = personWith({ [userFile]: { json: { record: { level: 'decisions' } } } })
    const { cwd, home, state, env } = person
    const gate = createGate({ placement: 'caller', home, env: {}, record: join(state, 'decisions.db') })
    const event = { ...claudeShell('make all', cwd), hook_event_name: 'PermissionRequest' }
    await gate.answer(event, { agent: 'claude-code' })
    await closeRecorded(gate, 1)
    const { stdout } = await hookgateHere(['suggest'], { env, cwd })
    expect(stdout).toContain('1 question of agents was only counted')
    expect(stdout).not.toContain('nobody was asked')
  })

  it('says that nobody was asked, or not often enough', async () => {
    const { suggest } = await askedAbout({ 'make all': 1 })
    expect((await suggest()).stdout).toContain('nothing was asked often enough to suggest it')
    expect((await suggest('--since', '2031-01-01')).stdout).toContain('nobody was asked anything in this time')
  })

  it.each([
    [['--since', 'soon'], '--since must be how long ago'],
    [['--min', '1.5'], '--min must be a whole number'],
    [['x'], "unexpected argument 'x'"],
  ])('refuses %j', async (argv, message) => {
    const { env, cwd } = personWith()
    const { stderr, exitCode } = await hookgateHere(['suggest', ...argv], { env, cwd })
    expect(stderr.toLowerCase()).toContain(message)
    expect(exitCode).toBe(1)
  })
})

describe('limits that are suggested', () => {
  it('are shown with the sessions that they come from, and written beside what the file has', async () => {
    const { home, env, cwd } = personWith({
      [userFile]: { json: { permissions: { ask: [] }, limits: { repeated: false } } },
    })
    const common = { uuid: 'u', userType: 'external', cwd, timestamp: new Date().toISOString() }
    const failing = (at: number) => [
      {
        ...common,
        sessionId: `s${at}`,
        type: 'assistant',
        message: {
          role: 'assistant',
          content: [{ type: 'tool_use', id: 't', name: 'Bash', input: { command: 'make a' } }],
        },
      },
      {
        ...common,
        sessionId: `s${at}`,
        type: 'user',
        message: {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: 't', is_error: true, content: 'Exit code 2' }],
        },
      },
    ]
    const lines = (at: number) =>
      [...failing(at), ...failing(at)].map((record) => `${JSON.stringify(record)}\n`).join('')
    const files = Array.from({ length: 20 }, (_, at) => [`.claude/projects/-p/s${at}.jsonl`, lines(at)] as const)
    writeFiles(home, Object.fromEntries(files))
    const { stdout } = await hookgateHere(['suggest', '--from', 'sessions', '--write', '--yes'], { env, cwd })
    expect(stdout).toContain('failed: 4 times  (40 calls of 20 sessions: the most was 1, of make a)')
    const { stdout: again } = await hookgateHere(['suggest', '--from', 'sessions', '--json'], { env, cwd })
    expect(parseJsonObject(again)).toMatchObject({ limits: [], diff: '' })
  })
})
